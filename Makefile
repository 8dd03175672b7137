# make build · test · lint · bench · fuzz ; `make help` lists all.
export CGO_ENABLED ?= 0
BIN     := bin/mum
VERSION := 0.9.0
TARGETS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# Built by users themselves, where an int has 32 bits.
OTHERS  := linux/arm linux/386
# As in tools/build.sh.
TAGS    := nethttpomithttp2
LINT    := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 10s

CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/keepmum

OLLAMA_VERSION := v0.9.6
OLLAMA := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/keepmum/ollama-$(OLLAMA_VERSION)/ollama

.PHONY: help build test test-team test-failover bench-team test-long test-ollama race lint fuzz bench bench-extract bench-told train-told bench-busy train bench-scale gatediff bench-gate bench-public train-gate typecheck cross release test-release test-npm test-walk test-wine demo picture e2e test-page clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

build: ## the static binary, in bin/mum
	sh tools/build.sh $(BIN) ./cmd/mum
	sh tools/build.sh $(dir $(BIN))mum-hook ./cmd/mum-hook

# In a fixed order, so that the go command need not repeat what a change cannot have touched.
test: ## all tests
	go test ./...

# The seeds of random loops are printed where one fails; MUM_TEST_SEED plays one again.
test-long: ## all tests, with kill loops, floods, fits and comparisons (MUM_TEST_ROUNDS=N: N times as many rounds)
	MUM_TEST_LONG=1 go test -shuffle=on -timeout 60m ./...

test-ollama: $(OLLAMA) ## the compressor against a real Ollama server and a tiny model of our own
	MUM_TEST_OLLAMA=$(OLLAMA) go test -count=1 -v -run Ollama ./compress

# Newer versions do not build from their module: vendored headers are missing there.
$(OLLAMA):
	CGO_ENABLED=1 GOBIN=$(dir $(OLLAMA)) go install github.com/ollama/ollama@$(OLLAMA_VERSION)

PG ?= $(firstword $(sort $(wildcard /usr/lib/postgresql/*/bin)))
test-team: ## shared memory against a real PostgreSQL (PG=directory of initdb and postgres)
	MUM_TEST_PG=$(PG) go test -count=1 -timeout 30m ./team/... ./e2e/team

test-failover: ## a fail-over of Patroni (Debian: patroni, etcd-server) loses nothing that was acknowledged
	MUM_TEST_PG=$(PG) MUM_TEST_PATRONI=$$(command -v patroni) go test -count=1 -timeout 30m -v -run Failover ./team

ITEMS ?= 200000
bench-team: ## pushing, reading and the first join with ITEMS items, beside plain INSERT and SELECT
	MUM_TEST_PG=$(PG) MUM_TEST_PG_FSYNC=on MUM_TEAM_SCALE=$(ITEMS) go test -count=1 -timeout 3h -v -run '^TestScale$$' ./team | grep -v '^[=-]'

# Not those of which everything happens in programs that are built without the detector.
race: ## tests under the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race -shuffle=on -timeout 30m -skip '^(TestScripts|TestInstall.*)$$' ./...

lint: ## formatting, vet, and the import rules
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'run gofmt -w on these'; exit 1; }
	go vet ./...
	go run ./tools/conditions/main.go -skip privacy/rules .
	$(LINT) run ./...

fuzz: ## each fuzz target for FUZZTIME (10s)
	@grep -roE '^func Fuzz[A-Za-z0-9]+' --include='*_test.go' . | sort | while IFS=: read -r file f; do \
	  pkg=$$(dirname $$file) f=$${f#func }; echo "$$pkg $$f"; \
	  go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg </dev/null || exit 1; \
	done

bench: ## speed of the gate, the store, sync, the daemon, the hooks
	go test -run '^$$' -bench . -benchtime 2s ./privacy ./store ./distill ./daemon ./cmd/mum

SESSIONS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/keepmum/sessions
$(SESSIONS)/%/home: ## the real sessions as agents keep them, once they were fetched: go run ./tools/sessions fetch $(SESSIONS)
	go run ./tools/sessions layout $(SESSIONS)/$*/raw $@

REAL = $(foreach s,$(shell awk '!/^#/ {print $$1}' tools/sessions/sources.txt | sort -u),$(SESSIONS)/$(s)/home)
bench-extract: $(REAL) ## what is found without a model: in real sessions (in SESSIONS), a tenth of the repositories left out at a time, then in the invented ones
	@go test -count=1 -v -timeout 60m -run '^TestRealSessions$$' ./extract -real $(SESSIONS) | grep -v '^[=-]'
	@go test -count=1 -v -run '^TestTotals$$' ./extract -sets tuned,held,blind | grep sessions,

TOLD ?= a,b,c,d,e,f,g,h,i
bench-told: ## what agents are told of invented history that hangs on a settled rule (TOLD=sets; YOUNG=n: in projects with n other chats; SHORT=1: of one turn each)
	go test -count=1 -v -run '^TestTold$$' ./daemon -told $(TOLD) $(if $(YOUNG),-told-young $(YOUNG)) $(if $(SHORT),-told-short)

ORDER ?= a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r
GATE ?= l,m,n,o,p,q,r
LONG ?= p,q,r,u,z
train-told: ## fit recall/weights.json to the sets of testdata/told (the order of statements and the commits to ORDER, the gate to GATE, that of long prompts to LONG), and say what each set is told with the weights of the others
	go test -count=1 -v -timeout 60m -run '^TestTrainTold$$' ./daemon -told $(ORDER) -told-gate $(GATE) -told-long $(LONG) -told-train $(abspath recall/weights.json)

.PHONY: bench-gotchas
bench-gotchas: $(foreach s,$(or $(SPLITS),dev),$(SESSIONS)/$(s)/home) ## lines of gotchas that agents would have been told in real sessions (SPLITS=dev blind)
	@$(foreach d,$^,go run ./tools/sessions gotchas $(d);)

bench-busy: ## whether agents are told as much beside eight processes that take all they can get
	MUM_BUSY=1 go test -count=1 -v -run '^TestABusyMachineLosesNoTelling$$' ./daemon

train: $(REAL) ## fit the weights of extract/cues to the real sessions, and say which share of each confidence is worth keeping
	go test -count=1 -v -timeout 30m -run '^TestTrain$$' ./extract -train -real $(SESSIONS)

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

CREDDATA ?= $(CACHE)/creddata
bench-public: build ## recall and precision on CredData, beside other SCANNERS (paths of gitleaks, betterleaks)
	tools/gatediff/creddata.sh $(CREDDATA)
	@$(GATEDIFF) creddata -mum $(abspath $(BIN)) $(CREDDATA) $(abspath $(SCANNERS))

BENIGN ?= $(or $(MUM_BENIGN_DIR),$(CACHE)/benign/out)
train-gate: ## fit the weights of privacy/judge to testdata/privacy and to ordinary text (in BENIGN, of tools/gatediff/benign.sh; NAMED=1: only those of values with a name)
	go run ./tools/traingate -benign $(BENIGN) $(if $(NAMED),-named) -o privacy/judge testdata/privacy/*.jsonl privacy/judge/kept.txt privacy/rules/kept*.txt

comma := ,
typecheck: ## check for every system that programs and tests would compile, from the sources alone
	go run ./tools/typecheck/main.go -tags $(TAGS) -targets $(subst $(eval) ,$(comma),$(TARGETS) $(OTHERS)) ./...

cross: ## compile for every system
	@for t in $(TARGETS); do \
	  echo $$t; for p in mum mum-hook; do GOOS=$${t%/*} GOARCH=$${t#*/} sh tools/build.sh dist/cross/ ./cmd/$$p || exit 1; done; \
	done

RELEASE_URL ?=
release: ## archives, packages, checksums and manifests of VERSION, in dist/ (RELEASE_URL=folder of the archives)
	cd tools/release && go run . -root ../.. -out ../../dist -version $(VERSION) -url '$(RELEASE_URL)' -targets '$(TARGETS)'

test-release: ## the files of dist/ (make release): npm packages in an empty prefix, deb and rpm below a folder
	cd tools/release && DIST=$(abspath dist) go test -count=1 -v ./...

test-npm: ## the npm packages of dist/ (make release), installed in an empty prefix with no Go on the path
	cd tools/release && DIST=$(abspath dist) go test -count=1 -v -run '^TestNPM$$' ./...

test-walk: ## a new user's walk by each WAY with the files of dist/: install, use, upgrade from OLD, downgrade, uninstall
	OLD=$(OLD) packaging/walk.sh dist $(WAY)

WINE_DIR := $(CACHE)/wine-programs
test-wine: ## the programs for Windows under Wine, as a user would run them
	GOOS=windows GOARCH=amd64 sh tools/build.sh $(WINE_DIR)/mum.exe ./cmd/mum
	GOOS=windows GOARCH=amd64 sh tools/build.sh $(WINE_DIR)/mum-hook.exe ./cmd/mum-hook '-H windowsgui'
	packaging/test-wine.sh $(WINE_DIR)

demo: build ## what is kept of a session full of secrets, and what is not
	$(BIN) demo

picture: build ## the README's picture of a terminal, from the output of the demo
	go run ./tools/terminal/main.go -out docs/images/demo -- $(BIN) demo

e2e: build ## the real agents against a scripted model (MUM_E2E_DIR, MUM_AGENTS_DIR)
	go test -count=1 -v -timeout 40m ./e2e/... # a session takes seconds, a busy machine ten times as long

AXE := $(CACHE)/axe-core/node_modules/axe-core/axe.min.js
$(AXE):
	npm install --silent --no-save --prefix $(CACHE)/axe-core axe-core@4.10.3

SIZES_OF_PAGE ?= 0,10,100000
test-page: build $(AXE) ## the page in a real Chromium, each room at SIZES_OF_PAGE documents (PICTURES=dir keeps screenshots)
	MUM_TEST_PG=$(PG) AXE=$(AXE) SIZES=$(SIZES_OF_PAGE) MUM_BIN=$(abspath $(BIN)) PICTURES=$(if $(PICTURES),$(shell mkdir -p $(PICTURES))$(abspath $(PICTURES))) go test -count=1 -v -timeout 40m -tags browser -modfile e2e/page/browser.mod ./e2e/page

clean: ## remove what was built
	rm -rf bin dist
