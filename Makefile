# Every target sets up what it needs: `make test` and `make demo` work from a fresh clone.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
PYTEST := $(BIN)/python -m pytest

.PHONY: help install dev system demo test check bench chaos order races faults cluster fuzz browser eval fresh lock clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | column -t -s "$$(printf '\t')"

.stamps/runtime: requirements/runtime.txt pyproject.toml
	@mkdir -p .stamps
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/runtime.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.stamps/dev: .stamps/runtime requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements/dev.txt
	@touch $@

.stamps/peers: requirements/peers.txt
	@mkdir -p .stamps
	@test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/peers.txt
	@touch $@

.stamps/system: tools/system-packages
	@mkdir -p .stamps
	@bash tools/system-packages
	@touch $@

install: .stamps/runtime ## install the program into .venv

dev: .stamps/dev .stamps/system ## install what tests and checks need

demo: .stamps/runtime ## the whole funnel on a miniature web; ARGS=--once ends by itself
	$(BIN)/lumbung demo $(ARGS)

test: dev check ## all tests, as CI runs them
	$(PYTEST) -n 2 --dist loadfile tests/unit tests/evaluation tests/acceptance/cli $(ARGS)
	$(PYTEST) -n 2 --dist loadfile tests/integration tests/acceptance/system tests/acceptance/demo tests/chaos tests/browser $(ARGS)

check: dev ## style, types, import contracts, docs
	$(BIN)/ruff check src tests benchmarks evaluation tools training
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/reference --check
	$(PYTEST) tests/house

bench: dev .stamps/peers ## measure every hot path beside its peer; ARGS=crawl for one of them
	$(BIN)/python -m benchmarks $(ARGS)

chaos: dev ## kill everything at random, seeded; ARGS="--seeds 10 --faults 300"
	$(BIN)/python -m tests.chaos $(ARGS)

order: dev ## every order of four candidates gives one library, over many sets; ARGS="--sets 200"
	$(BIN)/python -m tests.long.order $(ARGS)

races: dev ## people edit while workers publish and are killed; ARGS="--entries 1000" or "--items 500"
	$(BIN)/python -m tests.races $(ARGS)

faults: dev ## the remote library over a wire that breaks, in 500 seeded runs
	FAULT_RUNS=500 $(PYTEST) tests/integration/library/test_port.py -k over_a_wire --timeout 3600 $(ARGS)

cluster: dev ## a cluster of three NATS servers, one killed and wiped
	$(PYTEST) tests/cluster $(ARGS)

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
