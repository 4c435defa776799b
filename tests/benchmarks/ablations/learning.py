"""What the rules of `vision.learning` are worth: `python -m tests.benchmarks.ablation learning`.

Boards of unknown programs are read from the first picture on, once without answers and once as in
a game (conclude what a board at rest shows, then ask): recorded games of real programs, the same
with changed pixels or something lying over them, made-up skins (seeds below 4000, which are for
tuning), squares that are no boards, and recordings of generated programs. The last are made by

    for n in 0 1 8 11 12 13 16 24 31 42 47 54 61 68; do
        python -m tests.benchmarks.unknown --part rest --only $n --games 2 --keep build/family \
            --style "$([ $((n % 2)) = 0 ] && echo flags || echo 'no flags')"
    done

None of them is held out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bot.board import EXPLODED, UNREAD, Board
from bot.frame import Frame, Grid, Region
from gui.looks import LOOKS
from tests.benchmarks.ablation import Rule, edited
from tests.benchmarks.learning import made_up_game
from tests.support.boards import SESSIONS
from tests.support.family.options import combinations, held_out
from tests.support.perturbed import perturb
from tests.vision.learning.test_learning import FRESH, ONE_RING, SIGNS, look_alikes, signs
from vision.learning.button import buttons_near, face_at
from vision.learning.learner import Learner
from vision.learning.learning_reader import LearningReader
from vision.learning.questions import AnswerRefused
from vision.sessions import load_session
from vision.skins import Face, SkinLibrary
from vision.tracking.cells import Cells

FAMILY: Final = Path(__file__).parents[3] / "build" / "family"
MADE_UP: Final = range(3000, 3014)
PERTURBED: Final = ("winemine-intermediate-lost", "sgt-mines-beginner-won", "winemine-marks",
                    "xdemineur-beginner-won")  # fmt: skip
CHANGES: Final = (("noise", 2), ("scale", 1.25), ("scale", 1.5), ("blur", 0.5), ("dim", 0.6))
SOME: Final = (("winemine-intermediate-lost", "jpeg", 85), ("sgt-mines-beginner-won", "jpeg", 85),
               ("xdemineur-beginner-won", "jpeg", 85),
               ("winemine-intermediate-lost", "together", 0.5),
               ("sgt-mines-beginner-won", "tooltip", 1.0),
               ("xdemineur-beginner-won", "tooltip", 1.0))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Look:
    """A picture of a board, and what it shows."""

    frame: Frame
    grid: Grid
    truth: NDArray[np.int8]
    """UNREAD where unknown."""
    mines: int | None = None


def _read(looks: Iterable[Look], group: str, figures: Counter[str]) -> None:
    """Count what a new learner makes of a program's boards, and what it asks, board after board."""
    reader: LearningReader | None = None
    for look in looks:
        grid = look.grid
        if reader is None:
            size = round(grid.pitch_x * grid.scale), round(grid.pitch_y * grid.scale)
            reader = LearningReader(grid, Learner("learned", size))
        reader = reader if reader.grid == grid else reader.at(grid)
        reader.mines = look.mines
        reader.see(look.frame)
        _count(reader, look, f"{group}, seen", figures)
        if reader.questions and reader.conclude():
            _count(reader, look, f"{group}, concluded", figures)
        left_open = set()
        while questions := [one for one in reader.questions if one.cells not in left_open]:
            state = int(look.truth[questions[0].cells[0]])
            if state == UNREAD:
                left_open.add(questions[0].cells)
                continue
            figures[f"{group}, questions"] += 1
            try:
                reader.answer(questions[0], state)
            except AnswerRefused:
                figures[f"{group}, refused"] += 1
                left_open.add(questions[0].cells)


def _count(reader: LearningReader, look: Look, group: str, figures: Counter[str]) -> None:
    known = look.truth != UNREAD
    read, truth = reader.codes[known], look.truth[known]
    figures[f"{group}, right"] += int((read == truth).sum())
    figures[f"{group}, wrong"] += int(((read != truth) & (read != UNREAD)).sum())


@cache
def _real() -> dict[str, tuple[Look, ...]]:
    """The recorded games of real programs, without the longest."""
    games = {}
    for file in sorted(SESSIONS.glob("*/session.json")):
        session = load_session(file.parent)
        if session.info.skin not in LOOKS and "expert" not in file.parent.name:
            games[file.parent.name] = tuple(
                Look(turn.reading.frame, turn.reading.grid, turn.reading.board.tiles)
                for turn in session.turns()
            )
    return games


@cache
def _changed() -> tuple[tuple[Look, ...], ...]:
    """Some of them with other pixels, or with something over their cells."""
    return tuple(
        tuple(_perturbed(look, kind, strength, at) for at, look in enumerate(_real()[name]))
        for name, kind, strength in (
            *((name, *change) for name in PERTURBED for change in CHANGES),
            *SOME,
        )
    )


def _perturbed(look: Look, kind: str, strength: float, seed: int) -> Look:
    region = look.frame.region
    grid = look.grid.moved(-region.left, -region.top)
    # What moves lies elsewhere in each picture; what changes colours changes all of them alike.
    seed = seed if kind in ("tooltip", "noise") else 0
    changed = perturb(look.frame.image, grid, kind, strength, seed)
    truth = np.where(changed.foreign, np.int8(UNREAD), look.truth)
    return Look(changed.frame, changed.grid, truth)


@cache
def _made_up() -> tuple[tuple[Look, ...], ...]:
    return tuple(tuple(_framed(game) for game in made_up_game(seed)) for seed in MADE_UP)


def _framed(look: tuple[NDArray[np.uint8], Board]) -> Look:
    """Put the tiles of a board into a picture."""
    tiles, board = look
    count, height, width, _ = tiles.shape
    rows, cols = board.rows, board.cols
    image = np.ascontiguousarray(
        tiles.reshape(rows, cols, height, width, 3).swapaxes(1, 2).reshape(rows * height, -1, 3)
    )
    assert count == rows * cols
    frame = Frame(image, Region(0, 0, cols * width, rows * height))
    return Look(frame, Grid(0, 0, width, height, rows, cols), board.tiles)


def _reported(folder: Path, event: str) -> list[dict[str, Any]]:
    """Return what a generated program has reported; some print other lines, too."""
    lines = (folder / "truth.txt").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    return [one for one in events if one["event"] == event]


@cache
def _family() -> dict[str, tuple[Look, ...]]:
    """The games of generated programs, the same program's in one row."""
    programs = combinations()
    found = {}
    for folder in sorted(FAMILY.glob("[0-9]*"), key=lambda one: int(one.name)):
        options = programs[int(folder.name)]
        if held_out(options):
            continue
        boards = _reported(folder, "board")
        looks = []
        for session in sorted((folder / "sessions").iterdir()):
            for turn in load_session(session).turns():
                reading = turn.reading
                before = [one for one in boards if one["time"] <= reading.frame.time]
                truth = [Board.parse("\n".join(one["rows"]), 0).tiles for one in before[-1:]]
                # The picture may be older than what was reported last.
                late = [Board.parse("\n".join(one["rows"]), 0).tiles for one in before[:-1]
                        if one["time"] > reading.frame.time - 0.3]  # fmt: skip
                if not truth or truth[0].shape != reading.board.tiles.shape:
                    continue
                same = np.all([other == truth[0] for other in (*late, truth[0])], axis=0)
                # Most programs draw the mine that was hit in a way of its own.
                same &= (truth[0] != EXPLODED) | (options.marks == "hit")
                shown = np.where(same, truth[0], np.int8(UNREAD))
                looks.append(Look(reading.frame, reading.grid, shown, options.size[2]))
        found[folder.name] = tuple(looks)
    if not found:
        raise SystemExit(f"no recordings in {FAMILY}: {__doc__}")
    return found


@cache
def _alike() -> tuple[Look, ...]:
    """Squares that are no boards."""
    looks = []
    for _, tiles, rows, cols in look_alikes():
        board = Board(np.full((rows, cols), UNREAD, np.int8), 0)
        looks.append(_framed((tiles, board)))
    return tuple(looks)


@cache
def _signs() -> tuple[tuple[Look, ...], ...]:
    """Boards whose hints are no digits."""
    games = (FRESH, SIGNS), (FRESH, ONE_RING, ONE_RING)
    return tuple(tuple(_framed((signs(one), one)) for one in game) for game in games)


def _buttons(figures: Counter[str]) -> None:
    """Look for the button that starts the next game near recorded boards."""
    programs, skins = combinations(), {skin.name: skin for skin in SkinLibrary().skins()}
    for name, looks in _real().items():
        skin = skins[load_session(SESSIONS / name).info.skin]
        _tried(looks[0], skin.restart.face, figures, own_bars=False)
    for name, looks in _family().items():
        options = programs[int(name)]
        ready = _reported(FAMILY / name, "ready")[0]
        face = None
        if ready["button"]:
            grid = looks[0].grid
            x, y = (
                grid_at + (at - board) * pitch / ready["cell"]
                for grid_at, at, board, pitch in zip(
                    (grid.left, grid.top), ready["button"], ready["board"],
                    (grid.pitch_x, grid.pitch_y), strict=True,
                )
            )  # fmt: skip
            face = face_at(Region(round(x) - 1, round(y) - 1, 2, 2), grid)
        for look in (looks[0], looks[-1]):
            _tried(look, face, figures, own_bars=options.toolkit == "html")


def _tried(look: Look, face: Face | None, figures: Counter[str], *, own_bars: bool) -> None:
    buttons = buttons_near(look.frame, look.grid, own_bars=own_bars)
    figures["buttons, offered"] += len(buttons)
    for button in buttons:
        if button.likely:
            place, region = button.face.region(look.grid), face and face.region(look.grid)
            right = region is not None and place.contains(region.center)
            figures["buttons, tried " + ("rightly" if right else "wrongly")] += 1


def measure() -> dict[str, float]:
    """Return how many cells are read rightly and wrongly, and what is asked."""
    figures: Counter[str] = Counter()
    groups: dict[str, Iterable[tuple[Look, ...]]] = {
        "real": _real().values(), "family": _family().values(), "made up": _made_up(),
        "signs": _signs(), "changed": _changed(),
    }  # fmt: skip
    for group, games in groups.items():
        for looks in games:
            _read(looks, group, figures)
    for look in _alike():
        size = round(look.grid.pitch_x), round(look.grid.pitch_y)
        rows, cols = look.truth.shape
        result = Learner("learned", size).see(Cells(look.grid).tiles(look.frame), rows, cols)
        figures["no board, believed"] += result.believable
    _buttons(figures)
    return dict(figures)


def _module(name: str) -> str:
    return f"vision.learning.{name}"


def _value(target: str, neutral: Any, name: str = "") -> Rule:
    """Return a rule that is neutralised by another value."""
    return Rule(name or target.replace(":", " "), _module(target), neutral)


def _edit(target: str, old: str, new: str, name: str = "") -> Rule:
    """Return a rule within a function, neutralised by other source text."""
    return edited(name or f"{target.replace(':', ' ')}: {old}", _module(target), old, new)


def _nothing(*_: Any, **__: Any) -> float:
    return 0.0


def _no(*_: Any, **__: Any) -> bool:
    return False


RULES: Final = (
    # What a mark looks like.
    _value("evidence:_UNREAD_EACH", 0.0),
    _value("evidence:_UNREAD_LEAST", -1e3),
    _value("evidence:_CLEARLY", 0.0),
    _value("evidence:_USUALLY", 0.0),
    _value("evidence:_PERHAPS_FLAG", 0.0),
    _edit("evidence:appearance", "0.2 if clear else 1.0", "1.0", "evidence: clear digit"),
    _edit(
        "evidence:appearance",
        "np.log(question) - min(0.3 * (cells - 1), 4.0)",
        "np.log(question)",
        "evidence: many questions",
    ),
    _edit("evidence:appearance", " - 2.0 * min(cells - 1, 8)", "", "evidence: one exploded"),
    _edit("evidence:appearance", "1.0 * (cells == 1)", "0", "evidence: a single mine"),
    _edit("evidence:appearance", "max(misflag, _ANY_HAND)", "misflag"),
    _value("evidence:_BECAME", 0.0),
    _edit(
        "evidence:appearance",
        "scores[AT[COVERED]] = np.log(other) - 6.0",
        "pass",
        "evidence: marked covered cells",
    ),
    _edit(
        "evidence:appearance",
        "scores[AT[0]] = max(scores[AT[0]], np.log(other) - 6.0)",
        "pass",
        "evidence: marked empty cells",
    ),
    _edit(
        "evidence:appearance",
        "    if at_once:\n        scores[AT[COVERED]] += _NOT_COVERED\n",
        "",
        "evidence: no covered cells at once",
    ),
    _value("evidence:_BLIND", 0.0),
    _edit(
        "evidence:appearance",
        "_BLINDEST if past.massed else min(past.blind, _BLINDEST) * at_once",
        "min(past.blind, _BLINDEST) * at_once",
        "evidence: massed",
    ),
    # Its ground.
    _edit(
        "evidence:grounded",
        "if np.isinf(min(to_opened, to_covered)):",
        "if True:",
        "evidence: grounds",
    ),
    _edit(
        "evidence:grounded",
        "to_covered < _EXACT and to_opened > to_covered + _EXACT",
        "False",
        "evidence: exactly a covered ground",
    ),
    _edit(
        "evidence:grounded",
        "to_opened < _EXACT and to_covered > to_opened + _EXACT",
        "False",
        "evidence: exactly an opened ground",
    ),
    _edit(
        "evidence:grounded",
        "min(to_covered, to_opened) >= _EXACT",
        "False",
        "evidence: a ground of its own",
    ),
    _edit("evidence:grounded", "-1.0 if min(to_covered, to_opened) > _FOREIGN else -4.0", "-4.0"),
    _value("evidence:_NO_OTHER", -1e3),
    _edit("evidence:grounded", "added[AT[MINE]] = -0.5", "pass"),
    _value("evidence:beside_zero", lambda *_a, **_k: np.zeros(16)),
    _value("evidence:_PASSES", 0.0),
    _value("evidence:_MISLED", 1e-6),
    # Pairs of marks.
    _value("evidence:adds_to", _no),
    _value("evidence:with_addition", lambda scores, _cells: scores),
    _value("evidence:another_of", lambda scores: scores),
    _value("evidence:other_mark", _no),
    _edit("evidence:adds_to", "_MORE[0] < more.sum() / its.sum() < _MORE[1]", "True"),
    # label priors
    *(
        _value(f"labelling:{name}", 0.0)
        for name in (
            "_TWICE",
            "_TWO_SYMBOLS",
            "_AT_LOSS",
            "_ASKED_LATE",
            "_NOT_ALL",
            "_WRONG_FLAG",
            "_SPLIT",
            "_TWO_HIT",
            "_EXPLODED_UNSEEN",
            "_TWO_GROUNDS",
        )
    ),
    _value("labelling:_TWO_SHAPES", -4.0),
    _value("labelling:_HIT", -6.0),
    _value("labelling:_TURNED", {}),
    _value("labelling:_OTHERS_STAYED", {}),
    _value("labelling:_STAYED_MOST", 1),
    _value("labelling:_CLICKS", (8, 0.0, -3.0)),
    _edit(
        "labelling:LabelPriors._odd_mark",
        "odd += _TWICE * any(its == COVERED for _, its in others)",
        "pass",
        "label priors: a second covered look",
    ),
    _edit(
        "labelling:LabelPriors._flag_at_loss",
        "_TWICE * bool(self.puzzle.kin[kind, other])",
        "0",
        "label priors: a flag like the exploded mine",
    ),
    _edit("labelling:LabelPriors.together", "odd -= 6.0", "pass", "label priors: misflag alone"),
    _edit("labelling:LabelPriors.together", "odd -= 2.0", "pass", "label priors: exploded alone"),
    _edit(
        "labelling:LabelPriors._twice",
        "known |= puzzle.at_rest",
        "pass",
        "label priors: two shapes at rest",
    ),
    _edit(
        "labelling:LabelPriors._odd_mark",
        "its == code and not (self._replaced[kind, k] or self._replaced[k, kind])",
        "its == code",
        "label priors: replaced",
    ),
    _edit(
        "labelling:LabelPriors.together",
        "_EXPLODED_UNSEEN if not self._one_may_be_hit(labels) else _HIT",
        "_EXPLODED_UNSEEN",
        "label priors: one may be hit",
    ),
    # labelling
    _value("labelling:_DOMAIN", 40.0),
    _value("labelling:_Search.better", lambda *_: None, "labelling: better"),
    _edit(
        "labelling:_Descent.run",
        "if self.enough and self.found is None and self.spent > self.nodes:",
        "if False:",
        "labelling: not ruled out",
    ),
    # plausibility
    _value("labelling:plausible", lambda *_: True),
    _value("labelling:_flattened", _no),
    _value("labelling:_told_apart", lambda *_: True),
    _edit(
        "labelling:plausible",
        "return code != QUESTION or question >= _QUESTION or bool(puzzle.adds[kind].any())",
        "return True",
        "plausibility: question",
    ),
    _edit(
        "labelling:plausible",
        " or bool(puzzle.adds[kind].any())",
        "",
        "plausibility: question with additions",
    ),
    _value("labelling:_MARKS", 99),
    _value("labelling:_REVEALED_MARKS", 99),
    _value("labelling:_like_cells", lambda *_: True),
    _edit(
        "labelling:believable",
        "if not begun and (not puzzle.familiar or UNREAD in labels):",
        "if False:",
        "plausibility: begun",
    ),
    # posing
    _value("puzzle:equal_parts", lambda *_: 0),
    _edit("puzzle:pose", "if len(here) == 1:", "if False:", "posing: one kind is covered"),
    _value("puzzle:_not_twice", lambda *_: None),
    # propagation, recolouring, history
    _value("learner:Learner._spread", lambda *_a, **_k: None, "propagation"),
    _value("clustering:_RIMS", (0.14,)),
    _value("clustering:_SAME_AT_REST", 20.0),
    _value("clustering:_RIVALS", {}),
    _value("clustering:Propagation.hit", lambda *_: None),
    _value("learner:Learner._retint", lambda *_: None, "recolouring"),
    _value("clustering:retinted", lambda *_: ({}, {})),
    _value("clustering:redressed", lambda *_: {}),
    _value("learner:overlaid", _no, "history: overlaid"),
    # learner
    _value("learner:Learner._forgets", _no, "learner: forgets"),
    _value("learner:Learner.conclude", _no, "learner: conclude"),
    _value("learner:_ROUNDS", 1),
    _edit("learner:Learner._accept", "hints or code == COVERED", "True", "learner: no hints"),
    _value("learner:Learner.cut", lambda _self, cells, frame: cells.tiles(frame), "learner: cut"),
    # rules
    _edit("rules:impossible_zeros", "if (codes >= 0).all():", "if False:", "rules: all cells open"),
    _value("rules:feasible", lambda *_: True),
    # clustering
    _value("clustering:_SHADE", 20),
    _value("clustering:_MANY", 9999),
    _edit(
        "clustering:_Met.unlike",
        "if far < least:",
        "if True:",
        "clustering: moved by half a pixel",
    ),
    _value("clustering:_Met._rims_apart", lambda *_: 0),
    _edit("clustering:_Met._rims_apart", "1 if min(beyond.shape[:2]) >= SIDE else 0", "0"),
    # features
    _value("features:_textured", _no),
    _value("features:_bent", _nothing),
    _edit(
        "features:ground_of",
        "return whole if agree and np.abs(whole - corners).max() > _DRAWN else corners",
        "return corners",
        "features: dots in the corners",
    ),
    _edit(
        "features:_inside",
        "while first < length // 4 and lines[first]:",
        "while False:",
        "features: deep bevel, left and top",
    ),
    _edit("features:_commonest", "(0, 8)", "(0,)", "features: two rasters"),
    _edit(
        "features:_colours",
        "strong[(off > 60) | (along > 1.6)]",
        "strong[:0]",
        "features: second colour",
    ),
    # button
    *(
        _value(f"button:{name}", neutral)
        for name, neutral in (
            ("_counts", _no),
            ("_beside_number", _no),
            ("_centred", _no),
            ("_last_line", lambda _: 0),
            ("says_new_game", _no),
            ("_LETTER", 0.0),
            ("_FILLED", 0.0),
            ("_TRIED", 99),
            ("_GAP", 9.0),
            ("_HEADER", 0.0),
            ("_outermost", list),
            ("_LEAST", (0.0, 0.0)),
            ("_SQUARE", 1.1),
        )
    ),
    _edit(
        "button:buttons_near",
        "tried = centred if len(centred) == 1 and not own_bars else []",
        "tried = []",
        "button: below",
    ),
)
