"""What the package writes takes the place neither of data that were read nor of others' files."""

import contextlib
import os
import stat
import sys
import types

import numpy as np
import pytest

import equant
from equant._folder.fit_folder import FILES
from equant.radvel import convert_setup
from test_radvel_setup import setup


@pytest.fixture(scope="module")
def fit():
    return equant.fit(equant.Data.demonstration(), 1, period_min_days=500, period_max_days=2000)


def table_of_sources():
    """A table without rows, which is written as any other."""
    return equant.catalogue_astrometry([])


def link(kind, source, target):
    (os.symlink if kind == "symlink" else os.link)(source, target)


def writers(fit):
    """What is written, by name, and how, into a path of that name in a folder."""
    return {
        **{name: (lambda folder: fit.save(folder)) for name in sorted(FILES)},
        "star.yaml": lambda folder: convert_setup(setup()).write(folder),
        "velocities.csv": lambda folder: convert_setup(setup()).write(folder),
        "table.csv": lambda folder: (
            equant.write_catalogue(table_of_sources(), folder / "table.csv")
        ),
        "report.html": lambda folder: fit.report(folder, periodograms=False),
    }


def test_files_of_a_person_stay(fit, tmp_path):
    for name, write in writers(fit).items():
        folder = tmp_path / name.replace(".", "_")
        folder.mkdir()
        (folder / name).write_text("precious\n")
        with pytest.raises(equant.InvalidArgument, match=f"{name} would be overwritten"):
            write(folder)
        assert (folder / name).read_text() == "precious\n"
        assert [p.name for p in folder.iterdir()] == [name]


@pytest.mark.parametrize("kind", ["itself", "symlink", "hard link"])
def test_data_stay(fit, tmp_path, kind):
    """Also where they begin as what is written."""
    for name, write in writers(fit).items():
        folder = tmp_path / name.replace(".", "_")
        folder.mkdir()
        data = folder / name if kind == "itself" else tmp_path / f"data-{name}"
        write(folder)  # a file of the kind, in which there are now data
        (folder / name).rename(data)
        begun = data.read_bytes()
        data.write_bytes(begun + b"# 1 2 3\n")
        with contextlib.suppress(equant.Error):  # most of them are no data; read they were
            equant.Data.from_files(data)
        if kind != "itself":
            link(kind, data, folder / name)
        with pytest.raises(equant.InvalidArgument, match="was read as data"):
            write(folder)
        assert data.read_bytes() == begun + b"# 1 2 3\n"


def test_own_files_are_replaced(fit, tmp_path):
    for _ in range(2):
        for write in writers(fit).values():
            write(tmp_path)
    assert not [p.name for p in tmp_path.iterdir() if ".part" in p.name or "lock" in p.name]


def test_force_replaces_files_of_a_person_and_no_data(tmp_path):
    table = table_of_sources()
    target = tmp_path / "table.csv"
    target.write_text("time,rv,err\n1,2,3\n2,3,4\n")
    equant.write_catalogue(table, target, force=True)
    target.write_text("time,rv,err\n1,2,3\n2,3,4\n")
    equant.Data.from_files(target)
    with pytest.raises(equant.InvalidArgument, match="was read as data"):
        equant.write_catalogue(table, target, force=True)
    (tmp_path / "velocities.csv").write_text("time,rv,err,instrument\n1,2,3,mine\n")
    with pytest.raises(equant.InvalidArgument, match="velocities.csv would be overwritten"):
        convert_setup(setup()).write(tmp_path)
    assert not (tmp_path / "star.yaml").exists()
    convert_setup(setup()).write(tmp_path, force=True)
    assert equant.Data.from_files(tmp_path / "velocities.csv").n_obs == 40


def test_the_setup_file_itself_stays(tmp_path):
    source = tmp_path / "star.yaml"  # it is run as Python, whatever its name
    source.write_text("# Converted from a setup file of radvel.\nfrom setup_of_test import *\n")
    module = types.ModuleType("setup_of_test")
    vars(module).update(vars(setup()))

    sys.modules["setup_of_test"] = module
    before = source.read_bytes()
    for force in (False, True):
        with pytest.raises(equant.InvalidArgument, match="was read as data"):
            convert_setup(source).write(tmp_path, force=force)
    assert source.read_bytes() == before


def test_names_are_not_foreseen_and_modes_follow_the_mask(tmp_path):
    """What somebody has put where a temporary file used to be is not followed."""
    target = tmp_path / "table.csv"
    victim = tmp_path / "victim"
    victim.write_text("precious\n")
    (tmp_path / f"table.csv.part-{os.getpid()}").symlink_to(victim)
    mask = os.umask(0o027)
    try:
        equant.write_catalogue(table_of_sources(), target)
    finally:
        os.umask(mask)
    assert victim.read_text() == "precious\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_removed_file_is_forgotten(tmp_path):
    """A new file may have the number of one that was read and is gone."""
    for _ in range(20):
        read = tmp_path / "read.csv"
        read.write_text("time,rv,err\n1,2,3\n2,3,4\n")
        equant.Data.from_files(read)
        read.unlink()
        target = tmp_path / "table.csv"
        equant.write_catalogue(table_of_sources(), target)
        equant.write_catalogue(table_of_sources(), target)
        target.unlink()
    assert np.asarray(table_of_sources()).size == 0
