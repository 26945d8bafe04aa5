# Needs Python 3.11 or newer and make; everything else goes into .venv.
#
#   make test CHECKS="mypy compiled"     only some of the checks
#   make paper PAPER="savings --quick"   only a part of the paper's reproduction
#   make field FIELD=report              only a step of the comparison with the field
#   make demo PYTHON=/path/to/python     a Python of your choice

PYTHON ?=
CHECKS ?=
PAPER ?= all
FIELD ?=
SOAK ?=

# The lower ends of what pyproject.toml allows (tests/contract/test_oldest.py compares).
OLDEST ?= numpy==2.0.0 numba==0.61.0 scikit-learn==1.6.1 narwhals==1.20.0 rich==13.0.0 click==8.1.0 \
          pandas==2.2.2 polars==1.9.0 pyarrow==17.0.0

# A stamp says that an installation is complete. Its name is a digest of pyproject.toml and of this
# folder (an editable install points here), so pip runs only when one of them has changed.
KEY  := $(shell { cat pyproject.toml; echo "$(CURDIR) $(OLDEST)"; } | cksum | cut -d' ' -f1)
USER_STAMP   := .venv/.user-$(KEY)
DEV_STAMP    := .venv/.dev-$(KEY)
OLDEST_STAMP := .venv-oldest/.dev-$(KEY)

PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test soak paper bench field format clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: $(USER_STAMP)  ## install into .venv and watch a tree evolve
	.venv/bin/heirwood demo

test: $(DEV_STAMP) $(OLDEST_STAMP)  ## run every check (CHECKS="name ..." for some of them)
	@.venv/bin/python tools/check.py $(CHECKS)

soak: $(DEV_STAMP)  ## an hour of hostile cases: SOAK="--minutes 5" for less
	.venv/bin/python tools/soak.py $(SOAK)

paper: $(USER_STAMP)  ## reproduce the paper: PAPER="savings --quick" for a part (all of it takes hours)
	.venv/bin/python -m lab.paper $(PAPER)

bench: $(DEV_STAMP)  ## run the benchmarks
	.venv/bin/python -m lab.benchmarks

field: $(DEV_STAMP)  ## compare with the field: FIELD="run --contests objective" for a part (all of it takes hours)
	.venv/bin/python -m lab.field $(FIELD)

format: $(DEV_STAMP)  ## sort imports, fix what can be fixed, format
	.venv/bin/python -m ruff check --fix-only --quiet .
	.venv/bin/python -m ruff format .

clean:  ## remove caches and logs; the virtual environments stay
	rm -rf .cache
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

# One installation serves `demo` and `test`: the dev extra adds to what is there.
$(USER_STAMP): | .venv/bin/python
	@echo "installing heirwood into .venv"
	@.venv/bin/python $(PIP_INSTALL) --editable .
	@rm -f .venv/.user-* .venv/.dev-* && touch $@

$(DEV_STAMP): | .venv/bin/python
	@echo "installing heirwood and what the checks need into .venv"
	@.venv/bin/python $(PIP_INSTALL) --editable '.[dev]'
	@rm -f .venv/.user-* .venv/.dev-* && touch $(USER_STAMP) $@

$(OLDEST_STAMP): | .venv-oldest/bin/python
	@echo "installing heirwood and the oldest of what it needs into .venv-oldest"
	@.venv-oldest/bin/python $(PIP_INSTALL) --editable '.[dev]' $(OLDEST)
	@rm -f .venv-oldest/.dev-* && touch $@

# The first Python that is new enough, runs (version managers leave shims that do not) and can make
# virtual environments.
.venv/bin/python .venv-oldest/bin/python:
	@for python in $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python); do \
	    if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	        echo "making $(@:/bin/python=) with $$("$$python" --version)"; \
	        exec "$$python" -m venv $(@:/bin/python=); \
	    fi; \
	done; \
	echo "No usable Python: tried $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python)." >&2; \
	echo "Heirwood needs Python 3.11 or newer with its venv module (Debian, Ubuntu: python3-venv)." >&2; \
	echo "Install one, or name it: make demo PYTHON=/path/to/python" >&2; \
	exit 1
