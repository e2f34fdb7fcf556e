# `make app` and `make test` are all that a newcomer needs: Python 3.11 or newer, and make.

PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
    $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# Options for the server, as in: make app ARGS="--server.port 8600"
ARGS ?=
# Which tests `make test` runs, as a pytest mark expression.
SELECT ?= not slow and not mutation and not gpu
# Options for the browser's tests, as in: make browser OPTIONS=--last-failed
OPTIONS ?=
# Among how many processes `make test` shares them out; 0: none but its own.
PROCESSES ?= 0

VENV := .venv
RUN := $(VENV)/bin/python -m
PIP := $(RUN) pip --disable-pip-version-check --no-input install --quiet --no-compile
CPU_INDEX := https://download.pytorch.org/whl/cpu
TORCH := $(shell grep '^torch==' requirements.txt)
CHROMIUM := $(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome)
ENGINES := $(and $(shell command -v firefox-esr),$(shell command -v WebKitWebDriver),$(shell command -v xvfb-run))
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: help app test lint format browser browsers screens chromium engines mutants thumbnails docs lock clean
.DELETE_ON_ERROR:

help:  ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

app: $(VENV)/app  ## Set everything up, then serve the app
	$(RUN) streamlit run app.py --server.showEmailPrompt false $(ARGS)

test: lint  ## Set everything up, lint, and run the tests (browser tests where Chromium is present)
	$(RUN) pytest -n $(PROCESSES) --dist worksteal -m "$(SELECT)"

lint: $(VENV)/tests  ## Check style, formatting and types
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy

format: $(VENV)/tests  ## Mend style and formatting where that is automatic
	$(RUN) ruff check --fix .
	$(RUN) ruff format .

browser: $(VENV)/tests $(if $(CHROMIUM),,chromium)  ## Run the browser tests, with any Chromium or Chrome that is here
	$(RUN) pytest -m "browser and not slow" $(OPTIONS) tests/browser

browsers: $(VENV)/tests $(if $(ENGINES),,engines)  ## Walk every page in Firefox and in WebKit, the engine of Safari
	$(RUN) pytest -m "slow or not slow" tests/browser/test_engines.py

screens: $(VENV)/tests $(if $(CHROMIUM),,chromium)  ## Put the first screens of all pages on one sheet, to be looked at
	$(RUN) tests.browser.contact_sheet

chromium:  ## Install Debian's headless Chromium, whose tabs cost less than those of the other
	@command -v apt-get >/dev/null || { echo "No apt-get here: install Chromium or Chrome, then run make browser."; exit 1; }
	$(SUDO) apt-get update -q
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends chromium-headless-shell

engines:  ## Install Debian's Firefox and WebKit, and a screen that nobody sees
	@command -v apt-get >/dev/null || { echo "No apt-get here: install Firefox, then run make browsers."; exit 1; }
	$(SUDO) apt-get update -q
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends firefox-esr webkit2gtk-driver xvfb xauth

mutants: $(VENV)/tests  ## Break five lines drawn at random: each has to turn its tests red
	LM_LAB_MUTANTS=5 $(RUN) pytest -m mutation tests/core/test_mutations.py

thumbnails: $(VENV)/app  ## Draw the home page's pictures anew, from the shipped results and models
	$(RUN) pages.home.thumbnails

docs: $(VENV)/tests  ## Draw the architecture anew, and write the API reference to docs/api
	$(VENV)/bin/python docs/architecture.py
	$(RUN) pdoc --docformat numpy --output-directory docs/api lm_core

# torch has a file of its own, with the hashes that its two indexes name for Linux, and both must be within
# reach: each has another build. What the one for graphics cards brings besides is left out.
lock: $(VENV)/tests  ## Write deploy/requirements.lock and torch.lock: what the container installs, in the versions that are tested here, with hashes
	$(PIP) uv
	$(RUN) pip freeze --exclude-editable | sed 's/+cpu$$//' > $(VENV)/tested.txt
	$(VENV)/bin/uv pip compile --quiet --python-platform linux --python-version 3.12 --no-build --generate-hashes --no-header --no-annotate \
	    --no-emit-index-url --no-emit-find-links --constraint $(VENV)/tested.txt deploy/requirements.txt \
	    | awk '/^[a-z]/ {kept = !/^(torch==|triton|nvidia-|cuda-)/} kept' > deploy/requirements.lock
	set -e; for index in $(CPU_INDEX) https://pypi.org/simple; do for machine in x86_64 aarch64; do \
	    $(VENV)/bin/pip install --quiet --dry-run --ignore-installed --no-deps --only-binary :all: --target $(VENV)/none --index-url $$index \
	        --python-version 3.12 --platform manylinux_2_28_$$machine --report $(VENV)/torch-$$machine-$$(basename $$index).json '$(TORCH)'; done; done
	{ echo '$(TORCH)'; cat $(VENV)/torch-*.json | grep -o '"sha256": "[0-9a-f]*' | sed 's/.*"/    --hash=sha256:/' | sort; } \
	    | sed '$$!s/$$/ \\/' > deploy/torch.lock

clean:  ## Remove the virtual environment and all caches
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache docs/api *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The two stamps are newer than the files they stand for: nothing is installed twice. What the tests
# need includes what the app needs, and choosing versions takes as long as unpacking: once will do.
$(VENV)/tests: tests/requirements.txt requirements.txt | $(VENV)/bin/python
	@$(install-cpu-torch)
	$(PIP) -r $<
	@touch $(VENV)/app $@

$(VENV)/app: requirements.txt | $(VENV)/bin/python
	@$(install-cpu-torch)
	$(PIP) -r $<
	@touch $@

# On Linux, PyPI's torch brings 3 GB of CUDA packages. Without a GPU, take the CPU build instead,
# if PyTorch's index answers within three seconds.
define install-cpu-torch
if [ "$$(uname -s)" = Linux ] && ! command -v nvidia-smi >/dev/null \
    && timeout 3 $(VENV)/bin/python -c "import urllib.request as u; u.urlopen('$(CPU_INDEX)/torch/')" 2>/dev/null; \
then $(PIP) --no-deps --index-url $(CPU_INDEX) '$(TORCH)' || true; fi
endef

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "On Debian and Ubuntu: apt-get install python3-venv, then try again."; exit 1; }
# The pip that comes with Python 3.11 takes twice as long to choose versions.
	@$(PIP) --upgrade pip || true
