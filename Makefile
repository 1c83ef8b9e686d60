# Everything a newcomer needs; `make` lists it. Set-up is part of every target that needs it.
SHELL := /bin/bash
.DEFAULT_GOAL := help

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /\1\t/' | expand -t 10

run: binary ## install what is missing, build, and serve on http://127.0.0.1:8080 with data in ./data
	./target/release/rookery serve --data ./data

test: tools ## every check: formatting, lints, unit, property, integration, page and browser tests, small bench with kills
	scripts/test

check: tools ## the fast part, for every day
	scripts/check

build: binary ## the page and the release binary at target/release/rookery, and whether it is as small as promised
	scripts/sizes

# Whoever only wants to play does not wait for our promises about sizes.
binary: setup
	scripts/page
	cargo build --release --locked -p cli

types: setup ## generate the page's types from the API's document
	scripts/types

fmt: setup ## format everything
	cargo fmt --all
	cd web && npm run --silent format

bench: build ## the load generator and the benchmarks
	@scripts/setup bench
	scripts/bench

chaos: tools build ## hundreds of kills and cuts of the power, and hostile clients
	scripts/chaos

# What building and serving need; whoever only does that needs neither a browser nor PostgreSQL.
setup:
	@scripts/setup run

# What tests need besides.
tools:
	@scripts/setup test

.PHONY: help run test check build binary types fmt bench chaos setup tools
