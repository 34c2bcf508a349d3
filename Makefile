# Every target sets up what it needs: `make test` and `make demo` work from a fresh clone.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
PYTEST := $(BIN)/python -m pytest
# A program that is compiled anew at every start takes half as long again to start, and tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE
SOURCES := src tests benchmarks evaluation training tools/reference tools/screenshots

.PHONY: help install dev system demo test units check style types imports reference house bench chaos order races faults breaker budget cluster fuzz demotion browser eval fresh lock clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | column -t -s "$$(printf '\t')"

.stamps/runtime: requirements/runtime.txt pyproject.toml
	@mkdir -p .stamps
	@echo "Installing into $(VENV), once; a minute or two on an ordinary line."
	@date +%s > .stamps/began
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/runtime.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@echo "Installed ($$(($$(date +%s) - $$(cat .stamps/began))) s)."
	@touch $@

.stamps/dev: .stamps/runtime requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/dev.txt
	@touch $@

.stamps/peers: requirements/peers.txt
	@mkdir -p .stamps
	@test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/peers.txt
	@touch $@

.stamps/system: tools/system-packages
	@mkdir -p .stamps
	@bash tools/system-packages
	@touch $@

install: .stamps/runtime ## install the program into .venv

dev: ## install what tests and checks need
	@$(MAKE) --no-print-directory -j 2 .stamps/dev .stamps/system

demo: .stamps/runtime ## the whole funnel on a miniature web; ARGS=--once ends by itself
	$(BIN)/lumbung demo $(ARGS)

# Files in the order they are named, the long ones first: the last to run should be a short one.
IN_PARALLEL := $(PYTEST) --dist loadfile --no-loadscope-reorder --max-worker-restart 2

WITH_ENGINES := tests/chaos tests/acceptance/system tests/browser tests/acceptance/demo tests/cluster tests/integration

CHECKS := types house style imports reference
ALONGSIDE := @$(MAKE) --no-print-directory --output-sync=target

# Tests with engines wait as long as they compute, so five at a time keep two cores at work.
# What waits for processes of a busy machine is tried a second time, alone: docs/decisions/0007-a-second-try.md
test: dev ## all tests, as CI runs them
	$(ALONGSIDE) -j 3 units $(CHECKS)
	$(IN_PARALLEL) -n 5 $(WITH_ENGINES) $(ARGS) || { test $$? -eq 1 && \
	  echo "Failed tests, told above, are tried once more, alone." && $(PYTEST) --last-failed --last-failed-no-failures none -v $(WITH_ENGINES) $(ARGS); }

check: dev ## style, types, import contracts, docs
	$(ALONGSIDE) -j 2 $(CHECKS)

units:
	$(IN_PARALLEL) -n 2 tests/evaluation tests/acceptance/cli tests/unit $(ARGS)

style:
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

types:
	$(BIN)/mypy

imports:
	$(BIN)/lint-imports

reference:
	$(BIN)/python tools/reference --check

house:
	$(PYTEST) tests/house

bench: dev .stamps/peers ## measure every hot path beside its peer; ARGS=crawl for one of them
	$(BIN)/python -m benchmarks $(ARGS)

chaos: dev ## kill everything at random, seeded; ARGS="--seeds 10 --faults 300"
	$(BIN)/python -m tests.chaos $(ARGS)

order: dev ## every order of four candidates gives one library, over many sets; ARGS="--sets 200"
	$(BIN)/python -m tests.long.order $(ARGS)

races: dev ## people edit while workers publish and are killed; ARGS="--entries 1000" or "--items 500"
	$(BIN)/python -m tests.races $(ARGS)

breaker: dev ## sixteen worker processes whose models die and return
	$(BIN)/python -m tests.long.breaker $(ARGS)

budget: dev ## one cap, sixteen processes killed and frozen while every clock jumps
	$(BIN)/python -m tests.long.budget $(ARGS)

demotion: dev ## how often and how soon a category falls by itself, by the audit's own code; ARGS="--runs 400 --seed 2"
	$(BIN)/python -m tests.long.demotion $(ARGS)

faults: dev ## the remote library over a wire that breaks, in 500 seeded runs; FAULT_SEED=1000 for others
	FAULT_RUNS=500 $(PYTEST) tests/integration/library/test_port.py -k over_a_wire --timeout 3600 $(ARGS)

cluster: dev ## machines of their own over servers that are killed, wiped and cut off; ARGS="--seeds 3"
	$(BIN)/python -m tests.cluster $(ARGS)

fuzz: dev ## mutated pages through the extractor; ARGS="--pages 100000 --seed 1"
	$(BIN)/python -m evaluation.extraction.fuzz $(ARGS)

browser: dev ## the pages in a real browser
	$(PYTEST) tests/browser $(ARGS)

eval: dev ## quality on the gold sets
	$(PYTEST) tests/evaluation -m "long or not long" $(ARGS)

fresh: ## both README commands in a clone of the tree with an empty home
	bash tools/fresh

lock: ## pin the requirements again (needs uv)
	bash tools/lock

clean: ## remove what was built
	rm -rf .venv .venv-peers .stamps .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
