.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
UV_VERSION := 0.13.8
# Else every process of the tests, each service and each command, would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
OLDEST_PYTHON := $(shell sed -n 's/^requires-python = ">=\(.*\)"/\1/p' pyproject.toml)

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# The stamp is older than the lock after a pull: then the environment is brought up to date.
.venv/.ready: requirements.lock pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "Python $(OLDEST_PYTHON) or later is needed (set PYTHON=...)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@$(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	@touch $@

setup: .venv/.ready ## create .venv from requirements.lock

demo: setup ## main job on real input: ingest two wings, search three times, stop
	@$(BIN)/python scripts/demo.py

test: setup ## all tests but those of `make chaos`, on real Neo4j servers of their own: one for each core, up to four
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not chaos"

chaos: setup ## the tests that kill processes, fill a disk and restart databases
	@$(BIN)/python -m pytest -n auto -m chaos

coverage: setup ## all tests of `make test`, and which branches they do not take, the least covered modules first
	@rm -rf .coverage && mkdir .coverage
	@$(BIN)/coverage run -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not chaos"; \
	  $(BIN)/coverage combine --quiet && $(BIN)/coverage report

test-fast: setup ## the tests that need no database, model or process; property tests try few examples
	@$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow" --hypothesis-profile quick tests/unit tests/architecture

check: setup ## lint, types, layers
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports

weeks: setup ## watch a palace for six simulated weeks and draw its pheromones into docs/images
	@$(BIN)/python scripts/watch_weeks.py

bench: setup ## run all benchmarks; each leaves benchmarks/results/NAME.json
	@$(BIN)/python -m benchmarks --save $(if $(COLLECTIONS),--collections $(COLLECTIONS))

bench-report: setup ## write docs/BENCHMARKS.md from benchmarks/results
	@$(BIN)/python -m benchmarks --report

settings-docs: setup ## write graphpalace.toml and docs/reference/settings.md from the settings' descriptions
	@$(BIN)/python -m graphpalace.settings.reference

mcp-docs: setup ## write docs/reference/mcp.md from the MCP tools
	@$(BIN)/python -m graphpalace.serve.mcp.reference

client: setup ## write src/graphpalace/client/synchronous and docs/reference/python.md from the asynchronous modules
	@$(BIN)/python scripts/make_client.py
	@$(BIN)/python scripts/make_client_page.py

# The image installs the second lock with pip, which knows no overrides (--no-config): in the versions of the first, which
# are tested. One version of each package serves every Python (fewest), so that the image runs what the tests run.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version $(OLDEST_PYTHON) --fork-strategy fewest --generate-hashes \
  --no-emit-index-url --no-emit-find-links pyproject.toml
lock: ## resolve the dependencies anew into requirements.lock and requirements-runtime.lock
	@$(COMPILE) --group dev -o requirements.lock
	@$(COMPILE) --no-config -c requirements.lock -o requirements-runtime.lock

clean: ## remove what the other targets made
	rm -rf .venv .demo .coverage .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help setup demo test chaos coverage test-fast check weeks bench bench-report settings-docs mcp-docs client lock clean
