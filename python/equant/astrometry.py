"""Where a star was seen along lines on the sky: Gaia's epochs, Hipparcos's scans, companions."""

from __future__ import annotations

import os
import tempfile
import warnings
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Union

import numpy as np

from . import _c
from ._memory import (
    AnyHandle,
    Array,
    Borrowed,
    Handle,
    address,
    doubles,
    options,
    pointer,
    read_path,
    string,
    text,
    view,
    words_of,
)
from ._numbers.gate import takes_numbers
from ._numbers.kinds import COUNT, NUMBER, Kind
from ._packages import parquet
from .errors import InvalidArgument, call

PathLike = Union[str, bytes, os.PathLike[Any]]

#: Reference times: J2017.5 of Gaia DR4, J1991.25 of Hipparcos.
GAIA_JD = 2457936.875
HIPPARCOS_JD = 2448349.0625


class Astrometry:
    """The astrometry of one source, in the order of time.

    Made by :func:`read_astrometry`, :func:`stream_astrometry` or :meth:`from_arrays`. A row is a
    measurement along one direction of the sky, whose position angle is counted from North through
    East. Arrays are read-only views of the library's memory.

    Examples
    --------
    >>> source = Astrometry.from_arrays(
    ...     [0.0, 1.0], [2.0, 4.0], [1.0, 1.0], [0.5, 0.5], transit=[7, 7]
    ... )
    >>> source
    equant.Astrometry(2 rows, 1 transit, 1.0 days)
    >>> source.transits().abscissa_mas
    array([3.])
    """

    def __init__(self, handle: AnyHandle) -> None:
        if not isinstance(handle, (Handle, Borrowed)):
            raise TypeError("make an equant.Astrometry by equant.read_astrometry or from_arrays")
        self._handle = handle
        self._rows = options(_c.equant_sky_rows)
        call(_c.equant_astrometry_rows, handle.pointer, self._rows)

    @classmethod
    @takes_numbers(time_days=Kind("d"))
    def from_arrays(
        cls,
        time_days: Any,
        abscissa_mas: Any,
        uncertainty_mas: Any,
        angle_rad: Any,
        parallax_factor: Any = None,
        *,
        colour_factor: Any = None,
        kind: Any = None,
        transit: Any = None,
        reference_jd: float = GAIA_JD,
        name: Optional[str] = None,
    ) -> Astrometry:
        """A source from arrays, one entry for each row.

        Parameters
        ----------
        time_days
            Since the reference time.
        abscissa_mas, uncertainty_mas
            What was measured along the direction.
        angle_rad
            Its position angle: the sine is the share of right ascension.
        parallax_factor, colour_factor
            What parallax and colour add; none without them.
        kind
            ``"star"``, ``"companion"`` or ``"scan"``, for all rows or for each; the star without.
        transit
            Rows of one number are of one passage; each its own without.
        reference_jd
            The time from which times count.
        name
            What messages and results call the source.
        """
        times = doubles(time_days, "time_days")
        columns = {
            "time_days": times,
            "abscissa_mas": doubles(abscissa_mas, "abscissa_mas"),
            "uncertainty_mas": doubles(uncertainty_mas, "uncertainty_mas"),
            "angle_rad": doubles(angle_rad, "angle_rad"),
        }
        if parallax_factor is not None:
            columns["parallax_factor"] = doubles(parallax_factor, "parallax_factor")
        if colour_factor is not None:
            columns["colour_factor"] = doubles(colour_factor, "colour_factor")
        if kind is not None:
            columns["kind"] = _kinds(kind, times.size)
        if transit is not None:
            columns["transit"] = np.ascontiguousarray(transit, dtype=np.int64)
        for column, values in columns.items():
            if values.shape != (times.size,):
                raise InvalidArgument(f"{column} must have {times.size} entries, as times have")
        members = {column: address(values) for column, values in columns.items()}
        rows = options(_c.equant_sky_rows, n_rows=times.size, **members)
        return cls(_handle(_c.equant_astrometry_create, rows, reference_jd, text(name)))

    def transits(self) -> Astrometry:
        """One row for each passage: the weighted means of its rows."""
        return Astrometry(_handle(_c.equant_astrometry_transits, self._handle.pointer))

    def join(self, other: Astrometry) -> Astrometry:
        """What two missions saw of one star, as one source: Gaia's epochs and Hipparcos's scans.

        Parallax, proper motion and orbits are shared; each mission has a zero of position
        (``ra_2`` and ``dec_2`` of solutions are those of `other`) and a jitter of its own.
        """
        return Astrometry(
            _handle(_c.equant_astrometry_join, self._handle.pointer, other._handle.pointer)
        )

    # What there is to see -----------------------------------------------------------------

    def _column(self, name: str, dtype: Any = np.float64) -> Array:
        return view(self._handle, getattr(self._rows, name), (self.n_rows,), dtype)

    @property
    def n_rows(self) -> int:
        return int(self._rows.n_rows)

    @property
    def n_transits(self) -> int:
        """Passages with at least one row."""
        return int(_c.equant_astrometry_n_transits(self._handle.pointer))

    @property
    def lacks_parallax(self) -> bool:
        """Whether a fitted parallax is a correction to a catalogue's that the file does not tell."""
        return bool(_c.equant_astrometry_lacks_parallax(self._handle.pointer))

    @property
    def time_days(self) -> Array:
        """Since :attr:`reference_jd`."""
        return self._column("time_days")

    @property
    def abscissa_mas(self) -> Array:
        return self._column("abscissa_mas")

    @property
    def uncertainty_mas(self) -> Array:
        return self._column("uncertainty_mas")

    @property
    def angle_rad(self) -> Array:
        """Position angles, from North through East."""
        return self._column("angle_rad")

    @property
    def parallax_factor(self) -> Array:
        return self._column("parallax_factor")

    @property
    def colour_factor(self) -> Optional[Array]:
        """None where there is none."""
        return self._column("colour_factor") if self._rows.colour_factor else None

    @property
    def kind(self) -> Array:
        """0 for rows of the star, 1 of a companion, 2 for scans that were planned."""
        return self._column("kind", np.int32)

    @property
    def transit(self) -> Array:
        """Numbers of passages, as whole numbers of 64 bits."""
        return self._column("transit", np.int64)

    @property
    def frame(self) -> Array:
        """0, or 1 in rows of a second mission, whose zero of position is another."""
        return self._column("frame", np.int32)

    @property
    def reference_jd(self) -> float:
        """The Julian date from which times are counted."""
        return float(_c.equant_astrometry_reference_jd(self._handle.pointer))

    @property
    def name(self) -> str:
        return string(_c.equant_astrometry_name(self._handle.pointer))

    @property
    def source_id(self) -> Optional[int]:
        """The number of Gaia or Hipparcos; None where there is none."""
        return int(_c.equant_astrometry_source_id(self._handle.pointer)) or None

    @property
    def format(self) -> str:
        """What the reader recognised; empty for arrays."""
        return string(_c.equant_astrometry_format(self._handle.pointer))

    @property
    def remarks(self) -> list[str]:
        """A sentence for each decision that the reader made."""
        count = _c.equant_astrometry_n_remarks(self._handle.pointer)
        return [
            string(_c.equant_astrometry_remark(self._handle.pointer, index))
            for index in range(count)
        ]

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        name = f"{self.name}: " if self.name else ""
        rows = "row" if self.n_rows == 1 else "rows"
        transits = "transit" if self.n_transits == 1 else "transits"
        span = self.time_days[-1] - self.time_days[0]
        return (
            f"equant.Astrometry({name}{self.n_rows} {rows}, {self.n_transits} {transits}, "
            f"{span:.1f} days)"
        )


@takes_numbers
def read_astrometry(
    path: PathLike,
    *,
    keep_rejected: bool = False,
    keep_uncertainties: bool = False,
    source_id: Optional[int] = None,
    catalogue_parallax_mas: float = 0.0,
) -> list[Astrometry]:
    """The sources of a file, whose format is recognised by its contents.

    Parameters
    ----------
    path
        Gaia's epoch astrometry as csv, ECSV, FITS, VOTable or, where pyarrow is installed,
        Parquet; Hipparcos's scans; positions of companions; columns of abscissae
        (docs/astrometry.md). Also one of these compressed by gzip, a zip archive or a folder.
    keep_rejected
        Also what whoever made the file did not use.
    keep_uncertainties
        Uncertainties of Hipparcos as they are written, and not inflated.
    source_id
        Only the source with this number.
    catalogue_parallax_mas
        The parallax to which abscissae of Hipparcos are residuals, where the file does not tell it.
    """
    return list(
        stream_astrometry(
            path,
            keep_rejected=keep_rejected,
            keep_uncertainties=keep_uncertainties,
            source_id=source_id,
            catalogue_parallax_mas=catalogue_parallax_mas,
        )
    )


@takes_numbers
def stream_astrometry(
    path: PathLike,
    *,
    keep_rejected: bool = False,
    keep_uncertainties: bool = False,
    source_id: Optional[int] = None,
    catalogue_parallax_mas: float = 0.0,
) -> Iterator[Astrometry]:
    """The same one source at a time, for files of many."""
    chosen = options(
        _c.equant_sky_reading,
        keep_rejected=int(keep_rejected),
        keep_uncertainties=int(keep_uncertainties),
        source_id=source_id,
        catalogue_parallax_mas=catalogue_parallax_mas,
    )
    read_path(path)  # refuses what is no path, too
    if not parquet.is_parquet(path):
        yield from _stream(path, chosen)
        return
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, os.path.basename(os.fsdecode(path)) + ".csv")
        with open(table, "w", encoding="utf-8") as file:
            parquet.write_as_text(path, file)
        yield from _stream(table, chosen)


def _stream(path: PathLike, chosen: Any) -> Iterator[Astrometry]:
    stream = Handle(
        _c.equant_sky_stream_open, _c.equant_sky_stream_free, read_path(path), pointer(chosen)
    )
    while True:
        source = _handle(_c.equant_sky_stream_next, stream.pointer)
        if source.pointer is None:
            break
        yield Astrometry(source)
    n_left_out = _c.equant_sky_stream_n_left_out(stream.pointer)
    if n_left_out > 0:
        warnings.warn(
            f"{os.fsdecode(path)}: {n_left_out} sources have no row that can be used", stacklevel=3
        )
    n_others = _c.equant_sky_stream_n_other_files(stream.pointer)
    if n_others > 0:
        warnings.warn(
            f"{os.fsdecode(path)}: files that are no tables of astrometry: {n_others}, left out",
            stacklevel=3,
        )


@takes_numbers(
    hip_id=COUNT,
    gaia_id=COUNT,
    chi_square=NUMBER,
    hipparcos_correlation=NUMBER,
    long_correlation=NUMBER,
    gaia_correlation=NUMBER,
)
@dataclass(frozen=True)
class SkyMotions:
    """A star in the Hipparcos-Gaia Catalogue of Accelerations.

    Proper motions are towards East and North, in mas a year: around the epoch of Hipparcos, from
    one epoch to the other (``long``), and around that of Gaia.
    """

    hip_id: int
    gaia_id: int
    ra_deg: float
    dec_deg: float
    parallax_mas: float
    parallax_err_mas: float
    hipparcos_mas_yr: tuple[float, float]
    hipparcos_err_mas_yr: tuple[float, float]
    hipparcos_correlation: float
    long_mas_yr: tuple[float, float]
    long_err_mas_yr: tuple[float, float]
    long_correlation: float
    gaia_mas_yr: tuple[float, float]
    gaia_err_mas_yr: tuple[float, float]
    gaia_correlation: float
    hipparcos_epoch_yr: tuple[float, float]
    gaia_epoch_yr: tuple[float, float]
    chi_square: float

    def star(self) -> Astrometry:
        """The star of this row without any position: what a fit of velocities and of these motions
        takes as its source.
        """
        name = f"HIP {self.hip_id}".encode()
        return Astrometry(_handle(_c.equant_astrometry_create_empty, self.hip_id, name))


@takes_numbers(star=COUNT)
def read_motions(path: PathLike, star: int = 0) -> SkyMotions:
    """One row of the catalogue of accelerations, a FITS file.

    Parameters
    ----------
    path
        The catalogue, or a part of it.
    star
        A Hipparcos or Gaia number; not needed where there is but one row.
    """
    read = options(_c.equant_sky_motions)
    call(_c.equant_sky_motions_read, read_path(path), star, read)
    values: dict[str, Any] = {}
    for name in SkyMotions.__dataclass_fields__:
        value = getattr(read, name)
        values[name] = value if isinstance(value, (int, float)) else tuple(value)
    return SkyMotions(**values)


def _kinds(kind: Any, n_rows: int) -> Array:
    words = words_of("equant_sky_kind")
    given = [kind] * n_rows if isinstance(kind, str) else list(kind)
    unknown = [word for word in given if word not in words]
    if unknown:
        raise InvalidArgument(f"kind must be 'star', 'companion' or 'scan', not {unknown[0]!r}")
    return np.array([words[word] for word in given], dtype=np.int32)


def _handle(create: Any, *arguments: Any) -> Handle:
    return Handle(create, _c.equant_astrometry_free, *arguments)
