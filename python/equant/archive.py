"""Archives: many stars, by many processes on one machine or on many, or together in this one."""

from __future__ import annotations

import csv
import ctypes
import json
import os
import re
import subprocess
import tempfile
import time
from typing import Any, Iterable, Iterator, Mapping, Optional, Sequence, Union

import numpy as np

from . import _c
from ._archives.star_results import reason
from ._data.options import data_options
from ._folder.program import option, program
from ._folder.spoken_call import spoken_call
from ._memory import Handle, adopted, pointer, read_path, string, text
from ._memory import options as options_of
from ._numbers.gate import takes_numbers
from .data import Data, PathLike, data_pointer
from .engine import EngineLike, as_engine
from .errors import Error, InputOutputError, InvalidArgument
from .fitted_star import Fit, fit_of
from .progress import ProgressLike, Watch
from .star import Star
from .table import Table

Files = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

_PATIENCE_S = 3600


@takes_numbers
def fit_many(
    stars: Mapping[str, Files],
    folder: str | os.PathLike[str],
    *,
    options: Sequence[str] = (),
    client: Optional[Any] = None,
    n_shards: Optional[int] = None,
    retries: int = 3,
) -> Table:
    """Fits many stars, each in a process of its own and into a folder of its own.

    Parameters
    ----------
    stars
        A name for each star, and its file or files.
    folder
        Where results go: what ``equant fit --batch`` leaves there. Called again with the same folder
        it does what is missing. With a client, all of its workers must see the folder.
    options
        Of the command ``equant fit``, such as ``["--noise", "night", "--workers", "4"]``.
    client
        A ``dask.distributed.Client``: shards of the stars become its tasks. None: this machine.
    n_shards
        How many tasks; None makes four for each thread of the client's workers.
    retries
        How often a task is begun again whose worker was lost.

    Returns
    -------
    Table
        A row for each star, by name: ``name``, ``status`` (``ok`` where there is a fit),
        ``n_planets``, lists of ``period_days``, ``k_m_s``, ``eccentricity``, and the rest of
        ``summary.ecsv``. A star without a fit has its ``message``.
    """
    return _many("fit", stars, folder, options, client, n_shards, retries)


@takes_numbers
def sample_many(
    stars: Mapping[str, Files],
    folder: str | os.PathLike[str],
    *,
    options: Sequence[str],
    client: Optional[Any] = None,
    n_shards: Optional[int] = None,
    retries: int = 3,
) -> Table:
    """Samples many stars, each in a process of its own and into a folder of its own.

    Runs that were cut off go on from their last checkpoints.

    Parameters
    ----------
    stars, folder, client, n_shards, retries
        As in :func:`fit_many`.
    options
        Of the command ``equant sample``, ``--planets`` among them: ``["--planets", "1"]``.

    Returns
    -------
    Table
        That of :func:`fit_many`, with medians; ``message`` tells of runs that have not converged.
    """
    return _many("sample", stars, folder, options, client, n_shards, retries)


def _many(
    command: str,
    stars: Mapping[str, Files],
    folder: str | os.PathLike[str],
    options: Sequence[str],
    client: Optional[Any],
    n_shards: Optional[int],
    retries: int,
) -> Table:
    if not stars:
        raise InvalidArgument(f"{command}_many: there are no stars")
    target = os.path.abspath(folder)
    lines = [_line(name, files) for name, files in stars.items()]
    if client is None:
        _run_shard(command, lines, target, options, None)
    else:
        _run_tasks(client, command, lines, target, options, n_shards, retries)
        _merge(target)
    return _read_table(os.path.join(target, "summary.ecsv"), set(stars))


def _line(name: str, files: Files) -> str:
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    if not isinstance(name, str):
        raise InvalidArgument(f"the name of a star is text, and {name!r} is none; write '{name}'")
    if any(ord(letter) < 0x20 or letter == '"' for letter in name):
        raise InvalidArgument(f"the name {name!r} has a quote or a control character")
    cells = [f'"{name}"', *(os.path.abspath(path) for path in paths)]
    if len(cells) < 2 or any("\t" in cell or "\n" in cell for cell in cells):
        raise InvalidArgument(f"the star {name!r} needs files, without tabs in their names")
    return "\t".join(cells)


def _run_tasks(
    client: Any,
    command: str,
    lines: list[str],
    folder: str,
    options: Sequence[str],
    n_shards: Optional[int],
    retries: int,
) -> None:
    n_threads = sum(client.nthreads().values()) or 1
    n = min(len(lines), n_shards or 4 * n_threads)
    tasks = [
        client.submit(
            _run_shard,
            command,
            lines,
            folder,
            ["--threads", "1", *options],
            f"{i + 1}/{n}",
            retries=retries,
            pure=False,
        )
        for i in range(n)
    ]
    client.gather(tasks)


def _run_shard(
    command: str, lines: list[str], folder: str, options: Sequence[str], shard: Optional[str]
) -> None:
    """A batch of the command. Stars that fail are in its table; only a batch that cannot be run at
    all is an error.
    """
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".list", encoding="utf-8") as list_file:
        list_file.write("".join(line + "\n" for line in lines))
        list_file.flush()
        arguments = [command, option("batch", list_file.name), option("out", folder), *options]
        arguments += [option("shard", shard)] if shard else []
        run = _run(arguments)
        # A worker that was killed leaves a batch behind, which ends with its next star.
        for _ in range(_PATIENCE_S if shard else 0):
            if "in use by process" not in run.stderr:
                break
            time.sleep(1)
            run = _run(arguments)
    if run.returncode != 0 and run.stderr.strip():
        raise InputOutputError(run.stderr.strip())


def _merge(folder: str) -> None:
    run = _run(["merge", folder])
    if run.returncode != 0:
        raise InputOutputError(run.stderr.strip() or f"equant ended with {run.returncode}")


def _run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(), *arguments], capture_output=True, encoding="utf-8", errors="replace"
    )


def _read_table(path: str, names: set[str]) -> Table:
    with open(path, encoding="utf-8", newline="") as stream:
        lines = list(stream)
    rows = [row for row in csv.DictReader(line for line in lines if not line.startswith("#"))]
    rows = [row for row in rows if row["name"] in names]
    kinds = _column_kinds(lines)
    columns = list(rows[0]) if rows else []
    return Table(
        {name: _column([row[name] for row in rows], kinds.get(name, "")) for name in columns}
    )


def _column_kinds(lines: Sequence[str]) -> dict[str, str]:
    """What the header of an ECSV table says of its columns: "string", "float64", or "list"."""
    described = (
        re.match(r"# - \{name: (\w+),.*datatype: (\w+)(, subtype)?", line) for line in lines
    )
    return {found[1]: "list" if found[3] else found[2] for found in described if found is not None}


def _column(cells: list[str], kind: str) -> Any:
    """Numbers, lists of numbers, or texts: names of stars may look like either."""
    if kind == "list":
        lists = np.empty(len(cells), dtype=object)
        for i, cell in enumerate(cells):
            lists[i] = [np.nan if x is None else x for x in json.loads(cell or "[]")]
        return lists
    if kind == "int64" and all(map(str.isdecimal, cells)):
        return np.array([int(cell) for cell in cells])
    if kind in ("int64", "float64"):
        return np.array([float(cell or "nan") for cell in cells])
    return np.array(cells, dtype=object)


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
        _c.equant_star_stream_open, _c.equant_star_stream_free, read_path(path), pointer(chosen)
    )
    while True:
        handle = Handle(_c.equant_star_stream_next, _c.equant_dataset_free, stream.pointer)
        if handle.pointer is None:
            break
        yield string(_c.equant_star_stream_name(stream.pointer)), Data(handle)


@takes_numbers
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
    chosen = options_of(
        _c.equant_fit_options,
        engine=pointer(chosen_engine._options()),
        max_planets=max_planets,
        false_alarm_max=false_alarm_max,
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        eccentricity_max=eccentricity_max,
        noise=text(noise, "noise"),
        seed=seed,
        progress=watch.callback,
    )

    def run(place: Any) -> int:
        status: int = _c.equant_fit_stars(n, addresses, chosen, fits, statuses)
        return status

    watch.create(run, lambda nothing: None)
    handles = [None if found is None else adopted(found, _c.equant_fit_free) for found in fits[:n]]
    chosen.progress = type(watch.callback)()
    return [
        (
            reason(data, chosen, _c.equant_fit_star, _c.equant_fit_free)
            if handle is None
            else fit_of(handle, data, Star(), made_by, chosen_engine)
        )
        for handle, data in zip(handles, held)
    ]
