# Two targets are all a newcomer needs: `make demo` and `make test`.
# Both build .venv from requirements.lock and find or install a Chromium first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: setup demo check test nightly bench lock clean
.DELETE_ON_ERROR:

$(STAMP): requirements.lock pyproject.toml scripts/setup.sh
	@sh scripts/setup.sh install $(PYTHON) $(VENV)
	@touch $@

setup: $(STAMP)
	@sh scripts/setup.sh browser $(PYTHON) $(VENV)

demo: setup
	@$(BIN)/python examples/demo.py

check: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_rooms.py
	$(BIN)/python scripts/check_docs.py

test: setup check
	$(BIN)/pytest -q -n 2 --dist loadfile

nightly: setup
	SUREFOOT_LAWS=nightly $(BIN)/pytest -q tests/property
	$(BIN)/python scripts/identity_lab.py --trials 200000
	$(BIN)/python -m tests.support.crash_matrix 20
	$(BIN)/python scripts/mutations.py

bench: setup
	$(BIN)/python -m bench

lock: $(STAMP)
	$(BIN)/uv pip compile -q --universal --generate-hashes --all-extras --no-annotate \
	  --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-output
