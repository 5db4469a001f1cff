# make          rates an example and explains one player's change, and makes the office below (the same as make run)
# make test     everything that must hold before a change goes in
# make serve    a demonstration office and its site, at http://127.0.0.1:8000/
# make exhaustive  what the tests leave out for its length: each edition compiled, each shape of a report (half an hour)
# make quick    style, types and the tests by example, without compiled histories: about two minutes
# make lint     style and types only
# make docs     the documentation, in docs/_build/html
# make bench    the speed of histories and lists, beside other libraries (about 15 minutes, 8 GB of data);
#               BEFORE=commit: where people wait, in that version and in this one, in one table
# make differential  every edition beside a reckoning in exact numbers, for PLAYERS=10000 with SEED=1
# make fuzz     damaged files of every format, for MINUTES=5 with SEED=1
# make mutants  COUNT=300 small faults in rules and engine, one at a time: do the tests notice? (an hour)
# make crashes  every operation of a run on its folder is the last one once; EVERY=7 tries each seventh
# make picture  the picture of the README anew
# make messages the catalogues of the site: what is marked anew goes in, and all are compiled
# make container  the image of Containerfile, built and started, where podman or docker works
# make lock     new versions into requirements/*.txt
# make clean    removes what the other targets made
#
# PYTHON=python3.12 chooses another interpreter, JOBS=0 runs the tests in one process.

PYTHON ?= python3
JOBS ?= 2

# Tests start hundreds of commands; each would translate all of its modules again where nothing is kept.
export PYTHONDONTWRITEBYTECODE =

VENV = .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check

run: $(VENV)/base.stamp
	$(BIN)/ratingbook rate examples/reports/spring-open.trf --rulebook fide-2009 \
		--players examples/reports/spring-open-players.csv --explain 5
	@mkdir -p build
	@$(BIN)/ratingbook rate examples/reports/spring-open.trf --rulebook fide-2009 \
		--players examples/reports/spring-open-players.csv --format html > build/spring-open.html
	@echo; echo 'The whole event as a page: build/spring-open.html'
	@echo; $(MAKE) --no-print-directory build/demo.stamp
	@echo; echo 'An office of invented people is in build/demo: make serve opens its site at http://127.0.0.1:8000/'

# The demonstration office; made once. What was broken off is made anew, where the command says that it is.
build/demo.stamp: | $(VENV)/dev.stamp
	@mkdir -p build; rm -rf build/demo
	$(BIN)/ratingbook office demo --home build/demo
	@touch $@

serve: build/demo.stamp
	$(BIN)/ratingbook office serve --home build/demo

test: lint $(VENV)/dev.stamp browser
	$(BIN)/python -m pytest -n $(JOBS) -m "not exhaustive"
	$(MAKE) docs

exhaustive: $(VENV)/dev.stamp browser
	$(BIN)/python -m pytest -n $(JOBS) -m exhaustive

# What takes long is the rest: properties with many examples, and what tests/conftest.py marks as slow.
quick: lint
	$(BIN)/python -m pytest -n $(JOBS) -m "not hypothesis and not slow and not exhaustive"

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

# -E reads every page again: Sphinx shows the warnings of an unchanged page only once.
docs: $(VENV)/dev.stamp
	$(BIN)/python -m sphinx -E -W -n --keep-going -q docs docs/_build/html

bench: $(VENV)/dev.stamp
ifdef BEFORE
	$(BIN)/python -m benchmarks.beside $(BEFORE)
else
	$(BIN)/python -m benchmarks.history
	$(BIN)/python -m benchmarks.lists
endif

fuzz: $(VENV)/dev.stamp
	$(BIN)/python -m tools.fuzz --minutes $(or $(MINUTES),5) --seed $(or $(SEED),1)

crashes: $(VENV)/dev.stamp
	$(BIN)/python -m tools.crashes --every $(or $(EVERY),1)

differential: $(VENV)/dev.stamp
	$(BIN)/python -m tools.differential --players $(or $(PLAYERS),10000) --seed $(or $(SEED),1)

mutants: $(VENV)/dev.stamp
	$(BIN)/python -m tools.mutants --count $(or $(COUNT),300) --seed $(or $(SEED),1) --jobs $(JOBS)

messages: $(VENV)/dev.stamp
	$(BIN)/python -m tools.messages $(LANGUAGES)

container: $(VENV)/dev.stamp
	$(BIN)/python -m tools.container

picture: $(VENV)/base.stamp
	$(BIN)/python tools/picture.py

# The environment. Versions and hashes come from the lock files alone; base.txt is part of dev.txt.

$(VENV)/base.stamp: $(VENV)/pyvenv.cfg requirements/base.txt pyproject.toml
	$(PIP) install --quiet --require-hashes -r requirements/base.txt
	$(PIP) install --quiet --no-build-isolation --no-deps -e .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/base.stamp requirements/dev.txt
	$(PIP) install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'ratingbook needs Python 3.11 or newer: name one, for example make PYTHON=python3.12.' >&2; exit 1; }
	@$(HAS_VENV) || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && $(INSTALL_VENV); } || true
	@$(HAS_VENV) || \
		{ echo 'Python cannot make virtual environments here: install the package python3-venv (apt-get install python3-venv).' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Debian ships venv and ensurepip apart from Python.
HAS_VENV = $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null
INSTALL_VENV = echo 'Installing the package python3-venv.' && apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv

# The tests of pages look at them in Chromium; without one they are skipped.
browser:
	@$(HAS_BROWSER) || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && $(INSTALL_BROWSER); } || \
		echo 'No Chromium here: install the package chromium to test pages in a browser, too.' >&2

HAS_BROWSER = { [ -n "$$RATINGBOOK_BROWSER" ] || command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null
INSTALL_BROWSER = echo 'Installing the package chromium.' && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium

# Lock files name neither an index nor a path, so they hold wherever packages come from.

LOCK_VENV = build/lock-venv
COMPILE = $(LOCK_VENV)/bin/uv --no-config pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'

lock:
	$(PYTHON) -m venv --clear $(LOCK_VENV)
	$(LOCK_VENV)/bin/python -m pip --disable-pip-version-check install --quiet 'uv==0.13.*'
	$(COMPILE) --group build --output-file requirements/base.txt
	$(COMPILE) --group dev --all-extras --constraints requirements/base.txt --output-file requirements/dev.txt
	$(COMPILE) --extra office --extra pdf --constraints requirements/dev.txt --output-file requirements/office.txt
	rm -rf $(LOCK_VENV)

clean:
	rm -rf $(VENV) build dist docs/_build docs/generated docs/rulebooks/generated .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: run serve test exhaustive quick lint docs bench crashes differential fuzz mutants messages container picture browser lock clean
# An environment that was not finished is made again.
.DELETE_ON_ERROR:
