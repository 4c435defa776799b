"""The guesses of a session: their ratings, the chance to win over the game, and their list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PyQt6.QtCore import (
    QEvent,
    QObject,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    pyqtSignal,
)
from PyQt6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QCheckBox,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QStyle,
    QToolTip,
    QWidget,
)

from bot.analysis import Limit
from bot.assist.guesses import GuessKind
from bot.board import Cell
from bot.frame import Status
from bot.planner import Action, Move
from bot.solver.phrases import percent
from gui.games.film import Film, turns_text
from gui.panel import widgets
from gui.panel.cell_label import CellLabel
from gui.panel.details import Details
from gui.panel.jobs import Job, Jobs, Progress
from gui.panel.marks import probability_color
from gui.panel.theme import SPACE, current_theme
from gui.run_statistics import GUESSES
from gui.runner.protocol import State

if TYPE_CHECKING:
    # The jobs load the solvers: that takes the page half a second.
    from bot.assist.rating import Rating, WinningChance


@dataclass(frozen=True)
class Sizes:
    """Sizes of the timeline and the list, in points."""

    height: int = 104
    """Height of the timeline in points, with its caption."""
    folded: int = 30
    """Height of the timeline in points in a low window, without its caption and percentages."""
    bar: float = 16.0
    """Height in points of a guess with a risk of 50 % and more."""
    least: float = 6.0
    """Height in points of a guess without risk."""
    least_list: int = 150
    """Height of the list of guesses, in points."""


_SIZE: Final = Sizes()

LABELS: Final = 40
"""Width in points of the labels at the left of the timeline."""
_CAPTION: Final = "Chance to win \N{MIDDLE DOT} bars: guesses, the taller the riskier"
_LEGEND: Final = (
    "The line is the chance to win. A bar is a guess: the taller, the riskier. At the end, a cross "
    "is a loss and a dot a win."
)
KEYS: Final = {"guess": "G", "mistake": "M"}
_TURN_ROLE: Final = Qt.ItemDataRole.UserRole
_TYPICAL: Final = (
    "Opened row 10, column 10: 10.0% risk; the lowest possible was 10.0%.\n"
    "Chance to win, estimated: 10.0% before, 10.0% with it, 10.0% after the cell was opened."
)
"""A rating of usual length: room for it is kept while none is known."""


@dataclass(frozen=True)
class Verdict:
    """A rated guess."""

    turn: int
    move: Move
    rating: Rating | None = None
    """The rating; None if the guess could not be rated."""
    after: WinningChance | None = None
    """The win chance after its result; None if the recording ends before."""
    problem: str = ""
    """The reason why the guess could not be rated."""

    @property
    def mistake(self) -> bool:
        """Whether the guess was not needed, or another cell was better."""
        kind = self.rating.kind if self.rating is not None else None
        return kind in (GuessKind.MISSED, GuessKind.RISKIER)


def judge(film: Film, turn: int, progress: Progress) -> Verdict:
    """Rate the guess of a turn; runs in a job.

    Raises:
        Cancelled: The job was cancelled.
    """
    from bot.assist.rating import rate_move  # noqa: PLC0415 - loads the solvers

    progress.report(None)
    played, move = film.turns[turn], film.guess(turn)
    if played is None or move is None:
        raise ValueError(f"turn {turn} makes no guess")
    limit = Limit(cancel=progress.cancelled)
    try:
        rating = rate_move(played.reading.board, move, limit)
        return Verdict(turn, move, rating, _chance(film, turn + 1, limit))
    except ValueError as error:
        return Verdict(turn, move, problem=f"It cannot be rated: {error}")


def _chance(film: Film, turn: int, limit: Limit) -> WinningChance | None:
    """Return the chance to win at a turn; None if it is unknown or the recording ends before.

    Raises:
        ValueError: The board was misread.
    """
    from bot.assist.rating import WinningChance, winning_chance  # noqa: PLC0415

    shown = film.turns[turn] if turn < len(film) else None
    if shown is None:
        return None
    reading = shown.reading
    if reading.status is Status.ENDED:
        return None
    if reading.status.over:
        won = reading.status is Status.WON
        return WinningChance(1.0 if won else 0.0, exact=True, best=None)
    return winning_chance(reading.board, limit)


def _value(film: Film, turn: int, progress: Progress) -> float | None:
    """Return the chance to win at a turn without a guess; None if it cannot be computed."""
    try:
        chance = _chance(film, turn, Limit(cancel=progress.cancelled))
    except ValueError:
        return None
    return chance.value if chance is not None else None


class Judge(QObject):
    """A rater of a session's guesses, one after the other, and then of its other turns.

    Signals:
        judged(Verdict): One more guess is rated.
        valued(): The chance to win at one more turn is known.
        failed(Failure): An unexpected error; it continues with the next guess.
    """

    judged = pyqtSignal(object)
    valued = pyqtSignal()
    failed = pyqtSignal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._film: Film | None = None
        self._job: Job | None = None
        self._left: list[int] = []
        self.verdicts: dict[int, Verdict] = {}
        """Verdicts by the turn's index."""
        self.chances: dict[int, float] = {}
        """The chance to win by the turn's index."""

    @property
    def done(self) -> bool:
        """Whether all guesses are rated, and the chances of all turns are known."""
        return not self._left and self._job is None

    def open(self, film: Film | None) -> None:
        """Start with another session, cancelling the current job."""
        self._film = film
        self.verdicts.clear()
        self.chances.clear()
        self._left = []
        if film is not None:
            guesses = film.guesses()
            self._left = [*guesses, *sorted(film.classic_turns() - set(guesses))]
        if self._job is not None:
            self._job.cancel()
        self._go_on()

    def prefer(self, turn: int) -> None:
        """Rate the guess of this turn next."""
        if turn in self._left:
            self._left.remove(turn)
            self._left.insert(0, turn)

    def _go_on(self) -> None:
        if self._job is not None or not self._left or self._film is None:
            return
        film, turn = self._film, self._left.pop(0)
        rated = film.guess(turn) is not None
        if not rated and turn in self.chances:
            self._go_on()
            return
        title, work = (
            ("Rating a guess", judge) if rated else ("Computing the chance to win", _value)
        )
        job = self._job = self._jobs.start(
            title, lambda progress: (film, turn, work(film, turn, progress))
        )
        job.done.connect(self._take)
        job.failed.connect(self.failed)
        job.ended.connect(self._rest)

    def _take(self, result: tuple[Film, int, Verdict | float | None]) -> None:
        film, turn, found = result
        if film is not self._film:
            return
        if not isinstance(found, Verdict):
            self._note(turn, found)
            self.valued.emit()
            return
        self.verdicts[turn] = found
        if found.rating is not None:
            self._note(turn, found.rating.chance_before)
        if found.after is not None:
            self._note(turn + 1, found.after.value)
        self.judged.emit(found)

    def _note(self, turn: int, chance: float | None) -> None:
        if chance is not None:
            # A guess that follows at once has its own, later rating.
            self.chances.setdefault(turn, chance)

    def _rest(self) -> None:
        self._job = None
        self._go_on()


def as_text(verdict: Verdict) -> list[str]:
    """Return a verdict as sentences."""
    rating, where = verdict.rating, place(verdict.move.cell)
    if rating is None:
        return [verdict.problem]
    verb = "Chord at" if verdict.move.action is Action.CHORD else "Opened"
    share = f"{percent(rating.risk, 1)} risk" + ("" if rating.risks_exact else " (estimated)")
    lines = [f"{verb} {where}: {share}; the lowest possible was {percent(rating.least_risk, 1)}."]
    if rating.needless:
        lines.append(f"It was not needed: {place(rating.safe_cells[0])} was proved safe.")
    lines.append(_chances(verdict, rating))
    if verdict.mistake and not rating.needless and rating.best_cell is not None:
        lines.append(f"{place(rating.best_cell).capitalize()} was the better choice.")
    return lines


def _chances(verdict: Verdict, rating: Rating) -> str:
    if rating.chance_before is None or rating.chance_with is None:
        return "The chance to win cannot be computed here."
    kind = "" if rating.exact else ", estimated"
    before, chosen = percent(rating.chance_before, 1), percent(rating.chance_with, 1)
    text = f"Chance to win{kind}: {before} before, {chosen} with it"
    if verdict.after is None or verdict.after.value is None:
        return f"{text}."
    kind = "" if verdict.after.exact or not rating.exact else " (estimated)"
    return f"{text}, {percent(verdict.after.value, 1)} after the cell was opened{kind}."


def place(cell: Cell | None) -> str:
    """Return a cell as text."""
    return "the board" if cell is None else cell.position_text


def risk_color(risk: float) -> QColor:
    """Return the colour of a guess; the scale ends at 50 %, as few guesses exceed it."""
    return probability_color(min(1.0, 2 * risk))


class Timeline(QWidget):
    """A timeline: a bar per guess in its risk's colour, the chance to win, the result at the end.

    Signals:
        chosen(int): A turn was clicked.
    """

    chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._film: Film | None = None
        self._risks: dict[int, float] = {}
        self._chances: list[tuple[int, float]] = []
        self._at = 0
        self._folded = False
        self.setAccessibleName("Chance to win and guesses along the game")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def open(self, film: Film | None) -> None:
        """Show another session."""
        self._film, self._at = film, 0
        self._risks, self._chances = {}, []
        if film is not None:
            moves = {turn: film.guess(turn) for turn in film.guesses()}
            self._risks = {turn: move.risk for turn, move in moves.items() if move}
            count = len(self._risks)
            guesses = f"{count} guess{'' if count == 1 else 'es'}"
            self.setAccessibleDescription(
                f"{turns_text(len(film))}, {guesses}, {film.end.value}. {_LEGEND}"
            )
        self.update()

    def show_chances(self, points: list[tuple[int, float]]) -> None:
        """Show the chance to win at some turns, in their order."""
        self._chances = points
        self.update()

    def fold(self, folded: bool) -> None:
        """Show a low curve without text, or the whole timeline."""
        self._folded = folded
        self.updateGeometry()
        self.update()

    def go(self, turn: int) -> None:
        """Mark the current turn."""
        self._at = turn
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of a wide, low curve."""
        return QSize(200, _SIZE.folded if self._folded else _SIZE.height)

    def x_of(self, turn: int) -> float:
        """Return the position of a turn in points, aligned with the slider's handle."""
        last = max(1, (len(self._film) if self._film else 1) - 1)
        return self._left + turn * (self._right - self._left) / last

    def turn_at(self, x: float) -> int:
        """Return the turn nearest to a position, preferring a guess within a few points."""
        if self._film is None:
            return 0
        near = min(self._risks, key=lambda turn: abs(self.x_of(turn) - x), default=None)
        if near is not None and abs(self.x_of(near) - x) <= 4:
            return near
        last = len(self._film) - 1
        share = (x - self._left) / max(1.0, self._right - self._left)
        return min(max(round(share * last), 0), last)

    def paintEvent(self, _event: QPaintEvent | None) -> None:
        """Paint the line, the guesses, the end, and the current turn."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = self._height_of(0.0)
        painter.setPen(QPen(QColor(current_theme().border), 1))
        painter.drawLine(QPointF(self._left, ground), QPointF(self._right, ground))
        if self._film is None:
            return
        self._paint_chances(painter, ground)
        for turn, risk in self._risks.items():
            height = _SIZE.least + (_SIZE.bar - _SIZE.least) * min(1.0, risk / 0.5)
            bar = QRectF(self.x_of(turn) - 2.5, ground - height, 5, height)
            painter.setPen(QPen(QColor(current_theme().text), 1))
            painter.setBrush(risk_color(risk))
            painter.drawRoundedRect(bar, 1, 1)
        self._paint_end(painter)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        x, top = round(self.x_of(self._at)), round(self._height_of(1.0))
        painter.drawLine(x, top, x, self.height())
        painter.end()

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Emit the clicked turn."""
        if event is not None and self._film is not None:
            self.chosen.emit(self.turn_at(event.position().x()))

    def event(self, event: QEvent | None) -> bool:
        """Show a tooltip for the turn under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            text = self.text_at(event.pos().x())
            tip = widgets.tip_text(f"{text}\n{_LEGEND}" if text else "")
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def text_at(self, x: float) -> str:
        """Return a description of the turn at a position."""
        if self._film is None:
            return ""
        turn = self.turn_at(x)
        risk = self._risks.get(turn)
        end = self._film.session.records[turn].status
        known = dict(self._chances)
        if risk is not None:
            around = ((turn, "before"), (turn + 1, "after"))
            wins = [f"{percent(known[at])} {when}" for at, when in around if at in known]
            chance = f". Chance to win: {', '.join(wins)}" if wins else ""
            return f"Turn {turn}: a guess, {percent(risk, 1)} risk{chance}"
        chance = f". Chance to win: {percent(known[turn])}" if turn in known else ""
        return f"Turn {turn}: {end.value}" if end.over else f"Turn {turn}{chance}"

    def _paint_chances(self, painter: QPainter, ground: float) -> None:
        """Paint the chance to win as an area: the full height is a certain win."""
        if not self._chances:
            return
        line = [QPointF(self.x_of(turn), self._height_of(chance)) for turn, chance in self._chances]
        color = QColor(current_theme().accent)
        metrics, right = self.fontMetrics(), Qt.AlignmentFlag.AlignRight
        height = metrics.height()
        for chance in () if self._folded else (1.0, 0.5, 0.0):
            y = self._height_of(chance)
            painter.setPen(QPen(QColor(current_theme().border), 1))
            painter.drawLine(QPointF(self._left, y), QPointF(self._right, y))
            painter.setPen(QColor(current_theme().muted))
            label = QRectF(0, y - height / 2, LABELS, height)
            painter.drawText(label, right | Qt.AlignmentFlag.AlignVCenter, f"{percent(chance)}")
        caption = QRectF(self._left, 0, self._right - self._left, height)
        elided = metrics.elidedText(_CAPTION, Qt.TextElideMode.ElideRight, int(caption.width()))
        if not self._folded:
            painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, elided)
        painter.setPen(QPen(color, 1.5))
        painter.drawPolyline(QPolygonF(line))
        color.setAlphaF(0.15)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        ends = [QPointF(line[-1].x(), ground), QPointF(line[0].x(), ground)]
        painter.drawPolygon(QPolygonF([*line, *ends]))

    def _height_of(self, chance: float) -> float:
        """Return the vertical position of a chance to win in points, below the caption."""
        line = self.fontMetrics().height()
        top, ground = 1.5 * line + 2, self.height() - line / 2 - 1
        if self._folded:
            top, ground = 3.0, self.height() - 2.0
        return ground - chance * (ground - top)

    @property
    def _left(self) -> float:
        """The position of turn 0 in points, right of the labels."""
        return LABELS + self._inset

    @property
    def _right(self) -> float:
        """The position of the last turn in points."""
        return self.width() - self._inset

    @property
    def _inset(self) -> float:
        style = self.style()
        metric = QStyle.PixelMetric.PM_SliderLength
        return style.pixelMetric(metric, None, self) / 2 if style is not None else 0.0

    def _paint_end(self, painter: QPainter) -> None:
        """Paint a cross for a loss, a dot for a win."""
        if self._film is None or self._film.end not in (Status.WON, Status.LOST):
            return
        last = len(self._film) - 1
        x, y = self.x_of(last), self._height_of(dict(self._chances).get(last, 0.5))
        won = self._film.end is Status.WON
        color = QColor(current_theme().accent if won else current_theme().danger)
        painter.setPen(QPen(color, 2.5, cap=Qt.PenCapStyle.RoundCap))
        painter.setBrush(color)
        if won:
            painter.drawEllipse(QRectF(x - 3, y - 3, 6, 6))
            return
        for sign in (-1, 1):
            painter.drawLine(QPointF(x - 4, y - 4 * sign), QPointF(x + 4, y + 4 * sign))


class Side(QWidget):
    """The guesses with their ratings, and the turn's details.

    Signals:
        chosen(int): The turn of a guess is to be shown.
        chances_changed(list): The known chances to win as (turn, chance), in their order.
    """

    chosen = pyqtSignal(int)
    chances_changed = pyqtSignal(object)

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._film: Film | None = None
        self._shown = 0
        self.next = {
            "guess": widgets.KeyedButton("Next &guess", "Show the next guess", KEYS["guess"]),
            "mistake": widgets.KeyedButton(
                "Next &mistake",
                "Show the next guess that was not needed, or that another cell was better than",
                KEYS["mistake"],
            ),
        }
        self._tips = {name: button.toolTip() for name, button in self.next.items()}
        self.riskiest = QCheckBox("Riskiest first")
        widgets.name_control(
            self.riskiest, "Riskiest first", "Sort the guesses by risk, else by turn"
        )
        self.judge = Judge(jobs, self)
        self.view, self.details = QListWidget(), Details()
        # The side is narrow: most reasons of three lines do not move the cards below, either.
        self.details.reason.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        # The state at the current turn.
        self.details.show_state(State.PLAYING)
        self.verdict, self.count = CellLabel("Rating of this guess"), widgets.plain_label("Guesses")
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.count.setProperty("muted", True)
        widgets.name_control(
            self.view, "Guesses of this game", "A click shows the turn of the guess"
        )
        self.view.setMinimumHeight(_SIZE.least_list)
        self.view.setWordWrap(True)
        self.view.setResizeMode(QListWidget.ResizeMode.Adjust)
        heading = QLabel("Guesses")
        heading.setProperty("heading", True)
        card = QFrame()
        card.setProperty("card", True)
        margins = (SPACE + 2, SPACE, SPACE + 2, SPACE)
        card.setToolTip(widgets.tip_text(GUESSES))
        parts = (heading, self.verdict, widgets.lay_row((self.count, 1), self.riskiest))
        jumps = widgets.Flow(*self.next.values())
        widgets.lay_column(*parts, (self.view, 1), jumps, on=card, margins=margins, gap=4)
        widgets.lay_column((card, 1), self.details, on=self)
        self.riskiest.toggled.connect(self._fill)
        self.view.itemClicked.connect(self._choose)
        self.view.itemActivated.connect(self._choose)
        self.judge.judged.connect(self._show_verdict)
        self.judge.valued.connect(self._show_chances)
        for name, button in self.next.items():
            button.clicked.connect(lambda _checked, name=name: self._jump(name))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Keep room for the ratings at another width."""
        super().resizeEvent(event)
        self._keep_room()

    def _keep_room(self) -> None:
        """Keep room for the longest rating, so that the cards below stay where they are."""
        film = self._film
        texts = ["\n".join(as_text(one)) for one in self.judge.verdicts.values()]
        texts += [_TYPICAL] if film is not None and film.guesses() else []
        room, wraps = QRect(0, 0, self.verdict.width(), widgets.ANY_SIZE), Qt.TextFlag.TextWordWrap
        metrics = self.verdict.fontMetrics()
        heights = (metrics.boundingRect(room, wraps, text).height() for text in texts)
        self.verdict.setMinimumHeight(max(heights, default=0))

    def open(self, film: Film | None) -> None:
        """Load another session or none, cancelling the current rating."""
        self._film = film
        self.judge.open(film)
        self._keep_room()
        self._fill()
        self._update_count()
        self._update_next()

    def _fill(self) -> None:
        """List the guesses in their order."""
        self.view.clear()
        film = self._film
        if film is None:
            return
        moves = [(turn, move) for turn in film.guesses() if (move := film.guess(turn))]
        if self.riskiest.isChecked():
            moves.sort(key=lambda guess: -guess[1].risk)
        for turn, move in moves:
            item = QListWidgetItem(self.view)
            item.setData(_TURN_ROLE, turn)
            item.setData(Qt.ItemDataRole.DecorationRole, risk_color(move.risk))
            self._describe(item, film)
        self._show_guess()

    def show_turn(self, index: int) -> None:
        """Show a turn's details, and rate its guess next."""
        self._shown = index
        turn = self._film.turns[index] if self._film else None
        if turn is None or self._film is None:
            self.details.clear()
            self.details.reason.setText("")
        else:
            self.details.show_turn(turn, self._film.tallies[index], self._film.advice(index))
        self.judge.prefer(index)
        self._show_guess()
        self._update_next()

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_TURN_ROLE))

    def _show_verdict(self, verdict: Verdict) -> None:
        self._keep_room()
        item = self._item(verdict.turn)
        if item is not None and self._film is not None:
            self._describe(item, self._film)
        self._update_count()
        self._update_next()
        if verdict.turn == self._shown:
            self._show_guess()

    def _turn_after(self, name: str) -> int | None:
        """Return the next turn with a guess, or with a mistake as far as they are rated."""
        verdicts = self.judge.verdicts
        turns: Iterable[int] = self._film.guesses() if self._film is not None else ()
        if name == "mistake":
            turns = (turn for turn, verdict in verdicts.items() if verdict.mistake)
        return min((turn for turn in turns if turn > self._shown), default=None)

    def _jump(self, name: str) -> None:
        turn = self._turn_after(name)
        if turn is not None:
            self.chosen.emit(turn)

    def _update_next(self) -> None:
        film = self._film
        rated = film is None or len(self.judge.verdicts) == len(film.guesses())
        for name, button in self.next.items():
            follows = self._turn_after(name) is not None
            why = f"No {name} follows this turn"
            if name == "mistake" and not rated:
                why = "No mistake is known after this turn; some guesses are still being rated"
            if not follows and button.hasFocus():
                # Qt would give the focus of a disabled button to the navigation.
                self.view.setFocus()
            button.setEnabled(follows)
            button.setToolTip(self._tips[name] if follows else widgets.tip_text(why))
            button.setAccessibleDescription("" if follows else why)
        self._show_chances()

    def _show_chances(self) -> None:
        if self._film is not None:
            self.chances_changed.emit(sorted(self.judge.chances.items()))

    def _item(self, turn: int) -> QListWidgetItem | None:
        """Return the item of a turn's guess, or None."""
        items = (self.view.item(row) for row in range(self.view.count()))
        return next((item for item in items if item and item.data(_TURN_ROLE) == turn), None)

    def _describe(self, item: QListWidgetItem, film: Film) -> None:
        """Set the texts of a guess, rated or not."""
        turn = item.data(_TURN_ROLE)
        verdict = self.judge.verdicts.get(turn)
        text = _summary(film, turn, verdict)
        lines = as_text(verdict) if verdict else ["Being rated."]
        item.setText(text)
        item.setToolTip(widgets.tip_text("\n".join((text, *lines))))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, item.toolTip())

    def _update_count(self) -> None:
        count, rated = self.view.count(), len(self.judge.verdicts)
        if not count:
            self.count.setText("No guesses in this game.")
        elif rated < count:
            self.count.setText(f"Rated {rated} of {count} \N{HORIZONTAL ELLIPSIS}")
        else:
            self.count.setText(f"{count} guess{'' if count == 1 else 'es'}")

    def _show_guess(self) -> None:
        item = self._item(self._shown)
        if item is None:
            self.verdict.setText("No guess at this turn.")
            self.view.setCurrentItem(None)
            self.view.clearSelection()
            return
        verdict = self.judge.verdicts.get(self._shown)
        rating = "This guess is being rated \N{HORIZONTAL ELLIPSIS}"
        self.verdict.setText("\n".join(as_text(verdict)) if verdict else rating)
        self.view.setCurrentItem(item)
        self.view.scrollToItem(item)


def _summary(film: Film, turn: int, verdict: Verdict | None) -> str:
    """Return a guess as text: where, its risk, and its effect on the win chance."""
    move = film.guess(turn)
    if move is None:
        return ""
    text = f"Turn {turn}: {percent(move.risk, 1)} risk"
    rating = verdict.rating if verdict else None
    if rating is None or verdict is None:
        return text
    if rating.needless:
        return f"{text}, not needed"
    after = verdict.after.value if verdict.after else None
    chances = {"before": rating.chance_before, "with it": rating.chance_with, "after": after}
    known = [f"{percent(chance)} {when}" for when, chance in chances.items() if chance is not None]
    wins = "wins" if rating.exact else "wins about"
    return f"{text}\n{wins} {', '.join(known)}" if known else text
