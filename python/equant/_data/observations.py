"""What a data set holds, as the library has it."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .. import _c
from .._memory import AnyHandle, Array, string, view
from .._packages.tables import about_rows
from ..indicators import Indicator, indicators_of
from .origin import Origin, origin_of


class Observations:
    """Observations of one star, sorted by time: read-only views of the library's memory."""

    _handle: AnyHandle
    _n_lines_before: Optional[int]  # rows, of the text that a table became
    _known_origin: Optional[Origin]

    @property
    def n_obs(self) -> int:
        """Number of observations."""
        return int(_c.equant_dataset_n_obs(self._handle.pointer))

    def __len__(self) -> int:
        return self.n_obs

    def _array(self, function: Any, dtype: Any = np.float64) -> Array:
        return view(self._handle, function(self._handle.pointer), (self.n_obs,), dtype)

    @property
    def times_days(self) -> Array:
        """Times as they were given, ascending."""
        return self._array(_c.equant_dataset_times_days)

    @property
    def velocities_m_s(self) -> Array:
        """Velocities in m/s, whatever the unit of the input was."""
        return self._array(_c.equant_dataset_velocities_m_s)

    @property
    def uncertainties_m_s(self) -> Array:
        """Uncertainties in m/s."""
        return self._array(_c.equant_dataset_uncertainties_m_s)

    @property
    def instruments(self) -> Array:
        """Index into :attr:`instrument_names` of each observation."""
        return self._array(_c.equant_dataset_instruments, np.intc)

    @property
    def n_instruments(self) -> int:
        """Number of instruments."""
        return int(_c.equant_dataset_n_instruments(self._handle.pointer))

    @property
    def instrument_names(self) -> tuple[str, ...]:
        """Names of the instruments."""
        pointer = self._handle.pointer
        indices = range(self.n_instruments)
        return tuple(string(_c.equant_dataset_instrument_name(pointer, i)) for i in indices)

    @property
    def instrument_n_obs(self) -> tuple[int, ...]:
        """Number of observations by each instrument."""
        pointer = self._handle.pointer
        indices = range(self.n_instruments)
        return tuple(int(_c.equant_dataset_instrument_n_obs(pointer, i)) for i in indices)

    @property
    def indicators(self) -> dict[str, Indicator]:
        """Activity indicators by name, each with values and uncertainties of all observations.

        Examples
        --------
        >>> import equant
        >>> data = equant.Data.from_arrays([0, 3, 1], [4.0, 2.0, -1.0], 0.5,
        ...                                indicators={"s_index": ([0.17, 0.19, 0.18], 0.01)})
        >>> data.indicators["s_index"].values
        array([0.17, 0.18, 0.19])
        """
        return indicators_of(self._handle, self.n_obs)

    @property
    def ignored_columns(self) -> tuple[str, ...]:
        """Columns of files or tables that were of no use."""
        return self._origin.ignored_columns

    @property
    def reference_time_days(self) -> float:
        """The time to which ``m0_rad`` and trends refer."""
        return float(_c.equant_dataset_reference_time_days(self._handle.pointer))

    @property
    def time_name(self) -> str:
        """What the times are called: ``"BJD"``, ``"HJD"``, ``"MJD"``, or ``"JD"`` for all others.

        Examples
        --------
        >>> import equant
        >>> equant.Data.from_text("BJD_TDB,rv,rv_err\\n2455000.5,1.5,0.9\\n", unit="m/s").time_name
        'BJD'
        """
        return string(_c.equant_dataset_time_name(self._handle.pointer))

    @property
    def span_days(self) -> float:
        """Days from the first observation to the last."""
        return float(self.times_days[-1] - self.times_days[0])

    @property
    def format(self) -> str:
        """What the reader recognised, e.g. ``"RadVel table"``; empty for arrays."""
        return self._origin.format

    @property
    def unit(self) -> str:
        """Unit in which the velocities were read: ``"m_s"`` or ``"km_s"``."""
        return self._origin.unit

    @property
    def warnings(self) -> tuple[str, ...]:
        """Things to know: guesses made, rows left out."""
        return self._origin.warnings

    @property
    def _origin(self) -> Origin:
        """As the library has it, or as it was before the rows were chosen, joined or pickled."""
        if self._known_origin is not None:
            return self._known_origin
        found = origin_of(self._handle.pointer)
        if self._n_lines_before is None:
            return found
        warnings = (about_rows(sentence, self._n_lines_before) for sentence in found.warnings)
        return found._replace(warnings=tuple(warnings))
