"""How texts are read in training: a long one in windows, sentences in batches of about equal length.

A long text lies in B parallel rows that are read in windows of T tokens. Each pass over it starts at
a new random offset, so that no window is met twice alike.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor


class StatefulBatches:
    """A text cut into B rows of equal length that are read side by side.

    Parameters
    ----------
    batch, window : int, B and T
    rng : torch.Generator, draws where each pass begins
    own : slice, which of the B rows are laid here; the others are another process's
    device : torch.device, where the positions are laid
    """

    def __init__(
        self,
        batch: int,
        window: int,
        rng: torch.Generator,
        *,
        own: slice = slice(None),
        device: torch.device | str = "cpu",
    ) -> None:
        self._batch, self._window, self._rng = batch, window, rng
        self._own, self._device = own, device
        self._pass = (0, 0)  # where the rows begin in the text, and how much of it they read
        self._position = 0
        self._positions = self._laid()

    @property
    def is_read(self) -> bool:
        """Whether the present pass has no whole window left."""
        return self._position + self._window + 1 > len(self._positions)

    def start_pass(self, length: int) -> int:
        """Cut the first `length` tokens of the text into new rows; return how many are laid here."""
        offset = int(torch.randint(0, length, (1,), generator=self._rng))
        self._pass, self._position = (offset, length), 0
        self._positions = self._laid()
        return self._positions.shape[1]

    def next_window(self) -> tuple[Tensor, Tensor]:
        """Return where the next T tokens of each row lie in the text, and where those after them do.

        Returns
        -------
        positions, following : int64 Tensors of shape (B, T)
        """
        start, stop = self._position, self._position + self._window
        self._position = stop
        return self._positions[start:stop].T, self._positions[start + 1 : stop + 1].T

    def state_dict(self) -> dict[str, Any]:
        """Return the position of the reading."""
        return {"pass": list(self._pass), "position": self._position}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record."""
        self._pass, self._position = tuple(saved["pass"]), saved["position"]
        self._positions = self._laid()

    def _laid(self) -> Tensor:
        """Return the positions of the present pass, one column for each row."""
        offset, length = self._pass
        shifted = torch.arange(length, device=self._device).roll(-offset)
        laid = shifted[: length // self._batch * self._batch].view(self._batch, -1)
        return laid[self._own].T.contiguous()


def batches_of_length(order: Iterable[int], lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Return the places of texts, in an order given, in batches of at most `tokens` tokens each.

    Padding counts: a batch is as long as its longest text. A text that is too long alone has a batch
    for itself.

    Examples
    --------
    >>> batches_of_length([0, 1, 2], [2, 2, 3], 6)
    [[0, 1], [2]]
    """
    batches: list[list[int]] = []
    longest = 0
    for place in order:
        longest = max(longest, lengths[place])
        if not batches or (len(batches[-1]) + 1) * longest > tokens:
            batches.append([])
            longest = lengths[place]
        batches[-1].append(place)
    return batches
