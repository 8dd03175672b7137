package gotcha

import "testing"

func TestAWiderRunThatPassedSettlesANarrowerOne(t *testing.T) {
	for _, c := range []struct {
		passed, failed string
		want           bool
	}{
		{"go test ./...", "go test ./internal/order -run TestTotals", true},
		{"go test ./internal/...", "go test ./internal/order", true},
		{"cd shop && go test ./internal/order", "cd shop && go test ./internal/order -run TestTotals", true},
		{"npm test", "npm test src/one.test.ts", true},
		{"pytest tests", "pytest tests/order.py::test_total", true},
		{"pnpm install", "npm install", true},
		{"make test", "make test", true},
		{"go test ./internal/order -run TestTotals", "go test ./...", false},
		{"go test ./internal/cart", "go test ./internal/order", false},
		{"go test ./internal/order -run TestOther", "go test ./internal/order -run TestTotals", false},
		{"go vet ./...", "go test ./...", false},
		{"make", "make test", false},
		{"go test ./... | tail", "go test ./internal/order", false},
		{"go test ./... ; true", "go test ./internal/order", false},
		{"git status", "make test", false},
		{"echo 'unclosed", "make test", false},
		{"uv pip install flask", "pip install flask", true},
		{"npm install", "npm install left-pad", false},
		{"go test ./...", "go test -race ./...", false},
		{"go test", "go test ./internal/order", false},
		{"make test", "make test TAGS=slow", false},
		{"pytest", "pytest --integration", false},
		{"./deploy.sh", "./deploy.sh --prod", false},
		{"git push", "git push origin main", false},
		{"go test ./...", "npm test", false},
		{"docker build .", "npm build", false},
		{"git add a && git commit -m test", "npm test", false},
		{"cd api && npm test", "cd web && npm test", false},
		{"cd api && npm test", "npm test", false},
		{"make test &", "make test", false},
	} {
		if got := Covers(c.passed, c.failed); got != c.want {
			t.Errorf("%s after %s: %v", c.passed, c.failed, got)
		}
	}
}

func TestASearchWithoutAResultOnlyLooks(t *testing.T) {
	for command, want := range map[string]bool{"rg outbox": true, "grep -n bar x.go": true, "cd a && ls b | wc -l": true,
		"git log -1": true, "go test ./a | grep FAIL": false, "make": false, "": false, "curl localhost:8080/health": false,
		"git checkout list": false, "git fetch": false, "gh run watch": false, "./run.sh status": false} {
		if got := OnlyLooks(command); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

func TestAnOutputShowsThatARunFailed(t *testing.T) {
	for output, want := range map[string]bool{
		"src/a.ts(3,1): error TS2307: Cannot find module '@larder/api-types'":     true,
		" ELIFECYCLE  Command failed with exit code 2.":                           true,
		"--- FAIL: TestTotals (0.00s)\nFAIL\tlarder/internal/pricing\t0.01s":      true,
		"FAIL larder/internal/pricing":                                            true,
		"make: *** [migrate] Error 1":                                             true,
		"ok  \tlarder/internal/pricing\t0.01s\nlogged: Error: the till is closed": false,
		"PASS: 3\nFAIL: 0":            false,
		"FAILED 0 of 12":              false,
		"Fail early is the rule here": false,
	} {
		if got := Ended("make check", output); got != want || want && !Broke("make check", output) {
			t.Errorf("%q: %v", output, got)
		}
	}
	if Ended("cat log", "FAIL larder/internal/pricing") {
		t.Error("a log was read")
	}
}
