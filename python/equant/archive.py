"""Archives: many stars fitted by many processes, on one machine or on many."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
import time
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from ._folder.program import program
from .errors import InputOutputError, InvalidArgument
from .table import Table

Files = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]

_PATIENCE_S = 3600


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
    if not stars:
        raise InvalidArgument("fit_many: there are no stars")
    target = os.path.abspath(folder)
    lines = [_line(name, files) for name, files in stars.items()]
    if client is None:
        _run_shard(lines, target, options, None)
    else:
        _run_tasks(client, lines, target, options, n_shards, retries)
        _merge(target)
    return _read_table(os.path.join(target, "summary.ecsv"), set(stars))


def _line(name: str, files: Files) -> str:
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    cells = [name, *(os.path.abspath(path) for path in paths)]
    if len(cells) < 2 or any("\t" in cell or "\n" in cell for cell in cells):
        raise InvalidArgument(f"fit_many: {name!r} needs files, without tabs in their names")
    return "\t".join(cells)


def _run_tasks(
    client: Any,
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
    lines: list[str], folder: str, options: Sequence[str], shard: Optional[str]
) -> None:
    """A batch of the command. Stars that fail are in its table; only a batch that cannot be run at
    all is an error."""
    os.makedirs(folder, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".list", encoding="utf-8") as list_file:
        list_file.write("".join(line + "\n" for line in lines))
        list_file.flush()
        arguments = ["fit", "--batch", list_file.name, "--out", folder, *options]
        run = _run(arguments + (["--shard", shard] if shard else []))
        # A worker that was killed leaves a batch behind, which ends with its next star.
        for _ in range(_PATIENCE_S if shard else 0):
            if "in use by process" not in run.stderr:
                break
            time.sleep(1)
            run = _run(arguments + ["--shard", str(shard)])
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
        lines = [line for line in stream if not line.startswith("#")]
    rows = [row for row in csv.DictReader(lines) if row["name"] in names]
    columns = list(rows[0]) if rows else []
    return Table({column: _column([row[column] for row in rows]) for column in columns})


def _column(cells: list[str]) -> Any:
    """Numbers, lists of numbers, or texts."""
    if cells and all(cell.startswith("[") for cell in cells):
        lists = np.empty(len(cells), dtype=object)
        for i, cell in enumerate(cells):
            lists[i] = [np.nan if x is None else x for x in json.loads(cell)]
        return lists
    for kind in (int, float):
        try:
            return np.array([kind(cell) for cell in cells])
        except ValueError:
            continue
    return np.array(cells, dtype=object)
