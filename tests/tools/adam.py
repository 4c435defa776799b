"""The optimizer of the networks that are trained with numpy: Adam (Kingma and Ba 2015)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
BETAS = 0.9, 0.999


def epochs(
    parameters: list[Array],
    gradients: Callable[[NDArray[np.intp]], list[Array]],
    count: int,
    dice: np.random.Generator,
    *,
    number: int,
    batch: int,
    rate: float,
    decay: float,
) -> Iterator[int]:
    """Change parameters in place; yield the number of each epoch at its end.

    Args:
        parameters: What is trained; matrices shrink by `decay` times the rate at each step.
        gradients: Return the gradients for a batch, given the indices of its examples.
        count: The number of examples.
        dice: Shuffle the examples.
        number: The number of epochs.
        batch: The number of examples in a batch.
        rate: The initial rate, which falls to zero along a cosine.
        decay: Weight decay at each step, as a share of the rate.
    """
    moments = [np.zeros_like(array) for array in parameters]
    squares = [np.zeros_like(array) for array in parameters]
    steps, step = max(number * (count // batch), 1), 0
    for epoch in range(number):
        order = dice.permutation(count)
        for begin in range(0, count - batch + 1, batch):
            step += 1
            now = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
            for place, slope in enumerate(gradients(order[begin : begin + batch])):
                moments[place] += (1 - BETAS[0]) * (slope - moments[place])
                squares[place] += (1 - BETAS[1]) * (slope * slope - squares[place])
                spread = np.sqrt(squares[place] / (1 - BETAS[1] ** step)) + 1e-8
                change = moments[place] / (1 - BETAS[0] ** step) / spread
                fading = decay * parameters[place] if slope.ndim == 2 else 0.0
                parameters[place] = (parameters[place] - now * (change + fading)).astype(np.float32)
        yield epoch
