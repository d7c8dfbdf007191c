"""Targets as functions of JAX."""

import gc
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

import equant

jax = pytest.importorskip("jax", "0.5")
jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)
import equant.jax  # noqa: E402

LONG = {"period_days_1": "log-uniform(1000, 1400)"}


@pytest.fixture(scope="module", params=[{}, {"space": "parameters", "noise": "night"}])
def target(request, data):
    return equant.Target(data, 1, priors=LONG, **request.param)


@pytest.mark.parametrize("of", ["probability", "likelihood", "prior"])
def test_values_and_gradients_are_those_of_the_target(target, of):
    points = target.draw(20, seed=1)
    points[3] = np.nan
    density = equant.jax.log_density(target, of)
    values, gradients = target.value_and_gradient(points, of=of)
    assert np.array_equal(jax.jit(density)(points), getattr(target, f"log_{of}")(points))
    mapped = jax.jit(jax.vmap(jax.value_and_grad(density)))(points)
    assert np.array_equal(mapped[0], values)
    assert np.array_equal(mapped[1], gradients, equal_nan=True)
    assert values[3] == -np.inf and np.isnan(gradients[3]).all()
    one = jax.value_and_grad(density)(points[0])
    assert one[0] == values[0] and np.array_equal(one[1], gradients[0])
    direction = np.arange(1.0, target.n_dim + 1)
    slope = jax.jvp(density, (points[0],), (direction,))[1]
    assert np.isclose(slope, gradients[0] @ direction, rtol=1e-12)


def test_the_chain_rule_goes_through(target):
    density = equant.jax.log_density(target)
    point = target.draw(1, seed=2)[0]
    slopes = jax.grad(lambda x: 3.0 * density(2.0 * x) ** 2)(point / 2.0)
    value, gradient = target.value_and_gradient(point)
    assert np.allclose(slopes, 12.0 * value * gradient, rtol=1e-12)
    nested = jax.vmap(jax.vmap(density))(target.draw(6, seed=3).reshape(2, 3, -1))
    assert np.array_equal(nested.reshape(-1), target(target.draw(6, seed=3)))
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.hessian(density)(point)


def test_a_function_made_while_it_is_traced_stays(data):
    target = equant.Target(data, 1, priors=LONG)
    compiled = jax.jit(lambda x: equant.jax.log_density(target)(x))
    points = target.draw(4, seed=4)
    expected = target(points)
    for _ in range(2):
        gc.collect()
        assert np.array_equal(compiled(points), expected)


def test_a_target_that_is_gone_is_an_error(data):
    target = equant.Target(data, 1, priors=LONG)
    points = target.draw(2, seed=5)
    program = jax.jit(equant.jax.log_density(target)).lower(points).compile()
    assert np.array_equal(program(points), target(points))
    del target
    jax.clear_caches()
    gc.collect()
    with pytest.raises(Exception, match="keep the equant.Target"):
        jax.block_until_ready(program(points))


def test_what_is_refused(target):
    density = equant.jax.log_density(target)
    with pytest.raises(equant.InvalidArgument, match="of must be"):
        equant.jax.log_density(target, "evidence")
    with pytest.raises(equant.InvalidArgument, match="points have"):
        density(np.zeros(target.n_dim + 1))
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(equant.InvalidArgument, match="64 bits"):
            density(np.zeros(target.n_dim))
    finally:
        jax.config.update("jax_enable_x64", True)


# Pairs of a struct and its members, of XLA and of the library.
LAYOUT = {
    ("XLA_FFI_Extension_Base", "xla_extension"): "type type,next next",
    ("XLA_FFI_Api_Version", "xla_version"): "major_version major,minor_version minor",
    ("XLA_FFI_Metadata", "xla_metadata"): "api_version version,traits traits",
    ("XLA_FFI_Metadata_Extension", "xla_metadata_extension"): "metadata metadata",
    ("XLA_FFI_Buffer", "xla_buffer"): "dtype type,data data,rank rank,dims sizes",
    ("XLA_FFI_Scalar", "xla_scalar"): "dtype type,value value",
    ("XLA_FFI_ByteSpan", "xla_text"): "ptr characters,len length",
    ("XLA_FFI_Args", "xla_buffers"): "size n,types kinds,args buffers",
    ("XLA_FFI_Rets", "xla_buffers"): "size n,types kinds,rets buffers",
    ("XLA_FFI_Attrs", "xla_attributes"): "size n,types kinds,names names,attrs values",
    ("XLA_FFI_Error_Create_Args", "xla_error_request"): "message message,errc code",
    ("XLA_FFI_Api", "xla_functions"): "api_version version,XLA_FFI_Error_Create create_error",
    ("XLA_FFI_CallFrame", "xla_call"): (
        "api functions,stage stage,args arguments,rets results,attrs attributes"
    ),
}
CONSTANTS = {
    "XLA_FFI_Extension_Metadata": "XLA_EXTENSION_METADATA",
    "XLA_FFI_DataType_S64": "XLA_TYPE_INT64",
    "XLA_FFI_DataType_F64": "XLA_TYPE_FLOAT64",
    "XLA_FFI_AttrType_SCALAR": "XLA_ATTRIBUTE_SCALAR",
    "XLA_FFI_ExecutionStage_EXECUTE": "XLA_STAGE_EXECUTE",
    "XLA_FFI_Error_Code_INVALID_ARGUMENT": "XLA_INVALID_ARGUMENT",
    "XLA_FFI_Error_Code_NOT_FOUND": "XLA_NOT_FOUND",
    "XLA_FFI_Error_Code_INTERNAL": "XLA_INTERNAL",
    "XLA_FFI_API_MAJOR": "0",
}


def test_the_binary_interface_is_that_of_jaxlib(tmp_path):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    source = pathlib.Path(__file__).parents[2] / "src"
    lines = [
        '#include "xla/ffi/api/c_api.h"',
        '#include "inference/sample/target/xla_call.h"',
        "#define SAME(a, b) _Static_assert((a) == (b), #a)",
    ]
    for (theirs, ours), members in LAYOUT.items():
        for pair in members.split(","):
            first, second = pair.split()
            lines.append(f"SAME(offsetof({theirs}, {first}), offsetof({ours}, {second}));")
            a, b = f"(({theirs} *)0)->{first}", f"(({ours} *)0)->{second}"
            if ours not in ("xla_metadata", "xla_functions") and second != "version":
                lines.append(f"SAME(sizeof({a}), sizeof({b}));")
    lines += [f"SAME({theirs}, {ours});" for theirs, ours in CONSTANTS.items()]
    program = tmp_path / "layout.c"
    program.write_text("\n".join(lines) + "\n")
    includes = [f"-I{jax.ffi.include_dir()}", f"-I{source}"]
    done = subprocess.run(
        [compiler, "-std=c11", "-fsyntax-only", *includes, str(program)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
