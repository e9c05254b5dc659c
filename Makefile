# What to do with a fresh clone; each thing sets up what it needs and is quick when nothing changed.
# Needs Python 3.11 or newer and make, nothing else.
#
#   make play ARGS="--players 3"     a game against bots in this terminal
#   make test                        all tests, with coverage
#   make lint                        style, types and the arrows between the packages
#   make bench                       what it can do per second
#   make long                        the long forms of the tests: some twenty minutes
#   make load                        crowds and floods by the thousand, with figures
#   make kill                        a server killed a hundred times while people play on it
#   make soak                        200 tables of four clients each, played to the end and verified
#   make messages                    collect the sentences for translators

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

BIN := $(VENV)/bin
CREATED := $(VENV)/.created
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check --no-input

.PHONY: help play test long load kill soak lint format bench messages clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^#   \(make\)/\1/p' Makefile

play: $(RUNTIME)
	@$(BIN)/senro play $(ARGS) || case $$? in 2 | 130) ;; *) exit 1 ;; esac  # it has said why

test: $(DEV)
	$(BIN)/python -m pytest --cov --cov-report=term $(ARGS)

long: $(DEV)
	SENRO_HYPOTHESIS=long SENRO_RANDOM_GAMES=2000 SENRO_LOAD=long \
	  $(BIN)/python -m pytest --timeout 3000 tests/engine tests/protocol tests/e2e $(ARGS)

load: $(DEV)
	SENRO_LOAD=long $(BIN)/python -m pytest -s -o faulthandler_timeout=0 tests/e2e/test_load.py $(ARGS)

kill: $(DEV)
	SENRO_KILLS=110 $(BIN)/python -m pytest -s -o faulthandler_timeout=0 tests/e2e/test_kill.py $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(RUNTIME)
	@$(BIN)/python -m benchmarks $(ARGS)

soak: $(RUNTIME)
	@$(BIN)/python -m benchmarks soak $(ARGS)

messages: $(DEV)
	$(BIN)/python -m tests.engine.text_template

clean:
	rm -rf build dist .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis

# The stamps are newer than pyproject.toml as long as what it asks for is installed.  The
# packages themselves are installed editable, so a change in the code needs no new install.

$(CREATED):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Senro needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUNTIME): pyproject.toml | $(CREATED)
	$(PIP) -e .
	@touch $@

$(DEV): pyproject.toml | $(CREATED)
	$(PIP) -e '.[dev]'
	@touch $@ $(RUNTIME)
