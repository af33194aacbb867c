# make demo     deal hands on an emulated table and open the pages        make demo ARGS="--hands 3 --speed max --no-browser"
# make site     three nats-servers, PostgreSQL, an archive and twenty tables   make site ARGS="--seconds 60"
# make test     all tests: style, types, import rules, units, browser, whole chain, other Pythons
# make test-vm  the package in machines of its own; devices and units on a real kernel, in QEMU: make test-vm TESTS=tests/vm/test_units.py
# make units    of these, all but style and whole tables                  make units TESTS="tests/bus -k outbox"
# make bench    every figure beside a baseline, as ratios in one run; writes docs/performance.md (not if ARGS=--quick)
# make bench-site   a room of a thousand tables: how late and how fast records are   make bench-site ARGS="--quick"
# make deb      the Debian package, into dist/; for another processor: make deb ARCH=arm64
# make image    the container image and its compose file, into dist/, as root: sudo make image
# make release  wheel, source archive, Debian packages, bill of materials, checksums, tag; each built twice and compared
# make pythons  of make test, the wheel on Python 3.12 and 3.13          make pythons PYTHONS=/path/to/python3.13; PYTHONS= for none
# make test-pythons  the quick tests on Python 3.12 and 3.13                make test-pythons PYTHONS=/path/to/python3.13
# make languages  bring the catalogues up to date; .make/texts.txt gets what lacks a translation: make languages SHEET=.make/texts.txt
# make lock     pin what a box installs, with hashes: config/requirements.txt
# Each sets up what it needs: a virtual environment here, Debian packages where it may.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
ARGS ?=
ARCH ?= $(shell dpkg --print-architecture 2>/dev/null || echo amd64)
TESTS ?=
PYTHONS ?= 3.12 3.13
QUICK := tests/install tests/release tests/settings tests/journal tests/sdk tests/export tests/rulebooks tests/test_light_core.py
FAILED = { echo $@ >> .make/failed; exit 1; }
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# A process that may keep no compiled modules compiles all of them again, and a table has seventeen.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo site bench-site test lint units tables pythons test-vm bench deb image release test-pythons languages lock screenshots clean

demo: .make/run
	@$(BIN)/tablebridge demo $(ARGS)

site: .make/dev .make/postgresql
	@$(BIN)/tablebridge site demo $(ARGS)

# Four parts, one after the other, and all of them if one fails. A part has more processes than a small machine has
# processors, since most tests wait for processes, brokers and readers; what they assert bears a machine that is busy.
# The few that fail are run once more, alone, and are named at the end: tests/again.py.
test: .make/dev .make/debian .make/npm
	@rm -f .make/failed .make/again; echo "== lint, units, tables and pythons, one after the other"
	@$(MAKE) --no-print-directory --keep-going --jobs=1 lint units tables pythons || { \
	  echo "== FAILED: $$(cat .make/failed 2>/dev/null | tr '\n' ' ')(see above)"; exit 1; }
	@test ! -s .make/again || { echo "== passed only when run again, alone:"; cat .make/again; }
	@echo "== all is well: lint, units, tables, pythons"

lint: .make/dev
	@echo "== lint: style, types, import rules"
	@$(BIN)/ruff format --check . && $(BIN)/ruff check . && $(BIN)/mypy && $(BIN)/lint-imports || $(FAILED)

units: .make/dev .make/debian .make/npm
	@echo "== units: all tests but those of whole tables"
	@rm -f .pytest_cache/v/cache/lastfailed
	@$(BIN)/python -m pytest -n 4 --dist worksteal --ignore=tests/e2e $(TESTS) || \
	  $(BIN)/python tests/again.py .make/again || $(FAILED)

tables: .make/dev .make/debian
	@echo "== tables: whole tables, with all their processes"
	@rm -f .pytest_cache/v/cache/lastfailed
	@$(BIN)/python -m pytest -n 3 --dist loadfile tests/e2e $(TESTS) || \
	  $(BIN)/python tests/again.py .make/again tests/e2e || $(FAILED)

test-vm: .make/dev
	@echo "== tests of the package, on machines of their own"
	@sh config/debian.sh mmdebstrap systemd-container qemu-user-static podman runc netavark aardvark-dns docker-compose \
	  iptables iproute2 curl
	@$(if $(TESTS),,TABLEBRIDGE_MACHINES=1 $(BIN)/python -m pytest tests/package)
	@echo "== tests on a real kernel"
	@sh config/debian.sh qemu-system-x86 busybox-static kmod udev mosquitto iproute2 procps
	@$(BIN)/python tests/vm $(TESTS)

bench: .make/dev .make/debian
	@$(BIN)/python -m benchmarks $(if $(findstring --quick,$(ARGS)),,--write docs/performance.md) $(ARGS)

bench-site: .make/dev .make/postgresql
	@$(BIN)/python -m benchmarks site $(ARGS)

deb: .make/dev
	@$(BIN)/python -m release deb --arch $(ARCH)

image: .make/dev
	@sh config/debian.sh mmdebstrap
	@$(BIN)/python -m release image --arch $(ARCH)

release: .make/dev
	@sh config/debian.sh mmdebstrap
	@$(BIN)/python -m release all

# The wheel with what is locked, in each other Python: modules, table scripts, two hands.
pythons: .make/dev
	@echo "== pythons: the wheel on $(or $(PYTHONS),no other Python)"
	@rm -rf .make/wheel && $(BIN)/python -m hatchling build -t wheel -d .make/wheel >/dev/null 2>&1 || $(FAILED)
	@$(BIN)/tablebridge check --strict $(CURDIR)/tests/hands > .make/ruled; test $$? -lt 2 || $(FAILED)
	@for version in $(PYTHONS); do \
	  python=$$(sh config/python.sh $$version $(BIN)/uv) && $(BIN)/uv venv -q --clear --python $$python .make/python && \
	  $(BIN)/uv pip install -q -p .make/python/bin/python --require-hashes -r config/requirements.txt && \
	  $(BIN)/uv pip install -q -p .make/python/bin/python --no-deps .make/wheel/*.whl && \
	  .make/python/bin/python tests/other_python.py .make/ruled || $(FAILED); \
	done

# The parts that depend on the interpreter most: parsing, arithmetic of ranks, SQLite, the installation.
test-pythons: .make/dev
	@for version in $(PYTHONS); do \
	  echo "== quick tests on Python $$version" && python=$$(sh config/python.sh $$version $(BIN)/uv) && \
	  $(BIN)/uv venv -q --clear --python $$python .make/python && \
	  $(BIN)/uv pip install -q -p .make/python/bin/python -e '.[dev]' && \
	  .make/python/bin/python -m pytest -q -m "not slow" -p no:cacheprovider $(QUICK) || exit 1; \
	done

lock: .make/dev
	@$(BIN)/uv pip compile -q --upgrade pyproject.toml --extra all --universal --python-version 3.11 --generate-hashes \
	  --custom-compile-command "make lock" --output-file config/requirements.txt

languages: .make/dev
	@$(BIN)/python -m release.languages $(SHEET)

screenshots: .make/dev .make/debian
	@$(BIN)/python docs/screenshots.py

.make/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "tablebridge needs Python 3.11 or newer; name it with: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { sh config/debian.sh python3-venv && $(PYTHON) -m venv --clear $(VENV); }
	@mkdir -p .make && touch $@

.make/run: .make/venv pyproject.toml
	@echo "== installing tablebridge into $(VENV)"
	@$(BIN)/python -m pip uninstall -q -y tablebridge
	@$(BIN)/python -m pip install -q -e '.[all]'
	@touch $@

.make/dev: .make/venv pyproject.toml
	@echo "== installing tablebridge and its test tools into $(VENV)"
	@$(BIN)/python -m pip uninstall -q -y tablebridge
	@$(BIN)/python -m pip install -q -e '.[dev]'
	@touch $@ .make/run

.make/debian: config/debian.sh Makefile
	@sh config/debian.sh mosquitto mosquitto-clients chromium systemd umockdev libusb-1.0-0 libnfc-bin pcscd vsmartcard-vpcd postgresql prometheus
	@mkdir -p .make && touch $@

.make/postgresql: config/debian.sh
	@sh config/debian.sh postgresql
	@mkdir -p .make && touch $@

.make/npm: tests/npm/package.json
	@command -v npm >/dev/null || sh config/debian.sh nodejs npm
	@echo "== installing the AsyncAPI parser for the tests"
	@mkdir -p .make/packages && cp tests/npm/package.json .make/packages/
	@npm install --prefix .make/packages --no-package-lock --no-audit --no-fund --silent
	@touch $@

clean:
	rm -rf $(VENV) .make .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
