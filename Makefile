# make build · test · lint · bench · fuzz ; `make help` lists all.
export CGO_ENABLED ?= 0
BIN     := bin/mum
RELEASE ?=
LDFLAGS := -s -w $(if $(RELEASE),-X main.release=$(RELEASE))
LINT    := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 10s

OLLAMA_VERSION := v0.9.6
OLLAMA := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/keepmum/ollama-$(OLLAMA_VERSION)/ollama

.PHONY: help build test test-long test-ollama race lint fuzz bench bench-extract bench-told train bench-scale gatediff bench-gate cross demo e2e clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

build: ## the static binary, in bin/mum
	go build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/mum
	go build -trimpath -ldflags '$(LDFLAGS)' -o $(dir $(BIN))mum-hook ./cmd/mum-hook

test: ## all tests
	go test -shuffle=on ./...

test-long: ## kill loops, floods, fits and comparisons too (about ten minutes)
	MUM_TEST_LONG=1 go test -count=1 -timeout 40m ./...

test-ollama: $(OLLAMA) ## the compressor against a real Ollama server and a tiny model of our own
	MUM_TEST_OLLAMA=$(OLLAMA) go test -count=1 -v -run Ollama ./compress

# Newer versions do not build from their module: vendored headers are missing there.
$(OLLAMA):
	CGO_ENABLED=1 GOBIN=$(dir $(OLLAMA)) go install github.com/ollama/ollama@$(OLLAMA_VERSION)

race: ## all tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race -shuffle=on ./...

lint: ## formatting, vet, and the import rules
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run gofmt -w on these'; exit 1; }
	go vet ./...
	go run ./tools/conditions/main.go -skip privacy .
	$(LINT) run ./...

fuzz: ## each fuzz target for FUZZTIME (10s)
	@for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg 2>/dev/null | grep '^Fuzz'); do \
	    echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg || exit 1; \
	  done; \
	done

bench: ## speed of the gate, the store, sync, the daemon, the hooks
	go test -run '^$$' -bench . -benchtime 2s ./privacy ./store ./distill ./daemon ./cmd/mum

SESSIONS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/keepmum/sessions
$(SESSIONS)/dev/home: ## the real sessions as agents keep them, once they were fetched: go run ./tools/sessions fetch $(SESSIONS)
	go run ./tools/sessions layout $(SESSIONS)/dev/raw $@

bench-extract: $(SESSIONS)/dev/home ## what is found without a model: in real sessions (in SESSIONS), then in the invented ones
	@go test -count=1 -v -run '^TestRealSessions$$' ./extract -real $< | grep -v '^[=-]'
	@go test -count=1 -v -run '^TestTotals$$' ./extract -sets tuned,held,blind | grep sessions,

TOLD ?= a,b,c,d
bench-told: ## what agents are told of invented history that hangs on a settled rule (TOLD=sets)
	go test -count=1 -v -run '^TestTold$$' ./daemon -told $(TOLD)

train: $(SESSIONS)/dev/home ## fit the weights of extract/cues.txt to the real sessions
	go test -count=1 -v -run '^TestTrain$$' ./extract -train -real $(SESSIONS)/dev/home

SIZES ?= 10000,100000
bench-scale: ## search, context and ingestion over databases of SIZES documents
	MUM_SCALE=$(SIZES) go test -count=1 -timeout 3h -v -run '^TestScale$$' ./cmd/mum

# Labelled sets and ordinary text: those of the project, and what MUM_EVAL_DIR and MUM_BENIGN_DIR hold.
GATESETS = $(wildcard testdata/privacy/*.jsonl $(if $(MUM_EVAL_DIR),$(MUM_EVAL_DIR)/privacy/*.jsonl) $(if $(MUM_BENIGN_DIR),$(MUM_BENIGN_DIR)/*.jsonl))
GATEDIFF = cd tools/gatediff && go run .

gatediff: build ## what the gate finds otherwise than the build BASE=/path/to/mum does, span by span
	@test -x "$(BASE)" || { echo 'BASE=/path/to/mum names the build to compare with'; exit 1; }
	@dir=$$(mktemp -d) && $(GATEDIFF) dump -mum "$(abspath $(BASE))" -o $$dir/before $(abspath $(GATESETS)) && \
	  go run . dump -mum $(abspath $(BIN)) -o $$dir/after $(abspath $(GATESETS)) && \
	  go run . diff $$dir/before $$dir/after $(abspath $(GATESETS)); rm -r $$dir

bench-gate: build ## recall of each labelled set, and redactions per MB of ordinary text
	@$(GATEDIFF) recall -show 0 -mum $(abspath $(BIN)) $(abspath $(filter-out $(MUM_BENIGN_DIR)/%,$(GATESETS)))
	@$(if $(MUM_BENIGN_DIR),$(GATEDIFF) rate -show 0 -mum $(abspath $(BIN)) $(MUM_BENIGN_DIR)/*.jsonl)

cross: ## compile for every system
	@for t in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64; do \
	  echo $$t; GOOS=$${t%/*} GOARCH=$${t#*/} go build -trimpath -ldflags '$(LDFLAGS)' -o dist/ ./cmd/mum ./cmd/mum-hook || exit 1; \
	done

demo: build ## what is kept of a session full of secrets, and what is not
	$(BIN) demo

e2e: build ## the real agents against a scripted model (MUM_E2E_DIR, MUM_AGENTS_DIR)
	go test -count=1 -v -timeout 40m ./e2e/... # a session takes seconds, a busy machine ten times as long

clean: ## remove what was built
	rm -rf bin dist
