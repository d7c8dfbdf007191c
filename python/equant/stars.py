"""Many stars: files that hold them, and fits of many at a time."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Iterator, Union

from . import _c
from ._data_options import data_options
from ._memory import Handle, options, path_text, pointer, string, text
from ._spoken_call import spoken_call
from .data import Data, PathLike, data_pointer
from .engine import EngineLike, as_engine
from .errors import Error, call
from .fitted_star import Fit, _contents
from .progress import ProgressLike, Watch


def stream_stars(
    path: PathLike, *, unit: str = "from_file", skip_bad_rows: bool = False
) -> Iterator[tuple[str, Data]]:
    """The stars of a file one after the other, each with its name.

    Parameters
    ----------
    path
        A table as :meth:`equant.Data.from_files` reads it, with a column ``star`` more, that says
        whose a row is; the rows of a star stand together. A file without such a column is one
        star, with the name of the file.
    unit, skip_bad_rows
        As in :meth:`equant.Data.from_files`.
    """
    chosen = data_options(unit, None, skip_bad_rows=skip_bad_rows)
    stream = Handle(
        _c.equant_star_stream_open, _c.equant_star_stream_free, path_text(path), pointer(chosen)
    )
    while True:
        handle = Handle(_c.equant_star_stream_next, _c.equant_dataset_free, stream.pointer)
        if handle.pointer is None:
            break
        yield string(_c.equant_star_stream_name(stream.pointer)), Data(handle)


def fit_stars(
    stars: Iterable[Data],
    *,
    max_planets: int = 1,
    false_alarm_max: float = 0.0,
    period_min_days: float = 0.0,
    period_max_days: float = 0.0,
    eccentricity_max: float = 0.0,
    noise: str = "white",
    seed: int = 0,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> list[Union[Fit, Error]]:
    """Fits many stars, each as :func:`equant.fit` does, to the same bits.

    As many are under way as the engine has threads; their scans go to a GPU together, where there
    is one. Other defaults than those of :func:`equant.fit`: one planet, and white noise.

    Parameters
    ----------
    stars
        All are in memory together: for more, call it for one batch after the other.
    max_planets, false_alarm_max, period_min_days, period_max_days, eccentricity_max, noise, seed
        As in :func:`equant.fit`.
    engine, progress
        As in :func:`equant.search`.

    Returns
    -------
    list
        For each star its fit, or the error that says why there is none.
    """
    held = list(stars)
    made_by = spoken_call(fit_stars, locals())
    n = len(held)
    addresses = (ctypes.c_void_p * max(n, 1))(*(data_pointer(data) for data in held))
    fits = (ctypes.c_void_p * max(n, 1))()
    statuses = (ctypes.c_int * max(n, 1))()
    watch = Watch(progress)
    chosen_engine = as_engine(engine)
    chosen = options(
        _c.equant_fit_options,
        engine=pointer(chosen_engine._options()),
        max_planets=max_planets,
        false_alarm_max=false_alarm_max,
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        eccentricity_max=eccentricity_max,
        noise=text(noise),
        seed=seed,
        progress=watch.callback,
    )

    def run(place: Any) -> int:
        status: int = _c.equant_fit_stars(n, addresses, chosen, fits, statuses)
        return status

    watch.create(run, lambda nothing: None)
    handles = [None if found is None else _adopted(found) for found in fits[:n]]
    chosen.progress = type(watch.callback)()
    return [
        _reason(data, chosen)
        if handle is None
        else Fit(_contents(handle, data, 0.0, made_by), data, chosen_engine)
        for handle, data in zip(handles, held)
    ]


def _adopted(address: int) -> Handle:
    """A fit that is there already."""

    def give(place: Any) -> int:
        place._obj.value = address
        return int(_c.EQUANT_SUCCESS)

    return Handle(give, _c.equant_fit_free)


def _reason(data: Data, chosen: Any) -> Error:
    """Why a star has no fit: the sentence was said on another thread, and is asked for again."""
    place = ctypes.c_void_p()
    try:
        call(_c.equant_fit_star, data_pointer(data), chosen, ctypes.byref(place))
    except Error as error:
        return error
    _c.equant_fit_free(place)
    return Error("it failed once, and not again")
