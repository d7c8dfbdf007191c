"""How many planets a fit found: a number, which tells where the probabilities of numbers are."""

from __future__ import annotations

from typing import Any, NoReturn


class NumberOfPlanets(int):
    """A whole number. It was once a tuple of probabilities: such use raises a TypeError that says
    where they are.
    """

    __slots__ = ()

    def _refuse(self, *arguments: Any) -> NoReturn:
        raise TypeError(
            f"n_planets is the number of planets, {int(self)}; the probabilities of 0, 1, 2 ... "
            "planets are in number_probabilities"
        )

    __getitem__ = __iter__ = __len__ = _refuse

    def __bool__(self) -> bool:
        return int(self) != 0
