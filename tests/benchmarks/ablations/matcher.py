"""What each rule of `vision.matcher` is worth.

Boards of each skin's pictures as captures, remote desktops, other windows and scaling change them;
fresh boards in other light; recorded frames of real programs, also dimmed, followed from one to
the next, scaled as browsers do, and read with the skins of other programs; skins never seen; and
tiles that are none. Seeds are others than those of the benchmarks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD
from bot.frame import Frame, Grid, Region
from tests.benchmarks.ablation import Rule, edited
from tests.benchmarks.scales import METHODS, scaled
from tests.support.boards import SESSIONS
from tests.support.perturbed import Perturbed, perturb
from tests.support.reading_sources import Source, put_together, recorded
from tests.support.strange import Strange
from vision.matcher import Matcher, Tiles
from vision.matcher.colour_correction import _BEGINNINGS
from vision.matcher.decision import LIMITS, SCALED
from vision.matcher.scaling import WAYS
from vision.sessions import load_session
from vision.skins import Skin, SkinFile, SkinLibrary, make_skin
from vision.tracking.tile_reader import Tracker, believable

SEED: Final = 5200
CHANGES: Final = (
    ("jpeg", 90), ("jpeg", 75), ("jpeg", 45), ("noise", 2), ("noise", 4), ("noise", 16),
    ("gamma", 0.8), ("gamma", 1.25), ("gamma", 2.0), ("gamma", 0.5),
    ("dim", 0.8), ("dim", 0.6), ("dim", 0.4), ("dim", 0.2), ("veil", 0.2), ("veil", 0.4),
    ("brightness", -40), ("brightness", 40), ("contrast", 0.7), ("contrast", 1.4),
    ("warm", -0.3), ("warm", 0.2), ("warm", 0.5), ("grey", 0.5), ("grey", 1.0),
    ("invert", 0.25), ("invert", 0.75), ("invert", 1.0),
    ("blur", 0.8), ("blur", 2.0), ("chroma", 2), ("chroma", 4),
    ("scale", 0.5), ("scale", 0.6), ("scale", 0.65),
    ("scale", 0.8), ("scale", 1.25), ("scale", 1.37), ("scale", 2.5),
    ("together", 0.5), ("together", 1.0),
    ("pointer", 1.0), ("tooltip", 1.0), ("dialog", 0.2), ("dialog", 0.8),
)  # fmt: skip
"""Kinds and strengths of `tests.support.perturbed`."""
LIGHTS: Final = (("dim", 0.6), ("dim", 0.3), ("veil", 0.3), ("gamma", 1.5), ("jpeg", 80))
"""In which fresh boards are seen."""
STATES: Final = (*range(9), COVERED, FLAG, QUESTION, MINE, EXPLODED, MISFLAG)


Codes = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Case:
    """A board, at one look after another."""

    group: str
    skin: Skin
    looks: Sequence[tuple[Perturbed, Codes]]
    """Each with what it shows."""
    absent: bool = False
    """Whether nothing has to be read: it is another program's board."""


def measure() -> dict[str, float]:
    """Return how many tiles are misread (WRONG) and unread, by group."""
    total: Counter[str] = Counter()
    for case in cases():
        tracker: Tracker | None = None
        for look, tiles in case.looks:
            if tracker is None:
                skin = case.skin.drawn_at(look.grid.pitch_x * look.grid.scale)
                tracker = Tracker(look.grid, skin, Matcher(skin))
            tracker.see(look.frame)
            read = believable(tracker.codes, doubt_hints=False)
            seen = (read == UNREAD) & ~look.foreign & (tiles != UNREAD)
            total[f"{case.group}: WRONG"] += int(((read != tiles) & (read != UNREAD)).sum())
            total[f"{case.group}: unread"] += 0 if case.absent else int(seen.sum())
    for group, known, pictures, wanted in others():
        read = Matcher(known).match(pictures)[0]
        total[f"{group}: WRONG"] += int(((read != wanted) & (read != UNREAD)).sum())
    return {name: total[name] for name in sorted(total)}


@lru_cache(maxsize=1)
def cases() -> list[Case]:
    """Return all boards."""
    cv2.setNumThreads(1)
    parts = _changed(), _fresh(), _recorded(), _followed(), _scaled(), _of_others(), _unseen()
    return [case for part in (*parts, _lacking()) for case in part]


@lru_cache(maxsize=1)
def _skins() -> tuple[Skin, ...]:
    return SkinLibrary().skins()


@lru_cache(maxsize=1)
def _sessions() -> list[Source]:
    """Return the last frame of each recorded session, which shows most of it."""
    known = {skin.name: skin for skin in _skins()}
    return list({one.name.partition("/")[0]: one for one in recorded(known, None)}.values())


def _plain(source: Source) -> Perturbed:
    nothing = np.zeros(source.tiles.shape, bool)
    return Perturbed(source.image, source.grid, nothing, Frame.of_image(source.image).region)


def _changed() -> Iterator[Case]:
    """Yield a small board of each skin, each time another quarter of the changes."""
    for number, skin in enumerate(_skins()):
        source = put_together(skin, SEED + number, rows=6, cols=10)
        for kind, strength in CHANGES[number % 4 :: 4]:
            changed = perturb(source.image, source.grid, kind, strength, SEED)
            yield Case(kind, skin, [(changed, source.tiles)])


def _fresh() -> Iterator[Case]:
    """Yield fresh boards, then the same board with a few cells opened, in the same light."""
    for number, skin in enumerate(_skins()):
        width, height = skin.tile
        grid = Grid(0, 0, width, height, 6, 8)
        tiles = np.full((6, 8), COVERED, np.int8)
        image = np.tile(skin.pictures[COVERED][0], (6, 8, 1))
        begun, later = image.copy(), tiles.copy()
        for col, code in enumerate((1, 2, 1)):
            begun[:height, col * width : (col + 1) * width] = skin.pictures[code][0]
            later[0, col] = code
        for kind, strength in (LIGHTS[number % 5], LIGHTS[(number + 2) % 5]):
            first, second = (perturb(one, grid, kind, strength, SEED) for one in (image, begun))
            yield Case("fresh", skin, [(first, tiles), (second, later)])


def _recorded() -> Iterator[Case]:
    """Yield real programs' boards as they were recorded, and as a remote desktop shows them."""
    for number, source in enumerate(_sessions()):
        yield Case("recorded", source.skin, [(_plain(source), source.tiles)])
        if number % 4 == 0 and source.tiles.size < 200:
            kind, strength = (("jpeg", 85), ("dim", 0.5), ("veil", 0.3))[number // 4 % 3]
            changed = perturb(source.image, source.grid, kind, strength, SEED)
            yield Case(f"recorded, {kind}", source.skin, [(changed, source.tiles)])


def _followed() -> Iterator[Case]:
    """Yield recorded games, dimmed and through noise, followed from frame to frame."""
    known = {skin.name: skin for skin in _skins()}
    for name in ("winemine-beginner-won", "kmines-default-hand-6", "gnome-mines-default-hand-1"):
        session = load_session(SESSIONS / name)
        turns = [turn.reading for turn in session.turns()][:6]
        for kind, strength in (("dim", 0.5), ("noise", 2)):
            looks = []
            for turn in turns:
                region = turn.frame.region
                grid = replace(turn.grid.moved(-region.left, -region.top), face=None)
                changed = perturb(turn.frame.image, grid, kind, strength, SEED)
                looks.append((changed, turn.board.tiles))
            yield Case(f"followed, {kind}", known[session.info.skin or ""], looks)


def _scaled() -> Iterator[Case]:
    """Yield recorded boards, scaled as browsers and toolkits do."""
    by_skin: dict[str, Source] = {}
    for source in _sessions():
        if source.tiles.size < 200 and np.isin(source.tiles, range(1, 4)).sum() > 9:
            by_skin.setdefault(source.skin.name, source)
    ways = [(method, scale) for method in METHODS for scale in (0.75, 1.25, 1.5, 2.0)]
    for number, source in enumerate(by_skin.values()):
        for method, scale in ways[number % 4 :: 4] + ways[number % 3 : 4 : 3]:
            if source.grid.pitch_x * scale < 12:
                continue
            for one in scaled(source, scale, method):
                sides = (round(side / one.grid.scale) for side in one.image.shape[1::-1])
                nothing = np.zeros(source.tiles.shape, bool)
                look = Perturbed(one.image, one.grid, nothing, Region(0, 0, *sides))
                way = "whole" if one.whole else "by cell"
                yield Case(f"{method} {way}", source.skin, [(look, source.tiles)])


def _of_others() -> Iterator[Case]:
    """Yield real programs' boards, read with the skin of another program."""
    for number, source in enumerate(_sessions()[::6]):
        family = source.skin.name.partition("-")[0]
        skins = [skin for skin in _skins() if not skin.name.startswith(family)]
        for place in (number, number + 5):
            skin = skins[place % len(skins)]
            yield Case("other program", skin, [(_plain(source), source.tiles)], absent=True)


def _unseen() -> Iterator[Case]:
    """Yield made-up skins of twelve and more pixels, known by a picture of each state."""
    for number, side in enumerate((12, 16, 18, 20, 24, 32)):
        look = Strange(SEED + number)
        pictures = {code: (look.tile(code, 0, 0, side),) for code in STATES}
        file = SkinFile(
            name=f"made-up-{number}", program="none", version="1", author="-", licence="-",
            source="-", tile=(side, side),
        )  # fmt: skip
        skin = make_skin(file, pictures)
        source = put_together(skin, SEED + number, rows=6, cols=10)
        for place in range(4):
            kind, strength = CHANGES[(number * 4 + place * 7) % len(CHANGES)]
            changed = perturb(source.image, source.grid, kind, strength, SEED)
            yield Case("unseen skins", skin, [(changed, source.tiles)])


def _lacking() -> Iterator[Case]:
    """Yield boards with a hint that the skin has no picture of."""
    for number, skin in enumerate(_skins()):
        hint = (5, 7)[number % 2]
        if hint not in skin.pictures:
            continue
        source = put_together(skin, SEED + number, rows=6, cols=8)
        drawn = skin.drawn_at(source.grid.pitch_x)
        less = {code: some for code, some in drawn.pictures.items() if code != hint}
        file = {name: getattr(drawn, name) for name in SkinFile.model_fields}
        lacking = make_skin(SkinFile(**file | {"sizes": ()}), less)
        kind, strength = (("noise", 1), ("jpeg", 90), ("scale", 1.25))[number % 3]
        changed = perturb(source.image, source.grid, kind, strength, SEED)
        shown = np.where(source.tiles == hint, np.int8(UNREAD), source.tiles)
        yield Case("hint without a picture", lacking, [(changed, shown)])


def others() -> Iterator[tuple[str, Skin, Tiles, Codes]]:
    """Yield what is no tile, and tiles with the rim of a window over a side."""
    rng = np.random.default_rng(SEED)
    for number, skin in enumerate(_skins()):
        width, height = skin.tile
        noise = rng.integers(0, 256, (20, height, width, 3), np.uint8)
        plain = np.broadcast_to(rng.integers(0, 256, (20, 1, 1, 3), np.uint8), noise.shape)
        for tiles in (noise, plain):
            yield "no tiles", skin, tiles, np.full(20, UNREAD, np.int8)
        looks = [(code, look) for code, some in skin.pictures.items() for look in some if code > 0]
        covered = np.stack([look for _, look in looks])
        side = (np.s_[:, :1], np.s_[:, -1:], np.s_[:, :, :1], np.s_[:, :, -1:])[number % 4]
        covered[side] = (90, 235)[number // 4 % 2]
        yield "rim", skin, covered, np.array([code for code, _ in looks], np.int8)


_AT: Final = "vision.matcher"
_COLOURS: Final = f"{_AT}.colour_correction"
_FIT: Final = f"{_AT}.colour_correction"
_DECISION: Final = f"{_AT}.decision"
_SCALING: Final = f"{_AT}.scaling"
_MOST: Final = "rest", "spot", "toward", "plain", "contradicted"
_LEAST: Final = "contrast", "apart", "local", "firm", "sigmas"
"""Terms of the evidence that have a largest and a smallest value."""


RULES: Final[list[Rule]] = [
    # The colours of the whole board.
    Rule("colours: an exact part is enough", f"{_AT}:_EXACT", 2.0),
    Rule("colours: a fresh board is seen first", f"{_AT}:Matcher._fresh", lambda *_: False),
    Rule("colours: grey screens", f"{_COLOURS}:_NO_COLOUR", -1.0),
    Rule("colours: boards of covered cells alone", f"{_COLOURS}:_alike", lambda *_: False),
    Rule("colours: one state, nearly usual", f"{_COLOURS}:_NEARLY", -1.0),
    Rule("colours: the usual one fits nearly as well", f"{_COLOURS}:_AS_WELL", 0.0),
    Rule("colours: the board must be possible", f"{_COLOURS}:_can_be", lambda *_: True),
    Rule("colours: must explain the variance", f"{_COLOURS}:_EXPLAINED", 9.0),
    Rule("colours: rivals that fit about as well", f"{_COLOURS}:_RIVALS", 0),
    Rule("colours: gamma", f"{_COLOURS}:_GAMMAS", (1.0,)),
    Rule("colours: seven gammas, not three", f"{_COLOURS}:_GAMMAS", (0.5, 1.0, 2.0)),
    Rule("colours: finer gammas", f"{_FIT}:_FINE", (1.0,)),
    Rule("colours: inverted", f"{_COLOURS}:_BEGINNINGS", _BEGINNINGS[:-1]),
    Rule("colours: brighter", f"{_COLOURS}:_BEGINNINGS", _BEGINNINGS[:5] + _BEGINNINGS[6:]),
    Rule("colours: more contrast", f"{_COLOURS}:_BEGINNINGS", _BEGINNINGS[:4] + _BEGINNINGS[5:]),
    Rule("colours: veils", f"{_COLOURS}:_BEGINNINGS", _BEGINNINGS[:3] + _BEGINNINGS[4:]),
    Rule("colours: three beginnings", f"{_COLOURS}:_BEGINNINGS", _BEGINNINGS[:3]),
    Rule("colours: two turns", f"{_COLOURS}:_TURNS", 1),
    Rule("colours: six are kept", f"{_COLOURS}:_KEPT", 2),
    Rule("colours: six looks of a state", f"{_COLOURS}:_LOOKS", 99),
    Rule("colours: the mean brightness decides a tie", f"{_FIT}:_TIE", 1e-9),
    Rule("colours: clipped values", f"{_FIT}:_CLIPPED", -1.0),
    Rule("colours: 28 exemplars", f"{_FIT}:_EXEMPLARS", 14),
    Rule("sets: by what pictures look like", f"{_AT}.cache:drawn_like", lambda _, skin: skin),
    Rule("sets: both sizes around", f"{_AT}.cache:_around", lambda skin, _: (skin,)),
    # What may be read.
    Rule("hints without a picture", f"{_AT}:_PERHAPS", 2.0),
    Rule("familiar tiles", f"{_AT}:_OFTEN", 10**9),
    Rule("fewer pixels", f"{_AT}:_COARSER", ()),
    Rule("40 pixels at most", f"{_AT}:_FINEST", 1000),
    Rule("moved by half a pixel", f"{_AT}.cache:_SHIFTS", ()),
    *(
        edited(
            f"evidence: {term}",
            f"{_DECISION}:Evidence.within",
            f"(self.{term}, ",
            f"(np.full_like(self.{term}, {never}), ",
        )
        for terms, never in ((_MOST, "-np.inf"), (_LEAST, "np.inf"))
        for term in terms
    ),
    Rule("limits: scaled", f"{_DECISION}:SCALED", LIMITS),
    Rule("limits: shrunk", f"{_DECISION}:SHRUNK", SCALED),
    Rule("limits: redrawn", f"{_DECISION}:REDRAWN", LIMITS),
    Rule("limits: other colours", f"{_DECISION}:CORRECTED", LIMITS),
    Rule("differences hopeless to fit", f"{_DECISION}:_HOPELESS", 9.0),
    Rule("colourless", f"{_DECISION}:_COLOURLESS", 9.0),
    Rule("bled", f"{_DECISION}:_BLED", 0.0),
    Rule("eight likely pictures", f"{_DECISION}:_FEW", 8),
    edited("pictures fitted", f"{_DECISION}:decide", "(scaled | ~sure)", "(False & ~sure)"),
    edited("tiles of another size fitted", f"{_DECISION}:decide", "(scaled | ~sure)", "~sure"),
    edited("half sure is sure", f"{_DECISION}:decide", "_half(limits)", "limits"),
    edited("like is compared with like", f"{_DECISION}:_weigh", "(second < first)", "False"),
    edited("grain", f"{_DECISION}:_weigh", "& (noise > GRAIN)", ""),
    edited("shapes", f"{_DECISION}:_weigh", "if limits.shaped:", "if False:"),
    # Scaling.
    Rule("redrawn as scaling does", f"{_AT}:Matcher._ways_of", lambda *_: ()),
    Rule("scaling: cell by cell", f"{_SCALING}:WAYS", WAYS[:4]),
    Rule("scaling: bicubic", f"{_SCALING}:WAYS", tuple(w for w in WAYS if w.method != 2)),
    Rule("scaling: area", f"{_SCALING}:WAYS", tuple(w for w in WAYS if w.method != 3)),
    Rule("scaling: nearest alone", f"{_SCALING}:WAYS", tuple(w for w in WAYS if w.method < 2)),
    Rule("scaling: half-way", f"{_SCALING}:_TIE", 0.0),
    Rule("scaling: most that a way may leave", f"{_SCALING}:_EXPLAINED", 9.0),
    Rule("scaling: rivals", f"{_SCALING}:_RIVAL", 1.0),
    Rule("scaling: pictures exactly", f"{_SCALING}:Redrawn._complete", lambda *_: False),
    Rule("scaling: lost lines", f"{_SCALING}:_LOST", 0.0),
    Rule("scaling: sides", f"{_SCALING}:_BORDER", 1.0),
    edited(
        "scaling: the closest of all",
        f"{_DECISION}:decide_redrawn",
        "np.concatenate([likely, redrawn.closest(values, ways)], axis=1)",
        "likely",
    ),
]
"""A term of the evidence, a constant or a special case each."""
