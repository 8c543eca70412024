# Every target sets up what it needs in .venv by itself; a stamp file makes the second run quick.
# PYTHON=… picks an interpreter, ARGS=… is handed to pytest.

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY := $(BIN)/python
STAMPS := $(VENV)/.stamps
WHEEL := build/wheel
# -qq: errors only; warnings of pip about the machine it runs on are nobody's business here
PIP := $(PY) -m pip install -qq --disable-pip-version-check
SOURCES := pyproject.toml README.md LICENSE $(shell find src -name '*.py' -o -name '*.typed' -o -name '*.jsonl')

PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
	if "$$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; \
	then echo "$$p"; break; fi; done)

.PHONY: help demo test coverage lint format bench docs clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      about 40 bad calls and what becomes of each"
	@echo "make test      build the wheel and run the tests against it"
	@echo "make lint      style, types, layers"
	@echo "make bench     accuracy and speed beside other libraries, into benchmarks/RESULTS.md (some 10 minutes)"
	@echo "make docs      the documentation, into build/site"
	@echo "make coverage  the tests with branch coverage"
	@echo "make format    let ruff lay out the code"
	@echo "make clean     remove what was built (not .venv)"

demo: $(STAMPS)/demo
	@$(PY) -m argwright demo

test: $(STAMPS)/test $(WHEEL)/.built
	@PYTHONPATH=$(WHEEL) ARGWRIGHT_WHEEL=$(WHEEL) $(PY) -m pytest $(ARGS)

coverage: $(STAMPS)/test $(WHEEL)/.built
	@PYTHONPATH=$(WHEEL) ARGWRIGHT_WHEEL=$(WHEEL) $(PY) -m pytest --cov --cov-report=term-missing $(ARGS)

lint: $(STAMPS)/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports --no-logo

format: $(STAMPS)/lint
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(STAMPS)/bench
	$(PY) -m benchmarks.run

docs: $(STAMPS)/docs
	@$(PY) -m sphinx --quiet --fail-on-warning --builder html docs build/site
	@echo "build/site/index.html"

clean:
	rm -rf build dist site .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage

# --- what the targets need ---

$(STAMPS)/venv:
	@test -x $(PY) || test -n "$(PYTHON)" || { echo "no python3 >= 3.11 with venv found (Debian: apt-get install python3-venv)"; exit 1; }
	@echo "setting up $(VENV) with $(PYTHON), once"
	@test -x $(PY) || "$(PYTHON)" -m venv $(VENV)
	@$(PIP) --upgrade 'pip>=25.1'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/demo: $(STAMPS)/venv pyproject.toml
	@$(PIP) --editable '.[cli]'
	@touch $@

$(STAMPS)/test: $(STAMPS)/venv pyproject.toml
	@$(PIP) --editable '.[cli,proxy,openai,anthropic,otel,batch]' --group test
	@touch $@

$(STAMPS)/lint: $(STAMPS)/venv pyproject.toml
	@$(PIP) --editable '.[cli,proxy,openai,anthropic,otel,batch]' --group lint
	@touch $@

$(STAMPS)/bench: $(STAMPS)/venv pyproject.toml
	@$(PIP) --editable '.[cli,proxy,batch]' --group bench
	@touch $@

$(STAMPS)/docs: $(STAMPS)/venv pyproject.toml
	@$(PIP) --editable '.[cli,batch]' --group docs
	@touch $@

# The tests run what is shipped: the wheel, unpacked where PYTHONPATH finds it before the source tree.
$(WHEEL)/.built: $(STAMPS)/test $(SOURCES)
	@rm -rf build/dist $(WHEEL)
	@$(PY) -m pip wheel -qq --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir build/dist .
	@$(PIP) --no-deps --target $(WHEEL) build/dist/argwright-*.whl
	@touch $@
