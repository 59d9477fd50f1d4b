# Two commands do all set-up: `make demo` does the main job, `make test` passes the tests.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
COUNT  ?= 20000
EFFECTS ?= 50000
PACKS  ?= 500
GAMES  ?= 100000
SEED   ?= 1
DEMO   := build/demo

.PHONY: demo test lint fuzz generate compare bench docs pictures vscode release-check clean

demo: $(VENV)/.core
	$(BIN)/dunerules check
	$(BIN)/dunerules packs
	$(BIN)/dunerules text smugglers_thopter --lang en
	$(BIN)/dunerules text smugglers_thopter --lang pl
	$(BIN)/dunerules text smugglers_thopter --lang cs
	mkdir -p $(DEMO)
	rm -f $(DEMO)/game.json
	@echo "four bots play a game; its story goes to $(DEMO)/story.txt and ends so:"
	$(BIN)/dunerules play --game base --seats bot,bot,bot,bot --seed 7 --save $(DEMO)/game.json > $(DEMO)/story.txt
	@tail -n 8 $(DEMO)/story.txt
	$(BIN)/dunerules replay $(DEMO)/game.json --verify
	$(BIN)/dunerules picture --game $(DEMO)/game.json --seat 1 --out $(DEMO)/table.svg
	$(BIN)/dunerules picture smugglers_thopter --game base --lang pl --out $(DEMO)/card.svg
	$(BIN)/dunerules book --game base --out $(DEMO)/book.html
	@echo
	@echo "To look at, in a browser:"
	@echo "  $(CURDIR)/$(DEMO)/book.html   all rules and cards of the game"
	@echo "  $(CURDIR)/$(DEMO)/table.svg   the table at the end of the game"
	@echo "  $(CURDIR)/$(DEMO)/card.svg    a card, in Polish"
	@echo "To play: $(BIN)/dunerules play"

test: $(VENV)/.dev lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.dev
	$(BIN)/ruff check dunerules tests benchmarks action release
	$(BIN)/ruff format --check dunerules tests benchmarks action release
	$(BIN)/mypy

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz --count $(COUNT) --seed $(SEED)

generate: $(VENV)/.dev
	$(BIN)/python -m tests.generator --effects $(EFFECTS) --packs $(PACKS) --seed $(SEED) --jobs 2 --resume $(VENV)/generated-$(SEED)-$(shell git rev-parse --short HEAD).json

compare: $(VENV)/.dev
	$(BIN)/python -m tests.native --games $(GAMES) --seed $(SEED) --jobs 2 --resume $(VENV)/compared-$(SEED)-$(shell git rev-parse --short HEAD).json

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.core
	$(BIN)/python -m dunerules.dsl.tables
	$(BIN)/python -m dunerules.reference docs/language.md docs/rules.md
	$(BIN)/python -m dunerules.translations.phrase_page docs/phrases.md

# the pictures of README
pictures: $(VENV)/.core
	$(BIN)/python -m tests.readme_pictures

release-check: $(VENV)/.dev
	$(BIN)/python -m release

# the extension for VS Code: editors/vscode/dist/dunerules.vsix; it needs Node 20 and npm
vscode: editors/vscode/node_modules/.package-lock.json
	cd editors/vscode && npm run --silent types && npm run --silent build && npm run --silent package

editors/vscode/node_modules/.package-lock.json: editors/vscode/package-lock.json
	cd editors/vscode && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
	touch $@

clean:
	rm -rf $(VENV) dist build editors/vscode/dist editors/vscode/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@
