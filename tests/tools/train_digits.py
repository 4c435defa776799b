"""Train the generic digit reader, and evaluate it on fonts that it never saw.

    python -m tests.tools.train_digits            writes vision/digits.npz, a quarter of an hour
    python -m tests.tools.train_digits --check    only judges the weights that are there

Needs fonts, on Debian: apt-get install --no-install-recommends fonts-liberation
fonts-freefont-ttf fonts-noto-core fonts-dejavu-core fonts-dejavu-extra fonts-roboto-unhinted
fonts-roboto-slab fonts-inconsolata fonts-open-sans fonts-lato fonts-cantarell fonts-firacode
fonts-hack fonts-urw-base35 fonts-comfortaa fonts-courier-prime fonts-ebgaramond
fonts-linuxlibertine fonts-terminus-otb fonts-unifont fonts-vollkorn fonts-quicksand fonts-dseg
fonts-play fonts-league-spartan fonts-league-mono fonts-junction fonts-croscore fonts-mononoki
fonts-anonymous-pro fonts-proggy fonts-go fonts-ocr-b fonts-ocr-a fonts-bebas-neue fonts-b612
fonts-crosextra-carlito fonts-crosextra-caladea fonts-cmu fonts-jetbrains-mono fonts-jura
fonts-comic-neue fonts-humor-sans fonts-hermit fonts-spleen fonts-agave fonts-fantasque-sans
fonts-monoid fonts-monofur fonts-karla fonts-cabin fonts-dosis fonts-mplus fonts-clear-sans
fonts-adf-verana fonts-adf-gillius fonts-adf-tribun fonts-adf-mekanus fonts-adf-universalis
fonts-adf-switzera fonts-3270 fonts-misaki fonts-dotgothic16 fonts-manrope fonts-routed-gothic
fonts-eurofurence fonts-smiley-sans fonts-creep2 fonts-beteckna
fonts-averia-sans-gwf fonts-reggae fonts-ipafont-gothic fonts-leckerli-one

Three groups of fonts (`tests/support/glyphs.py`): the first for training, the second for early
stopping and for the temperature and threshold of the confidence, the third for evaluation only.
None contains a tile of any skin or program.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from tests.support.glyphs import (
    CALIBRATE,
    DIGITS,
    LETTERS,
    SYMBOLS,
    TEST,
    TRAIN,
    Alpha,
    Random,
    draw,
    faces,
    seven_segment,
)
from tests.support.marks import NO_DIGITS, query
from tests.tools.adam import epochs
from tests.tools.tiles import compose
from vision import digits
from vision.digits import GLYPH, NO_DIGIT, forward, glyph_masks, patches, softmax

Weights = list[NDArray[np.float32]]
QUESTION = NO_DIGIT + 1
say = Console(soft_wrap=True, highlight=False).print
SHAPES = ((25, 12), (12,), (108, 32), (32,), (768, 56), (56,), (56, 12), (12,))
NETWORKS = 3
EPOCHS = 13
BATCH = 256


def glyphs(
    fonts: Mapping[str, tuple[str, ...]], settings: int, rng: Random
) -> list[tuple[Alpha, int]]:
    """Return (coverage, class) of digits, question marks, letters and symbols, by design."""
    found: list[tuple[Alpha, int]] = []
    characters = DIGITS + "?"
    for names in fonts.values():
        installed = faces(names)
        if not installed:
            sys.exit(f"No font of {', '.join(names)} is installed: see {__file__}")
        for _ in range(settings):
            face = installed[int(rng.integers(len(installed)))]
            size = round(float(np.exp(rng.uniform(np.log(9), np.log(90)))))
            smooth = bool(rng.random() < 0.7)
            for label, alpha in enumerate(draw(face, size, smooth, characters)):
                found.append((alpha, QUESTION if label == 10 else label))
            single = draw(face, size, smooth, "?")[0]
            if single.size and rng.random() < 0.5:
                found.append((_doubled(single, rng), QUESTION))
            others = rng.choice(list(LETTERS + SYMBOLS), 3, replace=False)
            found += [(alpha, NO_DIGIT) for alpha in draw(face, size, smooth, "".join(others))]
    return [(alpha, label) for alpha, label in found if min(alpha.shape) > 0 and len(alpha) >= 8]


def _doubled(alpha: Alpha, rng: Random) -> Alpha:
    """Return two of a sign beside each other, with a gap or not."""
    gap = np.zeros((len(alpha), int(rng.integers(0, 1 + alpha.shape[1] // 3))), np.uint8)
    return np.hstack([alpha, gap, alpha])


def drawn(count: int, rng: Random) -> list[tuple[Alpha, int]]:
    """Return drawn shapes: seven-segment digits, question marks, flags, mines, other marks."""
    found = []
    for painter in NO_DIGITS:
        sides = np.exp(rng.uniform(np.log(9), np.log(80), count)).round().astype(int)
        found += [(painter(rng, int(side)), NO_DIGIT) for side in sides]
    sides = np.exp(rng.uniform(np.log(9), np.log(80), count)).round().astype(int)
    found += [(query(rng, int(side)), QUESTION) for side in sides]
    for digit in range(10):
        heights = np.exp(rng.uniform(np.log(9), np.log(70), count // 4)).round().astype(int)
        found += [(seven_segment(rng, digit, int(height)), digit) for height in heights]
    return [(alpha, label) for alpha, label in found if min(alpha.shape) > 0 and len(alpha) >= 5]


def masks_of(
    sources: list[tuple[Alpha, int]], rng: Random
) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
    """Return masks: each glyph on a tile, extracted as in the reader."""
    lifted = [glyph_masks(compose(rng, alpha)[None])[0] for alpha, _ in sources]
    return np.stack(lifted), np.array([label for _, label in sources])


def started(rng: Random) -> Weights:
    """Return initial weights (He et al. 2015)."""
    return [
        (
            rng.normal(0, np.sqrt(2 / shape[0]), shape) if len(shape) == 2 else np.zeros(shape)
        ).astype(np.float32)
        for shape in SHAPES
    ]


def gradients(
    weights: Weights, masks: NDArray[np.float32], labels: NDArray[np.intp], rng: Random
) -> Weights:
    """Return gradients of the mean cross entropy, with random dropout in the third layer."""
    w1, b1, w2, b2, w3, b3, w4, b4 = weights
    n = len(masks)
    seen1 = patches(masks[..., None], 5)
    h1 = np.maximum(seen1 @ w1 + b1, 0)
    seen2 = patches(h1, 3)
    h2 = np.maximum(seen2 @ w2 + b2, 0)
    flat = h2.reshape(n, -1)
    kept = (rng.random((n, w3.shape[1]), np.float32) > 0.33) / np.float32(0.67)
    h3 = np.maximum(flat @ w3 + b3, 0) * kept
    error = softmax(h3 @ w4 + b4)
    error[np.arange(n), labels] -= 1
    error /= n
    d4, e4 = h3.T @ error, error.sum(axis=0)
    back = error @ w4.T * kept * (h3 > 0)
    d3, e3 = flat.T @ back, back.sum(axis=0)
    back2 = (back @ w3.T).reshape(h2.shape) * (h2 > 0)
    rows2 = back2.reshape(-1, back2.shape[-1])
    d2, e2 = seen2.reshape(len(rows2), -1).T @ rows2, rows2.sum(axis=0)
    back1 = _folded(back2 @ w2.T, h1.shape) * (h1 > 0)
    rows1 = back1.reshape(-1, back1.shape[-1])
    d1, e1 = seen1.reshape(len(rows1), -1).T @ rows1, rows1.sum(axis=0)
    return [d1, e1, d2, e2, d3, e3, d4, e4]


def _folded(parts: NDArray[np.float32], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Add patches (n, h/2, w/2, 9 * c) up at their origins: (n, h, w, c)."""
    n, height, width, channels = shape
    parts = parts.reshape(n, height // 2, width // 2, 3, 3, channels)
    whole = np.zeros((n, height + 2, width + 2, channels), np.float32)
    for y in range(3):
        for x in range(3):
            whole[:, y : y + height : 2, x : x + width : 2] += parts[:, :, :, y, x]
    return whole[:, 1:-1, 1:-1]


def jittered(masks: NDArray[np.float32], rng: Random) -> NDArray[np.float32]:
    """Return masks slightly moved, stretched, slanted and lightened."""
    out = np.empty_like(masks)
    shifts = rng.uniform(-1.2, 1.2, (len(masks), 2))
    stretch = rng.uniform(0.88, 1.08, (len(masks), 2))
    slant = rng.normal(0, 0.06, (len(masks), 2))
    middle = np.array([GLYPH[0] - 1, GLYPH[1] - 1]) / 2
    for mask, moved, shift, (sx, sy), (kx, ky) in zip(
        masks, out, shifts, stretch, slant, strict=True
    ):
        turn = np.array([[sx, kx], [ky, sy]])
        offset = middle + shift - turn @ middle
        cv2.warpAffine(mask, np.hstack([turn, offset[:, None]]), GLYPH, dst=moved)
    powers = rng.uniform(0.7, 1.4, (len(masks), 1, 1)).astype(np.float32)
    return np.clip(out, 0, 1) ** powers


def train(masks: NDArray[np.float32], labels: NDArray[np.intp], seed: int) -> Weights:
    """Train one network by Adam with a rate that decreases to zero."""
    rng = np.random.default_rng(seed)
    weights = started(rng)
    for epoch in epochs(
        weights,
        lambda chosen: gradients(weights, jittered(masks[chosen], rng), labels[chosen], rng),
        len(masks),
        rng,
        number=EPOCHS,
        batch=BATCH,
        rate=2e-3,
        decay=1e-3,
    ):
        say(f"network {seed}, epoch {epoch + 1} of {EPOCHS}")
    return weights


def temperature(
    networks: list[Weights], masks: NDArray[np.float32], labels: NDArray[np.intp]
) -> float:
    """Return the divisor of the scores for a calibrated confidence (Guo et al. 2017)."""
    scores = [forward(masks, tuple(weights)) for weights in networks]

    def loss(heat: float) -> float:
        mean = sum(softmax(one / heat) for one in scores) / len(scores)
        return float(-np.log(mean[np.arange(len(labels)), labels] + 1e-9).mean())

    return min(np.arange(0.8, 3.0, 0.05), key=loss)


def save(networks: list[Weights], path: Path) -> None:
    """Save in half precision: a hundred thousand weights in a few hundred kB."""
    parts = {
        f"{number}-{index}": part.astype(np.float16)
        for number, weights in enumerate(networks)
        for index, part in enumerate(weights)
    }
    np.savez_compressed(path, networks=np.int32(len(networks)), **parts)


def judge(title: str, masks: NDArray[np.float32], labels: NDArray[np.intp]) -> None:
    """Print how many digits are right, wrong and unread at several thresholds."""
    read = digits.read_glyphs(masks)
    truth = np.where(labels >= NO_DIGIT, -1, labels)
    seen, other = truth >= 0, truth < 0
    plain = (read.digit == truth)[seen].mean()
    say(
        f"{title}: {seen.sum()} digits, {100 * plain:.2f} % right without a threshold; "
        f"{other.sum()} others"
    )
    for threshold in (0.5, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999):
        called = (read.digit >= 0) & (read.confidence >= threshold)
        wrong = (called & (read.digit != truth) & seen).sum() / seen.sum()
        unread = (~called & seen).sum() / seen.sum()
        false = (called & other).sum() / max(1, other.sum())
        say(
            f"  at {threshold}: wrong {1000 * wrong:.2f} in 1000, unread {100 * unread:.2f} %, "
            f"others called a digit {1000 * false:.2f} in 1000"
        )


def main() -> None:
    """Train, save and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only judge the weights there are")
    check = parser.parse_args().check
    cv2.setNumThreads(1)
    start = time.perf_counter()
    held = [
        (name, masks_of(glyphs(fonts, 110, rng) + drawn(250, rng), rng))
        for name, fonts, rng in (
            ("calibration fonts", CALIBRATE, np.random.default_rng(101)),
            ("test fonts", TEST, np.random.default_rng(102)),
        )
    ]
    if not check:
        rng = np.random.default_rng(100)
        masks, labels = masks_of(glyphs(TRAIN, 220, rng) + drawn(2500, rng), rng)
        full = masks.any(axis=(1, 2))
        masks, labels = masks[full], labels[full]
        say(f"{len(masks)} masks to train on, {time.perf_counter() - start:.0f} s")
        networks = [train(masks, labels, seed) for seed in range(NETWORKS)]
        heat = temperature(networks, *held[0][1])
        say(f"temperature {heat:.2f}, {time.perf_counter() - start:.0f} s")
        for weights in networks:
            weights[-2] /= heat
            weights[-1] /= heat
        save(networks, Path(digits.__file__).with_name("digits.npz"))
    for name, (masks, labels) in held:
        judge(name, masks, labels)


if __name__ == "__main__":
    main()
