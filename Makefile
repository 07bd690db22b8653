# Two commands matter on a fresh machine: `make demo` and `make test`.
# Everything is built once, in release, into one folder outside the checkout, so that a clean clone reuses it.

export CARGO_TARGET_DIR ?= $(HOME)/.cache/portes-target
SHELL    := /bin/bash
.SHELLFLAGS := -euo pipefail -c
CARGO    := cargo
PORTES   := $(CARGO_TARGET_DIR)/release/portes
DEMO     ?= $(or $(TMPDIR),/tmp)/portes-demo
VENV     := $(CARGO_TARGET_DIR)/venv
# Empty where the toolchain has no clippy: the tests then run unlinted.
CLIPPY   := $(wildcard $(shell rustc --print sysroot)/bin/clippy-driver)
# Our own crate is compiled with its assertions on for the tests; the libraries stay as they are.
ASSERTED := --config profile.release.package.portes.debug-assertions=true

.PHONY: demo test small build season nightly bench fuzz honesty heldout soak story screenshot clean-demo

build: target
	$(CARGO) build --release --locked

# The clone's `target` leads to the shared build folder.
target:
	@mkdir -p "$(CARGO_TARGET_DIR)"; [ -e target ] || ln -s "$(CARGO_TARGET_DIR)" target

# Build, run the sample season outside the tree, print where the report is.
demo: build clean-demo
	@mkdir -p "$(DEMO)/data"
	@cp -R data/sample/raw "$(DEMO)/data/raw"
	@"$(PORTES)" run --data "$(DEMO)/data" --reports "$(DEMO)/reports" --config data/sample/portes.toml
	@echo; echo "The season's report: $(DEMO)/reports/2026/index.html"
	@echo "To ask more of it:   $(PORTES) status --data $(DEMO)/data --reports $(DEMO)/reports --config data/sample/portes.toml"

clean-demo:
	@rm -rf "$(DEMO)"

# One season's tables and reports.
season: build
	"$(PORTES)" run --news --season "$(or $(SEASON),$(error say which: make season SEASON=2026))"

# What cron calls.
nightly: target
	@$(CARGO) build --release --locked --quiet
	@"$(PORTES)" run --quiet --news

# Everything CI checks, its own set-up included. The tests are built by clippy, so that one build is linted and run
# and polars is not compiled a second time for a check.
LINTED := CLIPPY_ARGS="-D__CLIPPY_HACKERY__warnings" RUSTC_WORKSPACE_WRAPPER="$(CLIPPY)"
test: target setup small
	$(CARGO) fmt --check
	PORTES_PYTHON="$(VENV)/bin/python" $(LINTED) $(CARGO) test --release --locked $(ASSERTED)

# All that needs neither Parquet nor polars (the game, the readers, ratings, sums, the Academy): built and tested in a minute.
small: target
	$(LINTED) $(CARGO) test --release --locked $(ASSERTED) --no-default-features --lib

.PHONY: setup
setup: $(VENV)/ready
	@command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium poppler-utils >/dev/null; \
	  else echo "chromium is not installed: the pages are not checked in a browser"; fi; }

$(VENV)/ready: tests/requirements.txt
	@mkdir -p "$(CARGO_TARGET_DIR)"
	python3 -m venv "$(VENV)" || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null && python3 -m venv "$(VENV)"; }
	"$(VENV)/bin/pip" install --quiet --disable-pip-version-check -r tests/requirements.txt
	touch "$@"

# What is too long for every test: a night killed at each of its acts and two hundred times at random, three times thirty
# nights each compared with a run from nothing.
soak: target
	$(CARGO) test --release --locked $(ASSERTED) --test all -- --ignored --nocapture --test-threads 2 night::trust

# A week of nights over the seasons that ship, told: what each run says, what the lake shows, the mails cron would send.
story: target
	@$(CARGO) test --release --locked $(ASSERTED) --test all -- --exact --nocapture night::trust::story::a_week_of_nights

# Figures: files/s, decisions/s, MB/s, memory; new matches every seed, the real files where they are present.
bench: build
	$(CARGO) bench --locked --bench night --bench nights

# A million spoilt files over every reader, arithmetic checked: no panic, no second lost, no memory without bound.
fuzz: target
	$(CARGO) bench --locked $(ASSERTED) --bench mutation -- $(INPUTS)

# What patterns of one season tell of positions of the next, with and without merging: the README's other table.
heldout: target
	$(CARGO) test --release --locked $(ASSERTED) --test all -- --ignored --nocapture academy_adapters::held_out

# How often 95 % intervals hold the truth: the README's table.
honesty: build
	$(CARGO) bench --locked --bench night -- honesty

# The README's picture: the main player's page of the sample season.
screenshot: demo
	tests/screenshot "$(DEMO)"/reports/2026/player-bramblewick-*.html data/sample/player.png
