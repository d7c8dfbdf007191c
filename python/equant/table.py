"""Columns with names: what results hand out."""

from __future__ import annotations

import html
from typing import Any, Iterator, Mapping, Sequence

import numpy as np

from ._memory import Array
from .quantities import unit_of_column


class Table(Mapping[str, Array]):
    """Columns with names, for reading: a mapping from names to arrays.

    Examples
    --------
    >>> table = Table({"planet": [1, 2], "period_days": [4.25, 1200.0]})
    >>> table["period_days"]
    array([   4.25, 1200.  ])
    >>> table
    planet  period_days
         1         4.25
         2         1200
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = {name: np.asarray(values) for name, values in columns.items()}

    @classmethod
    def from_records(cls, records: Sequence[Any], names: Sequence[str]) -> Table:
        """One row for each of the records, of these attributes."""
        return cls({name: [getattr(record, name) for record in records] for name in names})

    def __getitem__(self, name: str) -> Array:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return max((len(column) for column in self._columns.values()), default=0)

    def to_numpy(self) -> Array:
        """The table as one structured array."""
        kinds = [(name, column.dtype) for name, column in self._columns.items()]
        rows = np.empty(self.n_rows, dtype=kinds)
        for name, column in self._columns.items():
            rows[name] = column
        return rows

    def to_pandas(self) -> Any:
        """The table as a pandas ``DataFrame``."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_qtable(self) -> Any:
        """The table as an astropy ``QTable``; needs astropy.

        Columns of parameters and what follows from them have their units, by their names.

        Examples
        --------
        >>> table = Table({"planet": [1], "period_days": [4.25], "k_m_s": [3.5]})
        >>> table.to_qtable()["k_m_s"]
        <Quantity [3.5] m / s>
        """
        from astropy.table import QTable
        from astropy.units import Unit

        made = QTable()
        for name, values in self._columns.items():
            unit = unit_of_column(name)
            made[name] = values * Unit(unit) if unit else values
        return made

    def _cells(self) -> list[list[str]]:
        columns = [[name, *map(_cell, values)] for name, values in self._columns.items()]
        return [list(row) for row in zip(*columns)]

    def __repr__(self) -> str:
        rows = self._cells() or [list(self._columns)]
        widths = [max(map(len, column)) for column in zip(*rows)]
        aligned = ("  ".join(map(str.rjust, row, widths)) for row in rows)
        return "\n".join(aligned)

    def _repr_html_(self) -> str:
        header, *rows = self._cells() or [list(self._columns)]
        return f"<table><thead>{_row(header, 'th')}</thead><tbody>" + (
            "".join(_row(row, "td") for row in rows) + "</tbody></table>"
        )


def _cell(value: Any) -> str:
    if not isinstance(value, (float, np.floating)):
        return str(value)
    return f"{value:.10g}" if abs(float(value)) >= 1e6 else f"{value:.6g}"  # a Julian date has ten


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
