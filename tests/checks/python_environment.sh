# One virtual environment of this build with the packages from PyPI that checks compare with, as $venv: to
# be sourced. Whoever comes first makes it, others wait.
venv=${EQUANT_BUILD:?}/check-packages log=$EQUANT_BUILD/check-packages.log

skip() { echo "SKIP: $1 (see $log)"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: python3 is not installed"; exit 77; }

# --no-compile: Python compiles the modules that are imported, which are few of those installed.
install() { "$venv/bin/pip" install --no-compile --disable-pip-version-check "$@" >>"$log" 2>&1; }

make_environment() {
  [ ! -e "$venv/ready" ] || return 0
  python3 -m venv "$venv" >"$log" 2>&1 || skip "python3 cannot make virtual environments"
  # Two of them come as source: what they compute here takes less time than to optimise it.
  CFLAGS=-O0 install pytest arviz==0.23.4 netcdf4 emcee==3.1.6 dynesty==3.1.0 ultranest==4.6.3 \
    nautilus-sampler==1.0.6 radvel==1.6.7 jax==0.10.2 numpyro==0.22.0 \
    blackjax==1.7.1 pymc==5.28.5 || skip "PyPI cannot be reached"
  touch "$venv/ready"
}
exec 9>"$venv.lock"
flock 9
make_environment
exec 9>&-
