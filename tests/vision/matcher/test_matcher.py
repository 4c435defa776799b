"""Naming tiles: right or UNREAD, never wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from zlib import crc32

import numpy as np
import pytest

from bot.board import COVERED, FLAG, UNREAD, Cell
from bot.frame import Frame, Grid
from bot.unread import Cause
from tests.support.perturbed import KINDS, perturb
from tests.support.reading_sources import Source, put_together
from tests.support.sampling import sampled
from tests.vision.scenes import DATA, REAL, real
from vision.capture import load_image
from vision.finder import survey
from vision.matcher import Matcher, Tiles
from vision.skins import Skin, SkinFile, make_skin
from vision.tracking.tile_reader import Tracker

STRONG = (
    ("gamma", 0.5),
    ("gamma", 2.0),
    ("warm", 0.5),
    ("dim", 0.3),
    ("invert", 1.0),
    ("brightness", 60),
    ("contrast", 0.5),
    ("noise", 16),
    ("jpeg", 30),
    ("blur", 1.5),
    ("scale", 0.6),
    ("grey", 1.0),
    ("together", 1.0),
    ("pointer", 1.0),
    ("tooltip", 1.0),
    ("dialog", 0.5),
)


@pytest.fixture(params=sampled([5, 1]), ids=["some", "all"])
def several(skins: tuple[Skin, ...], request: pytest.FixtureRequest) -> tuple[Skin, ...]:
    """Every fifth skin, or all of them in `make test-slow`."""
    return skins[:: request.param]


def _without(skin: Skin, state: int) -> Skin:
    """A skin of one size that lacks the pictures of a state."""
    file = {name: getattr(skin, name) for name in SkinFile.model_fields}
    pictures = {code: looks for code, looks in skin.pictures.items() if code != state}
    return make_skin(SkinFile(**file | {"sizes": ()}), pictures)


def _tiles_of(skin: Skin) -> tuple[Tiles, np.ndarray]:
    looks = [(code, look) for code, some in skin.pictures.items() for look in some]
    return np.stack([look for _, look in looks]), np.array([code for code, _ in looks])


def _read(source: Source, kind: str, strength: float) -> tuple[int, float]:
    """How many tiles of a changed frame are read as others, and the part left unread."""
    seed = crc32(source.name.encode())
    changed = perturb(source.image, source.grid, kind, strength, seed)
    tracker = Tracker(changed.grid, source.skin.drawn_at(changed.grid.pitch_x * changed.grid.scale))
    tracker.see(changed.frame)
    unread = tracker.codes == UNREAD
    wrong = (tracker.codes != source.tiles) & ~unread
    return int(wrong.sum()), float((unread & ~changed.foreign).mean())


def _boards(skins: tuple[Skin, ...]) -> Iterator[Source]:
    """A small board of each skin's pictures, of any state."""
    return (put_together(skin, 31, rows=8, cols=12) for skin in skins)


def test_a_skin_knows_its_own_pictures(skins: tuple[Skin, ...]) -> None:
    """Every picture of every skin is read as what it is, with certainty."""
    for skin in skins:
        tiles, codes = _tiles_of(skin)
        read, confidence, _ = Matcher(skin).match(tiles)
        assert np.array_equal(read, codes), skin.name
        assert confidence.min() > 0.9, skin.name


@pytest.mark.long
@pytest.mark.parametrize("kind", sampled(["scale", "jpeg", "gamma", "noise"], 2))
def test_changed_frames_are_read(several: tuple[Skin, ...], kind: str) -> None:
    """What a remote desktop or a person may do to a frame leaves next to nothing unread."""
    strengths = cycle(one for one in KINDS[kind].strengths if KINDS[kind].within(one))
    left = []
    for source, strength in zip(_boards(several), strengths, strict=False):
        wrong, unread = _read(source, kind, strength)
        assert wrong == 0, (source.name, strength)
        left.append(unread)
    assert np.mean(left) <= 0.02


@pytest.mark.long
def test_strong_changes_are_never_misread(several: tuple[Skin, ...]) -> None:
    """Far beyond what can be read, and under other windows, tiles become UNREAD, not others."""
    for number, source in enumerate(_boards(several)):
        for kind, strength in STRONG[number % 7 :: 7]:
            assert _read(source, kind, strength)[0] == 0, (source.name, kind, strength)


@pytest.mark.long
def test_every_unread_tile_has_its_reason(several: tuple[Skin, ...]) -> None:
    """The limits that it breaks, and the nearest states; other tiles have no reason."""
    causes = set()
    changes = cycle((("jpeg", 30), ("dialog", 0.5), ("noise", 16), ("scale", 0.6), ("grey", 1.0)))
    for source, (kind, strength) in zip(_boards(several), changes, strict=False):
        changed = perturb(source.image, source.grid, kind, strength, 1)
        tracker = Tracker(changed.grid, source.skin.drawn_at(changed.grid.pitch_x))
        tracker.see(changed.frame)
        for at in np.argwhere(tracker.codes == UNREAD).tolist():
            why = tracker.why_unread(Cell(*at))
            causes.add(why.cause)
            assert all((one.value > one.limit) == one.upper for one in why.broken)
            scores = [score for _, score in why.nearest]
            assert scores == sorted(scores, reverse=True)
            assert all(0 <= score <= 1 for score in scores)
            assert len({code for code, _ in why.nearest}) == len(scores) <= 2
            assert "{" not in why.text
    assert Cause.UNLIKE in causes
    assert Cause.CHANGING not in causes


def test_reason_names_the_difference(skins: tuple[Skin, ...]) -> None:
    """A spot on a picture of the skin; half of one state and half of another; and none at all."""
    skin = next(skin for skin in skins if skin.name == "classic")
    tiles, codes = _tiles_of(skin)
    three, eight = (int(np.flatnonzero(codes == hint)[0]) for hint in (3, 8))
    changed = tiles.copy()
    changed[three, 1:6, 1:6] = (0, 0, 255)
    changed[eight] = tiles[[three, eight]].mean(axis=0)
    matcher = Matcher(skin)
    found = matcher.match(changed).unread
    assert found.keys() == {three, eight}
    assert matcher.match(changed).unread == found, "it is kept with tiles seen before"
    assert found[three].cause is Cause.UNLIKE
    assert found[three].nearest[0][0] == 3
    assert "spot" in {one.name for one in found[three].broken}
    assert found[eight].cause is Cause.AMBIGUOUS
    assert {code for code, _ in found[eight].nearest} == {3, 8}
    assert "toward" in {one.name for one in found[eight].broken}


def test_the_reason_names_states_without_a_picture(skins: tuple[Skin, ...]) -> None:
    """A flag of a skin without one: neither its window nor its colours are to be changed."""
    skin = next(skin for skin in skins if skin.name == "winemine")
    tiles, codes = _tiles_of(skin)
    found = Matcher(_without(skin, FLAG)).match(tiles)
    assert (found.codes == np.where(codes == FLAG, UNREAD, codes)).all()
    (why,) = found.unread.values()
    assert "no picture of 'flag'" in why.text


def test_a_few_tiles_are_seen_in_the_light_of_their_board(skins: tuple[Skin, ...]) -> None:
    """In dim light a covered cell is no empty one, also when it changes alone."""
    source = put_together(next(skin for skin in skins if skin.name == "dark"), 5)
    changed = perturb(source.image, source.grid, "dim", 0.5, 0)
    tracker = Tracker(changed.grid, source.skin, Matcher(source.skin))
    tracker.see(Frame.of_image(changed.image))
    image = changed.image.copy()
    left, top, side = (round(n) for n in (source.grid.left, source.grid.top, source.grid.pitch_x))
    tiles = source.tiles.copy()
    tiles[2, 3] = 0 if tiles[2, 3] else 1
    other = source.skin.pictures[int(tiles[2, 3])][0] * np.float32(0.5)
    image[top + 2 * side : top + 3 * side, left + 3 * side : left + 4 * side] = other.round()
    tracker.see(Frame.of_image(image))
    assert tracker.codes[2, 3] == tiles[2, 3]


@pytest.mark.long
def test_a_fresh_board_is_covered_in_any_light(several: tuple[Skin, ...]) -> None:
    """One shade alone may be any state; but a board that shows one state alone is covered."""
    changes = (("gamma", 1.5), ("dim", 0.5), ("veil", 0.3), ("scale", 1.37))
    for number, skin in enumerate(several):
        width, height = skin.tile
        image = np.tile(skin.pictures[COVERED][0], (8, 8, 1))
        grid = Grid(0, 0, width, height, 8, 8)
        for kind, strength in changes[number % 2 :: 2]:
            changed = perturb(image, grid, kind, strength, 3)
            tracker = Tracker(changed.grid, skin)
            tracker.see(changed.frame)
            assert np.isin(tracker.codes, (COVERED, UNREAD)).all(), (skin.name, kind)
            if skin.name in ("classic", "dark", "xbomb", "xdemineur"):
                assert (tracker.codes == COVERED).all(), (skin.name, kind)


def test_correction_of_covered_cells_holds_for_no_others(skins: tuple[Skin, ...]) -> None:
    """What is opened on a fresh board in another correction is read when the whole is seen."""
    skin = next(skin for skin in skins if skin.name == "classic")
    covered, one = (
        (skin.pictures[code][0] * np.float32(0.5)).round().astype(np.uint8) for code in (COVERED, 1)
    )
    matcher = Matcher(skin)
    assert (matcher.match(np.stack([covered] * 64), (8, 8)).codes == COVERED).all()
    assert matcher.match(one[None])[0] == UNREAD


def test_cell_that_fades_in_is_no_other_hint(skins: tuple[Skin, ...]) -> None:
    """A 1 half-way from a covered cell is as near to a 2 in colour, in cells of 23 x 22 pixels."""
    picture = load_image(DATA / "gnome-mines-fading.png")
    (board,), _ = survey(picture, skins)
    assert board.tiles[0, :4].tolist() == [0, 1, UNREAD, COVERED]
    assert np.count_nonzero(board.tiles == UNREAD) == 1


@pytest.mark.slow
def test_a_scaled_board_is_compared_with_the_pictures_it_was_drawn_with(
    skins: tuple[Skin, ...],
) -> None:
    """A program's 24-pixel cells at 48 pixels are not those that it draws at 48 pixels."""
    skin = next(skin for skin in skins if len(skin.sets) > 5)
    small = next(one for one in skin.sets if one.tile == (24, 24))
    source = put_together(_without(small, UNREAD), 4, rows=8, cols=12)
    changed = perturb(source.image, source.grid, "scale", 2.0, 0)
    tracker = Tracker(changed.grid, skin.drawn_at(48))
    tracker.see(changed.frame)
    unread = tracker.codes == UNREAD
    assert (tracker.codes[~unread] == source.tiles[~unread]).all()
    assert unread.mean() <= 0.02


def test_a_grey_screen_is_read_by_brightness(skins: tuple[Skin, ...]) -> None:
    """Colours that are gone tell nothing; shapes still do, and nothing is taken for another."""
    read = []
    for source in _boards(skins):
        wrong, unread = _read(source, "grey", 1.0)
        assert wrong == 0, source.name
        read.append(unread <= 0.1)
    assert np.mean(read) >= 0.3


def test_other_things_are_unread(several: tuple[Skin, ...]) -> None:
    """A black, white or colourful square, half a pointer, a cell of a table: no tile."""
    rng = np.random.default_rng(5)
    for skin in several:
        width, height = skin.tile
        others = rng.integers(0, 256, (50, height, width, 3), np.uint8)
        read = Matcher(skin).match(others).codes
        assert (read == UNREAD).all(), skin.name


def test_memory_gives_the_same_answer(skins: tuple[Skin, ...]) -> None:
    """What was decided before is answered from cache; a pixel aside, never differently."""
    for name in REAL:
        image, _ = real(name)
        (seen,), _ = survey(Frame.of_image(image), skins)
        matcher = Matcher(seen.skin)
        tiles, _ = _tiles_of(seen.skin)
        cold = matcher.match(tiles)
        warm = matcher.match(tiles)
        assert all(map(np.array_equal, cold[:2], warm[:2]))
        tiles[:, 0, 0] ^= 1
        anew = matcher.match(tiles).codes
        assert np.isin(anew[anew != cold[0]], [UNREAD]).all()


@pytest.mark.slow
def test_a_line_over_a_side_makes_no_other_state(several: tuple[Skin, ...]) -> None:
    """The rim of a window over the side of a cell may hide it, but shows nothing else."""
    for skin in several:
        tiles, codes = _tiles_of(skin)
        matcher = Matcher(skin)
        for shade in (90, 235):
            for side in (np.s_[:, :1], np.s_[:, -1:], np.s_[:, :, :1], np.s_[:, :, -1:]):
                covered = tiles.copy()
                covered[side] = shade
                read = matcher.match(covered)[0]
                wrong = (read != codes) & (read != UNREAD) & (codes > 0)
                assert not wrong.any(), (skin.name, shade)


@pytest.mark.slow
@pytest.mark.parametrize("hint", [5, 7])
def test_a_hint_without_a_picture_is_no_other_hint(several: tuple[Skin, ...], hint: int) -> None:
    """A skin that lacks a hint leaves it alone unread, in whatever light or size it is seen."""
    changes = cycle((("noise", 1), ("jpeg", 90), ("scale", 1.25)))
    for skin, (kind, strength) in zip(several, changes, strict=False):
        if hint not in skin.pictures:
            continue
        source = put_together(skin, 47, rows=8, cols=12)
        changed = perturb(source.image, source.grid, kind, strength, 47)
        tracker = Tracker(changed.grid, _without(skin.drawn_at(source.grid.pitch_x), hint))
        tracker.see(changed.frame)
        assert (tracker.codes[source.tiles == hint] == UNREAD).all(), (skin.name, kind)
        # Nor does it make the others doubtful.
        assert (tracker.codes > 0).any(), (skin.name, kind)
