"""Arrays on a GPU. What needs one is skipped without; the handshakes are tested without."""

import copy
import ctypes
import gc
import pickle
import sys

import numpy as np
import pytest

import equant
from equant import _c
from equant._packages import dlpack as _dlpack
from equant.device import device_memory

HAS_GPU = any(b.name.startswith("cuda") and b.available for b in equant.backends())
needs_gpu = pytest.mark.skipif(not HAS_GPU, reason="there is no GPU that equant can use")


class PretendedGpu:
    """Functions of a device over memory of the host: addresses, shapes and streams are as real."""

    def __init__(self):
        self.memory, self.streams, self.waits = {}, [], 0

    def allocate(self, backend, n_bytes, place):
        block = ctypes.create_string_buffer(n_bytes)
        self.memory[ctypes.addressof(block)] = block
        place._obj.value = ctypes.addressof(block)
        return 0

    def free(self, backend, address):
        del self.memory[address]

    def copy(self, backend, n_bytes, source, target):
        ctypes.memmove(target, source, n_bytes)
        return 0

    def wait(self, backend):
        self.waits += 1
        return 0

    def evaluate(self, evaluator, n_sets, parameters, results, stream):
        self.streams.append(stream)
        return _c.equant_evaluator_evaluate(evaluator, n_sets, parameters, results)

    def solve(self, *arguments):
        self.streams.append(arguments[-1])
        return _c.equant_kepler_solve(*arguments[:-1])


@pytest.fixture
def pretended(monkeypatch):
    gpu = PretendedGpu()
    for name in ("allocate", "free", "copy", "wait"):
        monkeypatch.setattr(_c, f"equant_device_{name}", getattr(gpu, name), raising=False)
    monkeypatch.setattr(_c, "equant_evaluator_evaluate_on_device", gpu.evaluate, raising=False)
    monkeypatch.setattr(_c, "equant_kepler_solve_on_device", gpu.solve, raising=False)
    yield gpu
    gc.collect()
    assert not gpu.memory, "memory of the device was not freed"


@pytest.fixture(params=["pretended", pytest.param("cuda", marks=needs_gpu)])
def engine(request):
    """Name of a backend with device memory, be it pretended."""
    if request.param == "pretended":
        request.getfixturevalue("pretended")
        return "cpu"
    return "cuda"


class Foreign:
    """An array as another package would describe it, here over memory of the host."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {
            "version": 3,
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (array.ctypes.data, False),
            "strides": None if array.flags.c_contiguous else array.strides,
            **changes,
        }


class Lender:
    """An object with DLPack, whose capsules are ours."""

    def __init__(self, array, device=(_dlpack.CPU, 0)):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        return _dlpack.capsule(self.array.ctypes.data, self.array.shape, self.device, self)


def test_arrays_of_the_host_are_not_on_a_device():
    assert device_memory(np.zeros(3)) is None
    assert device_memory([1.0]) is None
    assert device_memory(Lender(np.zeros(3))) is None


def test_cuda_array_interface_is_read():
    array = np.zeros((4, 5))
    memory = device_memory(Foreign(array, stream=7))
    assert memory.address == array.ctypes.data
    assert memory.shape == (4, 5)
    assert memory.stream == 7
    assert device_memory(Foreign(array, stream=7), 9).stream == 9


def test_streams_of_other_packages():
    stream = type("Stream", (), {"cuda_stream": 1234})()
    assert device_memory(Foreign(np.zeros(3)), stream).stream == 1234


@pytest.mark.parametrize("array", [np.zeros((4, 5), np.float32), np.zeros((5, 4)).T])
def test_other_layouts_are_refused(array):
    with pytest.raises(equant.InvalidArgument, match="C-contiguous, of float64"):
        device_memory(Foreign(array))


def test_an_engine_without_a_gpu_says_so():
    evaluator = equant.Evaluator(equant.Data.demonstration())
    with pytest.raises(equant.InvalidArgument, match="engine='cuda'"):
        evaluator.chi_square(Foreign(np.zeros(5)))
    evaluator = equant.Evaluator(equant.Data.demonstration(), engine="cpu")
    with pytest.raises(equant.Unavailable):
        evaluator.chi_square(Foreign(np.zeros(5)))


def test_dlpack_is_written():
    array = np.arange(6.0).reshape(2, 3)
    lender = Lender(array)
    seen = np.from_dlpack(lender)
    assert np.array_equal(seen, array)
    assert len(_dlpack._lent) == 1
    del seen
    gc.collect()
    assert len(_dlpack._lent) == 0


def test_dlpack_that_nobody_takes_is_dropped():
    capsule = Lender(np.zeros(3)).__dlpack__()
    assert len(_dlpack._lent) == 1
    del capsule
    assert len(_dlpack._lent) == 0


def test_dlpack_is_read_and_given_back():
    array = np.arange(6.0).reshape(2, 3)
    references = sys.getrefcount(array)
    tensor = _dlpack.Tensor(array.__dlpack__())
    assert tensor.address == array.ctypes.data
    assert tensor.shape == (2, 3) and tensor.is_contiguous_float64
    assert not _dlpack.Tensor(array.T.__dlpack__()).is_contiguous_float64
    assert not _dlpack.Tensor(np.zeros(3, np.float32).__dlpack__()).is_contiguous_float64
    del tensor
    assert sys.getrefcount(array) == references


def test_a_capsule_serves_once():
    capsule = np.zeros(3).__dlpack__()
    tensor = _dlpack.Tensor(capsule)
    with pytest.raises(BufferError):
        _dlpack.Tensor(capsule)
    del tensor


def test_dlpack_arrays_on_a_device_are_recognised():
    array = np.zeros((4, 5))
    memory = device_memory(Lender(array, (_dlpack.CUDA, 0)))
    assert memory.address == array.ctypes.data and memory.shape == (4, 5)
    del memory
    assert len(_dlpack._lent) == 0


def test_a_processor_has_no_kernels_and_no_data_sheet():
    assert equant.Evaluator(equant.Data.demonstration(), engine="cpu").kernels == ()
    with pytest.raises(equant.Unavailable):
        equant.device_describe("cpu")


@needs_gpu
def test_a_gpu_describes_itself():
    assert equant.device_describe().memory_bytes > 1e8
    kernels = equant.Evaluator(equant.Data.demonstration(), engine="cuda").kernels
    assert kernels and 0 < kernels[0].occupancy <= 1


def test_there_and_back(engine):
    values = np.arange(12.0).reshape(3, 4)
    array = equant.DeviceArray.from_numpy(values, engine)
    assert array.shape == (3, 4) and len(array) == 3 and array.nbytes == 96
    assert np.array_equal(array.to_numpy(), values)


def test_evaluation_stays_on_the_gpu(engine):
    data = equant.Data.demonstration()
    orbits = equant.orbits_draw(1000, 1, seed=1)
    evaluator = equant.Evaluator(data, engine=engine)
    on_device = equant.DeviceArray.from_numpy(orbits, engine)
    expected = evaluator.evaluate(orbits, ["chi_square", "residuals"])
    found = evaluator.evaluate(on_device, ["chi_square", "residuals"])
    assert np.array_equal(found.chi_square.to_numpy(), expected.chi_square)
    assert np.array_equal(found.residuals.to_numpy(), expected.residuals)
    out = equant.DeviceArray((1000,), engine)
    assert evaluator.chi_square(on_device, out) is out
    assert np.array_equal(out.to_numpy(), expected.chi_square)
    one = evaluator.log_likelihood(equant.DeviceArray.from_numpy(orbits[0], engine))
    assert one.shape == () and one.to_numpy() == evaluator.log_likelihood(orbits)[0]
    with pytest.raises(equant.InvalidArgument, match="of the shape"):
        evaluator.chi_square(on_device, np.empty(1000))


def test_kepler_on_the_gpu(engine):
    M = np.linspace(-3, 3, 1001)
    e = np.full(1001, 0.5)
    arrays = [equant.DeviceArray.from_numpy(values, engine) for values in (M, e)]
    E, sine, cosine = equant.kepler(*arrays, sin_cos=True, engine=engine)
    assert np.allclose(E.to_numpy(), equant.kepler(M, e), rtol=1e-14)
    assert np.allclose(sine.to_numpy(), np.sin(E.to_numpy()))
    assert np.allclose(cosine.to_numpy(), np.cos(E.to_numpy()))
    assert np.array_equal(equant.kepler(*arrays, engine=engine).to_numpy(), E.to_numpy())


def test_work_goes_to_the_stream_of_the_array(pretended):
    evaluator = equant.Evaluator(equant.Data.demonstration(), engine="cpu")
    orbits = np.ascontiguousarray(equant.orbits_draw(3, 1, seed=1))
    result = evaluator.chi_square(Foreign(orbits, stream=7))
    assert result.__cuda_array_interface__["stream"] == 7
    evaluator.chi_square(Foreign(orbits, stream=7), stream=9)
    evaluator.chi_square(Foreign(orbits))
    assert pretended.streams == [7, 9, None]
    assert evaluator.chi_square(Foreign(orbits)).__cuda_array_interface__["stream"] == 1


def test_other_streams_wait(pretended):
    array = equant.DeviceArray((3,), stream=7)
    array.__dlpack__(stream=7)
    array.__dlpack__(stream=-1)
    assert pretended.waits == 0
    array.__dlpack__(stream=1)
    assert pretended.waits == 1
    assert array.__dlpack_device__() == (_dlpack.CUDA, 0)
    assert equant.DeviceArray((3,), "cuda:2").__dlpack_device__() == (_dlpack.CUDA, 2)


@needs_gpu
def test_cupy_and_torch_arrays():
    values = equant.orbits_draw(100, 1, seed=1)
    evaluator = equant.Evaluator(equant.Data.demonstration(), engine="cuda")
    expected = evaluator.chi_square(values)
    found = 0
    for name, make in [("cupy", "asarray"), ("torch", "as_tensor")]:
        try:
            package = __import__(name)
        except ImportError:
            continue
        array = getattr(package, make)(values, **({"device": "cuda"} if name == "torch" else {}))
        result = getattr(package, make)(evaluator.chi_square(array))
        assert np.array_equal(
            np.asarray(result.get() if name == "cupy" else result.cpu()), expected
        )
        found += 1
    if not found:
        pytest.skip("neither CuPy nor PyTorch is installed")


def test_memory_has_one_owner(engine):
    array = equant.DeviceArray.from_numpy([1.0, 2.0], engine)
    for twice in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="to_numpy"):
            twice(array)
    assert copy.copy(array.to_numpy()).tolist() == [1.0, 2.0]
