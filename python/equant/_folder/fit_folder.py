"""The folder of a fit, which the library writes and reads."""

from __future__ import annotations

import ctypes
import os
import tempfile
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Optional

from .. import _c
from .._memory import Handle, adopted, options, path_text, pointer, string, text, texts
from ..data import Data, data_pointer
from ..errors import call
from ..star import Star
from .folder_lock import folder_lock
from .whole_file import make_folder, refuse_inputs

if TYPE_CHECKING:
    from ..fitted_star import Fit

MARK = "fit.json"  # written last: a folder with it is complete
TABLES = ("planets.ecsv", "parameters.ecsv", "covariance.ecsv", "residuals.ecsv")
FILES = (*TABLES, "origin.json", MARK)


class StoredFit:
    """A fit of the library. Pickled, it is the files of its folder, which are read when needed."""

    def __init__(self, handle: Handle) -> None:
        self._handle: Optional[Handle] = handle
        self._files: dict[str, bytes] = {}

    def handle(self) -> Handle:
        """The library's fit."""
        if self._handle is None:
            with tempfile.TemporaryDirectory() as folder:
                for name, contents in self._files.items():
                    with open(os.path.join(folder, name), "wb") as file:
                        file.write(contents)
                self._handle = read_folder(folder)[0]
        return self._handle

    def pickled(self, data: Data) -> StoredFit:
        """The same without the library's memory."""
        twin = StoredFit.__new__(StoredFit)
        twin._handle, twin._files = None, self._files
        if self._handle is not None:
            with tempfile.TemporaryDirectory() as folder:
                _write(self._handle, data, options(_c.equant_record_options), folder)
                for name in FILES:
                    with open(os.path.join(folder, name), "rb") as file:
                        twin._files[name] = file.read()
        return twin


def _write(handle: Handle, data: Data, record: Any, folder: str) -> None:
    call(_c.equant_fit_write, handle.pointer, data_pointer(data), record, os.fsencode(folder))


def write_fit(fit: Fit, folder: str, star_name: Optional[str], is_forced: bool) -> None:
    """Writes all files of a fit."""
    warnings = texts([*fit.data.warnings, ""])  # never an empty array, which has no address
    hints = texts(fit.hints)
    record = options(
        _c.equant_record_options,
        star_name=text(star_name),
        made_by=text(fit.made_by),
        star=pointer(fit.star._options()),
        n_warnings=len(fit.data.warnings),
        warnings=ctypes.cast(warnings, ctypes.POINTER(ctypes.c_char_p)),
        n_hints=len(fit.hints),
        hints=ctypes.cast(hints, ctypes.POINTER(ctypes.c_char_p)),
    )
    make_folder(folder)
    with folder_lock(folder, is_forced):
        refuse_inputs(os.path.join(folder, name) for name in FILES)
        _write(fit.stored.handle(), fit.data, record, folder)


def read_folder(folder: str) -> tuple[Handle, Handle, Handle]:
    """The library's fit, its data and its origin."""
    places = [ctypes.c_void_p() for _ in range(3)]
    call(_c.equant_fit_read, path_text(folder), *map(ctypes.byref, places))
    free = (_c.equant_fit_free, _c.equant_dataset_free, _c.equant_origin_free)
    fit, data, origin = (adopted(place.value, own) for place, own in zip(places, free))
    return fit, data, origin


def read_fit(folder: str) -> Fit:
    """The fit that somebody, the command line or :meth:`Fit.save`, left in a folder."""
    from ..engine import Engine
    from ..fitted_star import fit_of

    fit, data, origin = read_folder(folder)
    known = _c.equant_origin_options(origin.pointer).contents
    star = known.star.contents
    found = fit_of(
        fit,
        Data(data),
        Star(**{item.name: getattr(star, item.name) for item in fields(Star)}),
        string(known.made_by),
        Engine(),
    )
    found.hints = tuple(string(known.hints[index]) for index in range(known.n_hints))
    return found
