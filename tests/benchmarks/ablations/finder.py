"""What each rule of `vision.finder` is worth.

Boards of known skins on full desktops and scaled, recorded frames as they are and changed, screens
without a board, skins never seen, programs of the family that are for tuning (painted with Qt),
and recorded boards of which a part is cut away. Seeds are others than those of the benchmarks.
"""

from __future__ import annotations

import importlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import UNREAD, Board
from bot.frame import Frame, Grid
from tests.benchmarks.ablation import Rule
from tests.benchmarks.arts import painted, played
from tests.support.boards import SESSIONS
from tests.support.family.options import combinations, held_out
from tests.support.glyphs import application
from tests.support.perturbed import COVERS, perturb
from tests.support.perturbed import KINDS as CHANGES
from tests.support.reading_sources import Source, recorded
from tests.vision.cropped import BEYOND, SCALES, Shot, cropped, crops_of, scaled, shots_of
from tests.vision.kinds import KINDS, Placed
from tests.vision.scenes import DATA, REAL, Image, desktop, put, real
from tests.vision.test_whole_screens import SCREENS, SHOTS, boards_of
from vision.capture import load_image
from vision.finder import survey
from vision.finder.cutoff import Extent
from vision.finder.outline import Outline, known
from vision.finder.placing import SIDES, Place, Side
from vision.finder.unknown_boards import find_unknown_boards
from vision.skins import Skin, SkinLibrary

SEED: Final = 4000
"""The benchmarks print others."""
SCENES: Final = 3
"""Screens of each kind of `tests.vision.kinds`."""
CUT: Final = (
    "flat-beginner-won",
    "gnome-mines-bgcolors-hand-1",
    "gnome-mines-default-hand-1",
    "kmines-classic-intermediate-won",
    "kmines-green-marks",
    "sgt-mines-intermediate-won",
    "winemine-intermediate-won",
    "xbomb-intermediate-won",
    "xdemineur-beginner-won",
)
"""Recorded sessions of which parts of a frame are shown."""


class Sized(NamedTuple):
    """A board of which only the size is known."""

    rows: int
    cols: int

    def is_at(self, grid: Grid) -> bool:
        """Return whether a grid has that size."""
        return (grid.rows, grid.cols) == self


@dataclass(frozen=True, eq=False)
class Case:
    """A picture, and the boards in it."""

    group: str
    image: Image
    boards: Sequence[Placed | Sized]
    """Where they are."""
    tiles: NDArray[np.int8] | None = None
    """What the only board shows, if tiles are counted."""
    without: str = ""
    """Skins whose names begin so are not known, if named; '*': no skin is."""
    unknown: bool = False
    """Whether boards of unknown skins are looked for as well."""
    part: bool = False
    """Whether only a part of the board is in the picture: it is to be refused, or asked about."""


def measure() -> dict[str, float]:
    """Return what becomes of all pictures."""
    total: Counter[str] = Counter()
    for case in cases():
        total.update(outcome(case))
    return {name: total[name] for name in sorted(total)}


def outcome(case: Case) -> Counter[str]:
    """Return what becomes of a picture."""
    count: Counter[str] = Counter()
    skins = tuple(
        skin for skin in bundled() if not case.without or not skin.name.startswith(case.without)
    )
    frame = Frame.of_image(case.image)
    sightings, remarks = survey(frame, () if case.without == "*" else skins)
    seen = [(one.grid, bool(one.unsure)) for one in sightings]
    if case.unknown:
        known = [one.grid for one in sightings]
        strangers, cut = find_unknown_boards(frame, known, remarks)
        # A fresh one is only offered where its window's title speaks for it.
        seen += [(one.grid, bool(one.unsure)) for one in strangers if case.boards or not one.fresh]
        remarks = remarks + cut
    if case.part:
        if not seen:
            count[f"{case.group}: refused"] += 1
        for grid, unsure in seen:
            whole = case.boards[0].is_at(grid)
            word = "whole" if whole else "asked" if unsure else "SMALLER"
            count[f"{case.group}: {word}"] += 1
        return count
    for board in case.boards:
        count[f"{case.group}: found"] += any(board.is_at(grid) for grid, _ in seen)
    for grid, unsure in seen:
        right = any(board.is_at(grid) for board in case.boards)
        count[f"{case.group}: {'doubted' if unsure else 'sure'}"] += right
        count[f"{case.group}: WRONG"] += not right
    if case.tiles is not None:
        for one in sightings:
            if one.tiles.shape == case.tiles.shape:
                unread = one.tiles == UNREAD
                count[f"{case.group}: unread"] += int(unread.sum())
                # What something foreign lies over may be read all the same.
                bad = (one.tiles != case.tiles) & ~unread & (case.tiles != UNREAD)
                count[f"{case.group}: MISREAD"] += int(bad.sum())
    return count


@lru_cache(maxsize=1)
def bundled() -> tuple[Skin, ...]:
    """Return the bundled skins."""
    return SkinLibrary().skins()


@lru_cache(maxsize=1)
def cases() -> list[Case]:
    """Return all pictures."""
    cv2.setNumThreads(1)
    application()
    return [
        *_recorded(),
        *_screens(),
        *_photographed(),
        *_scenes(),
        *_changed(),
        *_without_skin(),
        *_family(),
        *_cut(),
    ]


def _placed(source: Source, factor: float = 1.0, left: int = 0, top: int = 0) -> Placed:
    grid = source.grid
    width = grid.cols * grid.pitch_x + grid.wide_cols
    height = grid.rows * grid.pitch_y + grid.wide_rows
    at = grid.left * factor + left, grid.top * factor + top
    return Placed(*at, width * factor, height * factor, grid.rows, grid.cols)


@lru_cache(maxsize=1)
def _sources() -> list[Source]:
    """Return a middle and the last frame of each recorded session."""
    known = {skin.name: skin for skin in bundled()}
    by_session: dict[str, list[Source]] = {}
    for source in recorded(known, None):
        by_session.setdefault(source.name.partition("/")[0], []).append(source)
    return [
        some[number]
        for some in by_session.values()
        for number in dict.fromkeys((len(some) // 2, len(some) - 1))
    ]


def _recorded() -> Iterator[Case]:
    for source in _sources()[::2]:
        yield Case("recorded", source.image, [_placed(source)], source.tiles)


def _screens() -> Iterator[Case]:
    for shot in SHOTS:
        boards = [Sized(*Board.parse(text, 1).tiles.shape) for _, text in boards_of(shot)]
        yield Case("screens", load_image(SCREENS / f"{shot}.png").image, boards)


def _photographed() -> Iterator[Case]:
    """Yield real programs as they are, scaled, and through a poor connection."""
    noise = np.random.default_rng(SEED)
    for name in REAL:
        image, board = real(name)
        boards = [Sized(board.rows, board.cols)]
        yield Case("real", image, boards, board.tiles)
        yield Case("real, skin unknown", image, boards, without=name, unknown=True)
        full = desktop(np.random.default_rng(12))
        put(full, image, 520, 290)
        for factor in (0.8, 1.25, 1.5, 2.0):
            yield Case("real", scaled(image, factor), boards, board.tiles)
        for changed in (
            cv2.imdecode(cv2.imencode(".jpg", full, [cv2.IMWRITE_JPEG_QUALITY, 75])[1], 1),
            (full + noise.normal(0, 4, full.shape)).round().clip(0, 255),
            255 * (full / 255) ** 1.25,
            cv2.resize(full, None, fx=0.8, fy=0.8),
        ):
            yield Case("real", np.asarray(changed, np.uint8), boards, board.tiles)
    for size in (19, 25, 31):
        image = load_image(DATA / f"sgt-mines-fresh-{size}.png").image
        yield Case("real", image, [Sized(9, 9)])
    won = Board.parse((DATA / "gnome-mines-won" / "board.txt").read_text("utf-8"), 40)
    for window in ("596x566", "1002x951"):
        image = load_image(DATA / "gnome-mines-won" / f"{window}.png").image
        yield Case("real", image, [Sized(won.rows, won.cols)], won.tiles)
    for window in ("780x700", "770x700"):
        image = load_image(DATA / "gnome-mines-small" / f"{window}.png").image
        yield Case("part", image, [Sized(16, 30)], part=True)


def _scenes() -> Iterator[Case]:
    for kind in KINDS:
        for seed in range(SEED, SEED + SCENES):
            rng = np.random.default_rng([zlib.crc32(kind.name.encode()), seed])
            image, boards = kind.screen(rng, bundled())
            yield Case(kind.name.partition(",")[0], image, boards, unknown=not kind.known)


def _changed() -> Iterator[Case]:
    """Yield recorded frames, each changed in one way."""
    changes = [
        (name, strength)
        for name, kind in (CHANGES | COVERS).items()
        for strength in kind.strengths
        if name in COVERS or kind.band is None or kind.within(strength)
    ]
    for number, source in enumerate(_sources()[1::2]):
        name, strength = changes[number * 7 % len(changes)]
        changed = perturb(source.image, source.grid, name, strength, SEED)
        tiles = np.where(changed.foreign, np.int8(UNREAD), source.tiles)
        board = _placed(source, changed.grid.scale)
        yield Case("changed", changed.image, [board], tiles)


def _without_skin() -> Iterator[Case]:
    """Yield recorded boards, on a full desktop, that no known skin is of."""
    for number, source in enumerate(_sources()):
        if number % 10 == 1:
            image = desktop(np.random.default_rng(SEED + number), 1920, 1080)
            put(image, source.image, 300, 100)
            family = source.skin.name.partition("-")[0]
            board = _placed(source, 1, 300, 100)
            yield Case("recorded, skin unknown", image, [board], without=family, unknown=True)


def _family() -> Iterator[Case]:
    for number, options in enumerate(one for one in combinations() if not held_out(one)):
        shown = played(replace(options, fade=0), ("half", "opened", "lost", "covered")[number % 4])
        scale, board = options.scale, shown.board
        sides = (side * scale for side in (board.left, board.top, board.width, board.height))
        place = Placed(*sides, *options.size[:2])
        yield Case("family", painted(shown, scale), [place], unknown=True)


def _cut() -> Iterator[Case]:
    for number, name in enumerate(CUT):
        shot = next(shots_of(SESSIONS / name, (0,)))
        whole = [Sized(shot.grid.rows, shot.grid.cols)]
        for beyond in BEYOND:
            for crop in list(crops_of(shot, beyond))[number % 3 :: 3]:
                yield Case("part", crop.image, whole, part=True)
        yield Case("whole", shot.image, whole)
        for side in SIDES:
            for share in (0.3, 0.7):
                yield Case("part of a cell", _amid(shot, side, share), whole, part=True)
        for place, factor in enumerate(SCALES):
            yield Case("whole", scaled(shot.image, factor), whole)
            image = scaled(cropped(shot, SIDES[(number + place) % 4], 2, "picture"), factor)
            yield Case("part", image, whole, part=True)
        image = cropped(shot, SIDES[number % 4], 3, "page")
        family = name.partition("-")[0]
        yield Case("part, skin unknown", image, whole, without=family, unknown=True, part=True)


def _amid(shot: Shot, side: Side, share: float) -> Image:
    """Return a picture of which two lines of cells and a part of a third are painted over."""
    image = shot.image.copy()
    edge, inner = shot.edge(side, 2), shot.edge(side, 3)
    at = round(edge + share * (inner - edge))
    hidden = {
        "top": np.s_[:at],
        "bottom": np.s_[at:],
        "left": np.s_[:, :at],
        "right": np.s_[:, at:],
    }
    image[hidden[side]] = 60
    return image


def _rules(module: str, **neutral: object) -> list[Rule]:
    """Return a rule for each name of a module: what takes its place."""
    return [Rule(f"{module} {name}", f"vision.finder{module and '.' + module}:{name}", value)
            for name, value in neutral.items()]  # fmt: skip


def _fields(module: str, limits: str, what: str = "", **neutral: object) -> list[Rule]:
    """Return a rule for each field of a module's limits: what takes its place, said in words."""
    path = f"vision.finder.{module}"
    now = getattr(importlib.import_module(path), limits)
    return [
        Rule(f"{module} {limits}.{name}{what and ': ' + what}", f"{path}:{limits}",
             replace(now, **{name: value}))
        for name, value in neutral.items()
    ]  # fmt: skip


def _always(value: object) -> Callable[..., object]:
    """Return a function that returns a value, whatever it is asked."""
    return lambda *_, **__: value


def _first(value: object, *_: object, **__: object) -> object:
    return value


def _second(_: object, value: object, *__: object) -> object:
    return value


def _own_place(_: Image, outline: Outline, __: object) -> Place:
    return outline.place


RULES: Final[list[Rule]] = [
    *_rules(
        "",
        _MAX_LATTICES=1 << 20,
        _MOST=0.0,
        _POLISHES=0,
        _hatched=_always(False),
        _SMALL=0.0,
        _ended=_always(True),
        _HARDLY=0.0,
        _EXACT=0.0,
        _textured=_always([]),
        find_large_lattices=_always([]),
        native_fits=_always([]),
        faces_beyond=_always(None),
        goes_on=_always(False),
        MAX_SIDE=1 << 20,
        extent_of=_always(Extent()),
    ),
    Rule("ways: without blur 3", "vision.finder:_WAYS", (0, 5, "large", "textured")),
    Rule("ways: without blur 5", "vision.finder:_WAYS", (0, 3, "large", "textured")),
    Rule("ways: without any blur", "vision.finder:_WAYS", (0, "large", "textured")),
    Rule("ways: unblurred only", "vision.finder:_WAYS", (0,)),
    Rule("ways: unknown, no blur", "vision.finder.unknown_boards:BLURS", {0: 5}),
    Rule("ways: unknown, no blur 3", "vision.finder.unknown_boards:BLURS", {0: 5, 5: 3}),
    Rule("ways: unknown, no blur 5", "vision.finder.unknown_boards:BLURS", {0: 5, 3: 6}),
    Rule("Lattice.repeats", "vision.finder.lattice:Lattice.repeats", _always(False)),
    *_rules("growing", _like_own=lambda near, *_: np.ones(len(near), np.bool_)),
    *_fields(
        "growing",
        "_END",
        less_alike=0.0,
        alike=-1.0,
        begun=1,
        roughly=0.9,
        own=64,
        farther=inf,
        near=0.0,
        little=inf,
        sliver=1.0,
    ),
    *_rules("placing", MARGIN=0.5),
    *_fields(
        "placing",
        "_LIKELY",
        colour=inf,
        farther=inf,
        apart=0.0,
        structure=0.0,
        inner=0.0,
        probes=1,
        likest=1,
        faces=3,
    ),
    *_rules(
        "lattice", regular=lambda steps, _: np.zeros(len(steps), np.bool_), fit_wide=_always(None)
    ),
    *_fields("lattice", "_COMB", uneven=0.0, straight=0.0, stray=inf, whole=0.0),
    *_rules("lattice", _completed=_first, _bent=_first, OBLONG=inf),
    *_fields("lattice", "_LATTICE", aside=0.5, large=0.0, more=inf, same=(0.0, 0.0)),
    *_rules("lattice", _FILLED=0.0, _CROWDED=inf),
    *_rules(
        "growing",
        _spotted=_always(False),
        _believable=_always(True),
        _numbered=_always(False),
        polished=_second,
    ),
    *_fields(
        "growing",
        "_BOARD",
        seen=0.0,
        standard=16,
        empty=1.0,
        idle=1.0,
        spotted=inf,
    ),
    Rule("growing begun: some part", "vision.finder.growing:begun", _always(False)),
    Rule("READ", "vision.finder.growing:READ", 0.0),
    *_rules("growing", _simplest=_second, _best_move=_always(0.0), _MOVES=(0.0, -1.0, 1.0)),
    *_rules("growing", _NEARLY_WHOLE=0.0, _SIMPLER=inf, _AS_WELL=0.0),
    *_rules("placing", faceless=_always(True)),
    *_rules("placing", THE_ONE=0.0, SAMPLES=4, _bottom=_always(0.0)),
    *_rules("placing", _ANOTHER=inf, _CENTRAL=1.0, _HOPELESS=inf, _RIVAL=0.0, _MAX_SKINS=1),
    *_rules("resemblance", LARGEST=1000, ALIKE=inf, _SPOTTED=inf, _DARK=1e-09, _softened=_first),
    *_fields("texture", "_TEXTURE", stands_out=0.0, places=1, far=(), near=(0,)),
    *_fields("texture", "_TEXTURE", far=(2,), what="two lines"),
    *_rules(
        "outline",
        _edged=_always(True),
        _moved=_own_place,
        _kin=_always(False),
        _cut_off=_always(False),
        like_a_game=_always(True),
    ),
    *_fields(
        "outline",
        "_OUTLINE",
        max_lattices=1 << 20,
        shaped=-1.0,
        line=0.8,
        sliver=1.0,
        same_phase=0.5,
        edged=(0.0, 0.5),
    ),
    *_rules(
        "outline",
        _chess=_always(False),
        _patchwork=_always(False),
        _aside=_always(False),
        KINDS=100,
    ),
    *_rules("outline", of_few_kinds=_always(True)),
    *_fields("outline", "_GAME", few=1.0, single=0, usual=0.0),
    *_fields("outline", "_CLUSTER", rounding=0.0, outer=20.0, inner=36.0, strength=-inf, flat=0.0),
    Rule("outline shaped", "vision.finder.outline:shaped", known),
    *_rules(
        "cutoff",
        _short_of_mines=_always(None),
        _counted_mines=_always(set()),
        _frame_at=_always(False),
        _past=_always(inf),
        _WITNESSES={side: tuple(one for one in SIDES if one != side) for side in SIDES},
    ),
    *_fields(
        "cutoff", "_CUT", step=1.0, before=0.0, almost=(0.0, 0.0, 0.0), all=1.0, along=1.0, short=1
    ),
    *_rules("unknown_boards", _is_part=_always(False)),
]
