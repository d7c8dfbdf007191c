# The front door; the build itself is CMake's (CMakeLists.txt, CMakePresets.json).
#
#   make                       build/equant, build/libequant.so, build/libequant.a
#   make run                   the demonstration: the planets of a real star
#   make test                  all tests: before a change lands
#   make check                 its quick tests, in some minutes: at each commit
#   make bench                 speed and accuracy on this machine
#   make docs                  the documentation as a site: build/docs/html/index.html
#   make web                   equant for browsers: build-wasm/equant.html
#   make wheel                 a wheel of the Python package, in build/wheel
#   make release               checks, sources and wheels of a release, in build/release
#   make install PREFIX=DIR    command, libraries, header (DESTDIR=DIR for packagers)
#   make format                clang-format on all C sources
#   make clean                 remove build/
#
# `make run`, `make test`, `make check`, `make docs` and `make wheel` first install the Debian packages that are missing.

BUILD  := build
PREFIX ?= /usr/local
JOBS   ?= $(shell nproc)
# Tests at once: one more than processors, since some of them sleep or wait for a network; few, since
# each may use all processors.
TESTS_AT_ONCE ?= $(shell n=$$(nproc); echo $$((n > 4 ? 5 : n + 1)))
# Options for the demonstration and the benchmark. Nights are the noise that the fit comes to by
# itself, in a minute more.
RUN_OPTIONS   ?= --noise night
BENCH_OPTIONS ?=

# A folder configured before keeps its generator and its options.
CONFIGURED   = $(wildcard $(BUILD)/CMakeCache.txt)
CONFIGURE    = cmake -S . -B $(BUILD) $(if $(CONFIGURED),,-G Ninja)
# What is installed may travel: it is built for every GPU.
ANY_GPU     = -DEQUANT_CUDA_ARCHITECTURE=all-major
PROGRAMS     = equant equant_shared equant_static
C_SOURCES    = $(shell find include src apps tests examples benchmarks -name '*.[ch]')

.PHONY: all run test check bench docs web wheel release install format clean help
.DEFAULT_GOAL := all

all:
	@scripts/install-dependencies --check build
	@$(CONFIGURE) $(if $(CONFIGURED),,-DEQUANT_TESTS=OFF) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target $(PROGRAMS)

run:
	@scripts/install-dependencies run
	@$(MAKE) --no-print-directory all
	$(strip $(BUILD)/equant fit --demo --out $(BUILD)/demo $(RUN_OPTIONS))
	@echo 'equant: tables and a picture are in $(BUILD)/demo'

# The tests build equant several times (with the GPU's code, as a wheel): what one build has
# compiled, the next takes from the cache.
test check: export CMAKE_C_COMPILER_LAUNCHER = ccache
test check: export CCACHE_DIR = $(CURDIR)/$(BUILD)/ccache
test check: export CCACHE_NOHASHDIR = 1
# The compiler's own list of headers is what a file is known by: no preprocessor runs before it. Most
# files are compiled once, and each took a fifth longer.
test check: export CCACHE_DEPEND = 1
check: TIER = -LE landing
test check:
	@scripts/install-dependencies test
	@$(CONFIGURE) -DEQUANT_TESTS=ON -DEQUANT_WERROR=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error $(TIER) -j $(TESTS_AT_ONCE) \
	  && echo 'equant: all tests passed.' \
	  || { echo 'equant: TESTS FAILED; the lines above say which.'; exit 1; }

bench: all
	$(strip $(BUILD)/equant bench $(BENCH_OPTIONS))

docs:
	@scripts/install-dependencies docs
	@$(MAKE) --no-print-directory all
	@docs/site/build $(BUILD)
	@echo 'equant: the site begins at $(BUILD)/docs/html/index.html'

web:
	@scripts/install-dependencies --check build
	@web/install-toolchain build-wasm/toolchain
	@cmake --preset wasm >/dev/null
	@cmake --build build-wasm -j $(JOBS)

wheel:
	@scripts/install-dependencies docs
	@scripts/build-wheel $(BUILD)/wheel

release:
	@scripts/install-dependencies test
	@scripts/make-release

install:
	@scripts/install-dependencies --check build
	@$(CONFIGURE) $(if $(CONFIGURED),,-DEQUANT_TESTS=OFF) $(ANY_GPU) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target $(PROGRAMS)
	cmake --install $(BUILD) --prefix "$(PREFIX)"

format:
	@clang-format -i $(C_SOURCES)

clean:
	rm -rf $(BUILD)

help:
	@sed -n 's/^#   //p' Makefile
