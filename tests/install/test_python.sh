#!/usr/bin/env bash
# The Python package as a user meets it: a fresh virtual environment, `pip install .`, the example
# of the README, the package's own tests with whatever it can use from PyPI; and a wheel.
set -euo pipefail
venv=${EQUANT_BUILD:?}/check-python log=$EQUANT_BUILD/check-python.log
source=${EQUANT_SOURCE:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH EQUANT_LIBRARY

skip() { echo "SKIP: $1 (see $log)"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }

# --no-compile: Python compiles the modules that are imported, which are few of those installed.
install() { "$venv/bin/pip" install --no-compile --disable-pip-version-check "$@" >>"$log" 2>&1; }

rm -rf "$venv"
python3 -m venv "$venv" >"$log" 2>&1 || skip "python3 cannot make virtual environments"
install numpy || skip "PyPI cannot be reached"
# What was compiled for the last run of this test is kept; and, by the compiler's name and the flags
# of the tests' own build, ccache finds there what that build has compiled.
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$EQUANT_BUILD/CMakeCache.txt")
werror=$(sed -n 's/^EQUANT_WERROR:[A-Z]*=//p' "$EQUANT_BUILD/CMakeCache.txt")
options=(--config-settings=build-dir="$EQUANT_BUILD/check-python-wheel"
  --config-settings=cmake.define.EQUANT_CUDA=OFF
  --config-settings=cmake.define.EQUANT_WERROR="$werror"
  --config-settings=cmake.define.CMAKE_C_COMPILER="$compiler")
install "$source" "${options[@]}" ||
  { tail -n 30 "$log" >&2; echo "pip install . failed"; exit 1; }

cd "$work" # nothing of the source tree may be found by chance
"$venv/bin/equant" --version
sed -n '/^```python$/,/^```$/p' "$source/README.md" | grep -v '^```' >example.py
[ "$(grep -c . example.py)" -ge 5 ] || { echo "README.md has no example in Python"; exit 1; }
"$venv/bin/python" example.py

# Types, before other packages come that bring types of their own.
if install mypy==2.4.1; then
  "$venv/bin/python" -m mypy --strict --config-file "$source/pyproject.toml" --cache-dir "$work/types" -p equant
else
  echo "mypy cannot be installed: types are not checked"
fi

install pytest arviz==0.23.4 astropy celerite2==0.3.3 jax==0.10.2 matplotlib netcdf4 pandas pyarrow pytensor==2.38.3 spleaf==2.1.20 || skip "PyPI cannot be reached"
install george==0.4.4 || echo "george cannot be installed: what is compared with it is skipped"
"$venv/bin/python" -m pytest -q -c "$source/pyproject.toml" --rootdir "$work" \
  -p no:cacheprovider --doctest-modules --pyargs equant "$source/tests/python"

"$source/scripts/build-wheel" "$work/wheel" "${options[@]}"
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --no-compile --disable-pip-version-check -q "$work"/wheel/*manylinux*.whl
"$work/venv/bin/equant" --version
"$work/venv/bin/python" -c 'import equant; print(equant.fit(equant.Data.demonstration(), 0))'
