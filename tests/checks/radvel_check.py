"""Velocities of libequant against radvel's, an independent implementation.

    radvel_check.py LIBEQUANT.SO

Exits 1 where they differ by more than radvel's own error.
"""
import ctypes
import importlib.util
import os
import sys
import types

import numpy as np

N_OBS, N_ORBITS, T_REF = 301, 400, 2455000.0


def radvel_velocities():
    """radvel's rv_drive. Its package is entered by the side door: importing all
    of it would need a score of packages that have nothing to do with orbits."""
    package = types.ModuleType("radvel")
    package.__path__ = [os.path.dirname(importlib.util.find_spec("radvel").origin)]
    sys.modules["radvel"] = package
    from radvel import kepler
    return kepler.rv_drive


class ModelOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("n_planets", ctypes.c_size_t),
                ("n_instruments", ctypes.c_size_t), ("trend", ctypes.c_int),
                ("offset_columns", ctypes.c_int), ("trend_columns", ctypes.c_int),
                ("with_jitter", ctypes.c_int)]


class DatasetOptions(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("velocity_unit", ctypes.c_int),
                ("has_reference_time", ctypes.c_int), ("reference_time_days", ctypes.c_double)]


class Results(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t)] + [
        (name, ctypes.POINTER(ctypes.c_double))
        for name in ("chi_square", "log_likelihood", "linear", "velocities", "residuals")]


def doubles(array):
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def options(structure, **members):
    return structure(struct_size=ctypes.sizeof(structure), **members)


def equant_velocities(path, times, orbits):
    """[n_orbits][n_obs] velocities of one planet, offset zero."""
    library = ctypes.CDLL(path)
    library.equant_last_error.restype = ctypes.c_char_p

    def call(name, *arguments):
        if getattr(library, name)(*arguments) != 0:
            raise RuntimeError(name + ": " + library.equant_last_error().decode())

    dataset, model, evaluator = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    zeros, ones = np.zeros_like(times), np.ones_like(times)
    call("equant_dataset_from_arrays", ctypes.c_size_t(len(times)), doubles(times), doubles(zeros),
         doubles(ones), None, ctypes.c_size_t(1), None,
         ctypes.byref(options(DatasetOptions, has_reference_time=1, reference_time_days=T_REF)),
         ctypes.byref(dataset))
    call("equant_model_create", ctypes.byref(options(ModelOptions, n_planets=1, offset_columns=1)),
         ctypes.byref(model))
    call("equant_evaluator_create", dataset, model, None, ctypes.byref(evaluator))
    parameters = np.hstack([orbits, np.zeros((len(orbits), 1))])
    velocities = np.empty((len(orbits), len(times)))
    call("equant_evaluator_evaluate", evaluator, ctypes.c_size_t(len(orbits)), doubles(parameters),
         ctypes.byref(options(Results, velocities=doubles(velocities))))
    library.equant_evaluator_free(evaluator)
    library.equant_model_free(model)
    library.equant_dataset_free(dataset)
    return velocities


def draw_orbits(random):
    """Columns period, K, e, omega, M0; radvel stops at e = 0.99."""
    n = N_ORBITS
    orbits = np.column_stack([2 * (3652.5 / 2) ** random.random(n), 500 ** random.random(n),
                              0.98 * random.random(n), 2 * np.pi * random.random(n),
                              2 * np.pi * random.random(n)])
    orbits[0, 2] = 0
    return orbits


def main():
    rv_drive = radvel_velocities()
    random = np.random.default_rng(2008)
    times = np.sort(T_REF + 4000 * (random.random(N_OBS) - 0.5))
    orbits = draw_orbits(random)
    ours = equant_velocities(sys.argv[1], times, orbits)
    worst = 0
    for velocities, (period, k, e, omega, m0) in zip(ours, orbits):
        pericentre = T_REF - m0 / (2 * np.pi) * period
        theirs = rv_drive(times, [period, pericentre, e, omega, k])
        # radvel iterates to 1e-12 in M, and its (t - tp)/P comes from Julian
        # dates: both grow by up to dnu/dM at pericentre.
        mean_error = 4e-12 + 2 * np.pi * 2 * np.spacing(T_REF) / period
        allowed = k * (mean_error * np.sqrt(1 - e * e) / (1 - e) ** 2 + 1e-12)
        worst = max(worst, np.max(np.abs(velocities - theirs)) / allowed)
    print("%d orbits, %d times: largest difference %.3f of radvel's error" %
          (N_ORBITS, N_OBS, worst))
    return 0 if worst <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
