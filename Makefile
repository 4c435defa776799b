# The commands of the project. Each does its own set-up, once: `make play`, `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAMES ?= 5
# Real programs are played one at a time, as on a user's desktop; one worker more than cores, as tests often wait.
# Each worker costs 8 s of a core to import and find the tests, and 15 s more to measure what they run.
SPREAD := -n $$(($$(nproc) + 1))
# The tests start hundreds of programs: without the interpreter's cache each compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE
UNIT := tests/bot tests/vision tests/gui tests/support tests/tools tests/test_architecture.py tests/test_file_readers.py

.PHONY: help play test test-all coverage test-slow test-wayland test-windows mutants check setup report bench pictures wheel app windows-app clean
help:
	@echo "make play    the bot plays the built-in game ($(GAMES) games; make play GAMES=20)"
	@echo "make test    sets up what is missing, the real game programs included, and tests everything; FAST=1: without programs"
	@echo "make coverage  the tests again, measuring which lines and branches of each package they run"
	@echo "make test-slow  the tests that take long: more games, more recordings"
	@echo "make test-wayland  the tests on a Wayland desktop: it installs a headless GNOME (400 MB)"
	@echo "make test-windows  the tests in a Windows Python, which Wine runs; it installs both (1 GB)"
	@echo "make mutants changes the rules, the solver and the reader in small ways, and tells what no test notices"
	@echo "make check   the style and the types alone"
	@echo "make report  runs the benchmarks, for hours, and writes the README's figures; ONLY=solver runs one"
	@echo "make pictures  takes the panel's pictures for the README again"
	@echo "make wheel   builds dist/*.whl, installs it elsewhere, and plays it there"
	@echo "make app     builds dist/minesweeper-bot/, a folder that needs no Python, and plays it"
	@echo "make windows-app  the same for Windows, in dist/windows/; Wine builds and plays it"
	@echo "make setup   the set-up of make test alone: system packages, .venv, the game programs, what the tests need"
	@echo "make clean   removes what these made"

play: $(VENV)/.installed
	$(BIN)/minesweeper-bot play --games $(GAMES) --pictures build/play
	@echo "To follow a game: $(BIN)/minesweeper-bot play --pace 5. To play your own: $(BIN)/minesweeper-bot"

# Each part is run and reported whatever became of the others; one that failed makes `make test` fail.
ifdef FAST
test: $(VENV)/.installed-test
	$(BIN)/python -m pytest $(SPREAD) -m "not slow and not long" $(UNIT)
else
# The style and the types are checked meanwhile: they take half a minute of one core.
test: $(VENV)/.installed-test
	@mkdir -p build
	@$(MAKE) --no-print-directory --keep-going check > build/check.txt 2>&1 & checking=$$!; \
	trap 'kill $$checking' INT TERM; \
	$(MAKE) --no-print-directory $(if $(CI),coverage,test-all); failed=$$?; \
	wait $$checking || failed=2; cat build/check.txt; exit $$failed
endif

# On a desktop of their own, so apart from the other tests, one at a time. If a compositor hangs, pytest is interrupted, and ends
# the programs that it has started.
test-wayland: $(VENV)/.installed-test
	@mkdir -p build; echo "Installing what a headless GNOME needs, if missing, 400 MB: see build/wayland.txt ..."
	@.ci/system wayland > build/wayland.txt 2>&1 || true
	@missing=$$($(BIN)/python -m tests.e2e.wayland.gnome --missing 2>> build/wayland.txt) || exit; if [ -n "$$missing" ]; \
	  then echo "NOT RUN: the tests on Wayland, as $$missing cannot be found, installed or started (build/wayland.txt says why)."; \
	  else timeout --signal=INT --kill-after=60 20m env --default-signal=INT $(BIN)/python -m pytest -v tests/e2e/wayland; fi

# In a Windows Python with the Windows packages, on a screen of its own.
test-windows: $(VENV)/.installed-test
	@mkdir -p build; echo "Installing Wine and a compiler, if missing: see build/windows.txt ..."
	@.ci/system windows > build/windows.txt 2>&1 || true
	@missing=$$($(BIN)/python -m tests.e2e.windows.wine --missing 2>> build/windows.txt) || exit; if [ -n "$$missing" ]; \
	  then echo "NOT RUN: the tests on Windows, as $$missing cannot be found or installed (build/windows.txt says why)."; \
	  else timeout --signal=INT --kill-after=60 30m env --default-signal=INT $(BIN)/python -m tests.e2e.windows.wine; fi

test-all: $(VENV)/.installed-test
	QT_LOGGING_RULES="*.debug=false" $(BIN)/python $(MEASURE) -m pytest $(SPREAD) --ignore=tests/e2e/wayland --ignore=tests/e2e/windows

# Only continuous integration always measures it: each worker takes 15 s longer to instrument its modules.
coverage: $(VENV)/.installed-test
	@mkdir -p build && rm -f build/coverage.json
	@$(MAKE) --no-print-directory test-all MEASURE="-m slipcover"
	$(BIN)/python -m slipcover --merge build/coverage.json --out build/coverage.json > build/covered.txt
	$(BIN)/python -m tests.tools.covered build/coverage.json

test-slow: $(VENV)/.installed-test
	QT_LOGGING_RULES="*.debug=false" $(BIN)/python -m pytest $(SPREAD) -m slow

mutants: $(VENV)/.installed-mutants
	nice $(BIN)/mutmut run
	$(BIN)/mutmut results

check: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --config-file .ci/mypy-windows.ini

report bench: $(VENV)/.installed-test
	$(BIN)/python -m tests.tools.report $(ONLY)

pictures: $(VENV)/.installed-test
	$(BIN)/python -m tests.tools.pictures gui/pictures
	$(BIN)/python -m tests.tools.animated gui/pictures/game.webp

setup: $(VENV)/.installed-test

wheel: $(VENV)/.installed
	rm -rf build/lib build/bdist.* dist/*.whl
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@echo "Installing it elsewhere and playing it there, its solver compiled anew: some minutes ..."
	$(BIN)/python -m tests.tools.installed --wheel dist/*.whl

app: $(VENV)/.installed-app
	@echo "Building dist/minesweeper-bot, then playing it in an empty folder: some minutes ..."
	$(BIN)/pyinstaller --noconfirm --log-level ERROR --workpath build/app --distpath dist .ci/app/minesweeper-bot.spec
	$(BIN)/python -m tests.tools.installed dist/minesweeper-bot/minesweeper-bot

windows-app: $(VENV)/.installed-test
	@.ci/system windows
	@echo "Building dist/windows/minesweeper-bot in a Windows Python, then playing it: some minutes ..."
	$(BIN)/python -m tests.e2e.windows.wine --app

# The stamps: made again only when what they were made from has changed.
$(VENV)/.system: .ci/system
	@echo "Setting up, once. Step 1 of 4: system packages ..."
	@.ci/system play
	@mkdir -p $(VENV) && touch $@

$(VENV)/.made: $(VENV)/.system
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
	  || { echo "Python 3.11 to 3.14 is needed: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Step 2 of 4: making $(VENV), a folder for the Python packages ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml constraints.txt
	@echo "Step 3 of 4: installing the program and its packages into $(VENV), 1 GB: a minute or two ..."
	@$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check -c constraints.txt -e .
	@echo "Step 4 of 4: compiling the solver, about a minute ..."
	@$(BIN)/python -m bot.solver.warmup
	@touch $@

$(VENV)/.system-test: .ci/system
	.ci/system test
	@mkdir -p $(VENV) && touch $@

$(VENV)/.installed-test: $(VENV)/.installed $(VENV)/.system-test
	@echo "Setting up the tests. Step 1 of 2: installing what they need into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@echo "Step 2 of 2: compiling the simulated games, one or two minutes ..."
	@$(BIN)/python -c 'from bot.solver.warmup import ROLLOUT_PREPARATION; ROLLOUT_PREPARATION.wait()'
	@$(BIN)/python -c 'from tests.support.guess_games import prepare; prepare()'
	@touch $@

$(VENV)/.installed-mutants: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check -c constraints.txt -e '.[mutants]'
	@touch $@

$(VENV)/.installed-app: $(VENV)/.installed
	@echo "Installing PyInstaller into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --use-pep517 --disable-pip-version-check -c constraints.txt -e '.[app]'
	@touch $@

clean:
	rm -rf $(VENV) build dist mutants *.egg-info
