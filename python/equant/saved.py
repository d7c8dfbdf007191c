"""Results in folders, as the command line has them, and pages about them."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Optional, Sequence, Union

from . import _c
from ._folder.fit_folder import MARK, read_fit
from ._folder.folder_lock import RUN, folder_lock
from ._folder.paper_tables import PaperTables
from ._folder.program import option, run_program
from ._folder.whole_file import Kind, check_target, make_folder
from ._memory import path_text
from .data import PathLike
from .errors import InputOutputError, InvalidArgument, call
from .fitted_star import Fit

if TYPE_CHECKING:
    from ._sky.sky_posterior import SkyPosterior
    from .posterior import Posterior

PAGE = "report.html"
_PAGE = Kind(
    "a page of `equant report`",
    '<!DOCTYPEhtml><htmllang="en"><head><metacharset="utf-8"><metaname="viewport"content="width='
    'device-width,initial-scale=1"><metaname="generator"content="equant',
)

VIEW = "view.html"
_VIEW = Kind(
    "a page of `equant view`",
    '<!DOCTYPEhtml><htmllang="en"><head><metacharset="utf-8">'
    '<metaname="application-name"content="equant">',
)


def load(path: PathLike, what: Optional[str] = None) -> Union[Fit, Posterior, SkyPosterior]:
    """What :meth:`Fit.save`, :meth:`Posterior.save` or the command line left in a folder.

    A run of astrometry is a :class:`SkyPosterior`.

    Parameters
    ----------
    path
        A folder, or the file of a run.
    what
        ``"fit"`` or ``"run"``, of a folder that holds both.

    Examples
    --------
    >>> import equant, tempfile
    >>> found = equant.fit(equant.Data.demonstration(), 1, period_min_days=500)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     found.save(folder)
    ...     print(len(equant.load(folder).planets))
    1
    """
    place = os.fsdecode(path_text(path))
    if what not in (None, "fit", "run"):
        raise InvalidArgument(f"what must be 'fit' or 'run', not {what!r}")
    if not os.path.isdir(place):
        return _open_run(place)
    there = {
        name: os.path.exists(os.path.join(place, file))
        for name, file in (("fit", MARK), ("run", RUN))
    }
    if what is None and all(there.values()):
        raise InvalidArgument(f"{place}: here are a fit and a run; say what='fit' or what='run'")
    if not (there[what] if what else any(there.values())):
        missing = {"fit": f"no {MARK}", "run": f"no {RUN}", None: f"neither {MARK} nor {RUN}"}
        raise InputOutputError(f"{place}: here is {missing[what]}")
    if what == "fit" or (what is None and there["fit"]):
        return read_fit(place)
    return _open_run(place)


def _open_run(place: str) -> Union[Posterior, SkyPosterior]:
    from ._sky.sky_posterior import SkyPosterior
    from .posterior import Posterior, run_path

    is_of_sky = _c.equant_sky_posterior_recognises(run_path(place))
    return SkyPosterior.open(place) if is_of_sky else Posterior.open(place)


def save_run(posterior: Posterior, folder: PathLike, overwrite: bool, force: bool) -> None:
    """Writes the file of a run into its folder."""
    place = os.fsdecode(path_text(folder))
    path = os.path.join(place, RUN)
    make_folder(place)
    with folder_lock(place, force):
        if os.path.exists(path) and not overwrite:
            raise InvalidArgument(
                f"{path} is there already; name another folder, or say overwrite=True"
            )
        call(_c.equant_posterior_save, posterior._handle.pointer, path_text(path))


def _save_results(place: str, star_name: Optional[str], *results: Optional[PaperTables]) -> None:
    """Fits and posteriors of one star into a folder that the command is to read."""
    from .posterior import Posterior

    for result in results:
        if isinstance(result, Fit):
            result.save(place, star_name=star_name)
        elif isinstance(result, Posterior):
            save_run(result, place, False, False)


def make_table(
    of: PaperTables,
    *,
    what: str,
    style: str,
    mass_unit: str,
    star_name: Optional[str],
    document: bool,
) -> str:
    """The text of a table for a paper, as ``equant table`` makes it."""
    arguments = ["table", "star"]
    arguments += [option("what", what), option("style", style), option("mass-unit", mass_unit)]
    arguments += [option("star", star_name)] if star_name else []
    arguments += ["--document"] if document else []
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "star")
        _save_results(place, star_name, of)
        target = os.path.join(folder, "table")
        run_program([*arguments, option("out", target)], folder)
        with open(target, encoding="utf-8") as file:
            return file.read()


def write_report(
    path: PathLike,
    fit: Optional[Fit],
    posterior: Optional[Posterior],
    *,
    star_name: Optional[str] = None,
    references: Sequence[str] = (),
    eccentric: bool = False,
    periodograms: bool = True,
) -> str:
    """Makes the page of a fit, a run or both; answers with its path."""
    target = os.path.abspath(os.fsdecode(path_text(path)))
    if os.path.isdir(target):
        target = os.path.join(target, PAGE)
    check_target(target, _PAGE)
    arguments = ["report", "star", option("out", target)]
    arguments += [option("star", star_name)] if star_name else []
    arguments += [option("reference", text) for text in references]
    arguments += ["--eccentric"] if eccentric else []
    arguments += [] if periodograms else ["--no-periodograms"]
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "star")
        _save_results(place, star_name, fit, posterior)
        run_program(arguments, folder)
    return target


def write_view(path: PathLike, fit: Fit, page: Optional[PathLike]) -> str:
    """Makes the page for browsers with a fit in it; answers with its path."""
    target = os.path.abspath(os.fsdecode(path_text(path)))
    if os.path.isdir(target):
        target = os.path.join(target, VIEW)
    check_target(target, _VIEW)
    arguments = ["view", "star", option("out", target)]
    if page is not None:
        arguments += [option("page", os.path.abspath(os.fsdecode(path_text(page))))]
    with tempfile.TemporaryDirectory() as folder:
        _save_results(os.path.join(folder, "star"), None, fit, None)
        run_program(arguments, folder)
    return target
