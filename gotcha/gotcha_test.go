package gotcha

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAFailureIsKnownAgainWhateverDiffersFromRunToRun(t *testing.T) {
	for name, runs := range map[string][][2]string{
		"paths, numbers, hashes and times": {
			{"make test", "Exit code 2\nok\nError: relation \"prices\" does not exist at /tmp/a1/db.go:12 (3f9a2b1c)"},
			{"cd /srv && make test 2>&1 | tail -5", "error: relation 'prices' does not exist at /var/x/db.go:907 (77aa01ff)"},
		},
		"colours and the time of day": {
			{"npm test", "\x1b[31m12:03:59 Error: cannot reach the printer\x1b[0m"},
			{"npm test -- --watch=false", "2026-03-01T12:00:00Z Error: cannot reach the printer"},
		},
		"a traceback is known by what was raised": {
			{"python -m pytest", "Traceback (most recent call last):\n  File \"/a/b.py\", line 3\n    raise X(\"invalid\")\n" +
				"ModuleNotFoundError: No module named 'yaml'"},
			{"python -m pytest -q", "Traceback (most recent call last):\n  File \"/c.py\", line 99\n    y()\n" +
				"ModuleNotFoundError: No module named 'yaml'\n"},
		},
	} {
		first, ok := Sign(runs[0][0], runs[0][1])
		if !ok {
			t.Errorf("%s: no sign", name)
		}
		for _, r := range runs[1:] {
			if got, _ := Sign(r[0], r[1]); got != first {
				t.Errorf("%s: %q is not %q", name, got, first)
			}
		}
	}
}

func TestOtherFailuresHaveOtherSigns(t *testing.T) {
	seen := map[string]string{}
	for _, f := range [][2]string{
		{"npm test", "Error: Cannot find module 'left-pad'"},
		{"npm test", "Error: Cannot find module 'right-pad'"},
		{"npm run build", "Error: Cannot find module 'left-pad'"},
		{"go test ./...", "Error: Cannot find module 'left-pad'"},
		{"python a.py", "bash: python: command not found"},
		{"git push", "error: failed to push some refs to 'github.com/acme/shop'"},
	} {
		sign, ok := Sign(f[0], f[1])
		if !ok || seen[sign] != "" {
			t.Errorf("%q: %v, the sign of %q too: %q", f, ok, seen[sign], sign)
		}
		seen[sign] = f[0]
	}
}

func TestWhatSaysNothingHasNoSign(t *testing.T) {
	for _, f := range [][2]string{
		{"make test", ""},
		{"make test", "Exit code 1"},
		{"npm test", "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\n3 failed, 12 passed\n" +
			"error Command failed with exit code 1."},
		{"make", "make: *** [test] Error 2"},
		{"ls /nowhere", "ls: cannot access '/nowhere': No such file or directory"},
		{"rm -rf build", "Permission to use Bash with command rm -rf build has been denied."},
		{"deploy", "The user doesn't want to proceed with this tool use."},
		{"echo 'unclosed", "error: something is not there at all"},
		{strings.Repeat("x ", maxCommand), "error: something is not there at all"},
	} {
		if sign, ok := Sign(f[0], f[1]); ok {
			t.Errorf("%.60q: %q", f, sign)
		}
	}
}

const noTable = "Error: relation prices does not exist"

func work(commands ...string) (out []Step) {
	for i, c := range commands {
		s := Step{ID: int64(i + 1), Command: c}
		if file, ok := strings.CutPrefix(c, "edit "); ok {
			s.Command, s.File = "", file
		}
		if failing, ok := strings.CutPrefix(c, "! "); ok {
			s.Command, s.Failed, s.Output = failing, true, noTable
		}
		out = append(out, s)
	}
	return out
}

// failed returns a command that failed with a reason, and one that passed.
func failed(reason, command, passed string) []Step {
	return []Step{{ID: 1, Command: command, Output: reason, Failed: true}, {ID: 2, Command: passed}}
}

// said returns steps of which one printed the failure but passed.
func said(steps []Step, id int64) []Step {
	steps[id-1].Output = noTable
	return steps
}

func TestAnotherFormFitsWhatHasWhatWasChanged(t *testing.T) {
	for _, c := range []struct {
		now, before, after string
		want               bool
	}{
		{"python a.py", "python tool.py", "python3 tool.py", true},
		{"bd ready --gated", "bd ready --gated --json", "bd ready --json", true},
		{"npm test -- --watch", "npm test", "cd web && npm test", true},
		{"cd /srv && npm test", "npm test", "cd web && npm test", false},   // it is there already
		{"bd show 12", "bd show 7 --children", "bd show 7 --stale", false}, // it has none of that
		{"git status", "git add -A", "git add .", false},
		{"git add 'unclosed", "git add -A", "git add .", false},
		{"npm test", "npm test", "npm test", false},
		{"npm test", "", "", false},
	} {
		if got := Fits(c.now, c.before, c.after); got != c.want {
			t.Errorf("%s: %v", c.now, got)
		}
	}
}

func TestALineThatSaysThatATestPassedIsNotTheReason(t *testing.T) {
	for output, want := range map[string]string{
		"✓ rejects an invalid token (1 ms)\nError: the till is closed": "Error: the till is closed",
		"ok 1 - must not be empty\n--- PASS: TestMissing\n":            "",
		"PASS src/missing.test.ts\n✕ closes the till: failed":          "✕ closes the till: failed",
	} {
		if got := Reason(output); got != want {
			t.Errorf("%q: %q", output, got)
		}
	}
}

func TestARemedyIsWhatWasDoneBetweenAFailureAndTheNextGoodRun(t *testing.T) {
	for name, c := range map[string]struct {
		steps []Step
		want  []Remedy
	}{
		"a command": {work("! make test", "ls", "make migrate", "cat x", "make test"),
			[]Remedy{{3, Ran, "make migrate"}}},
		"an edit": {work("! make test", "edit db/schema.sql", "make test | tail"),
			[]Remedy{{2, Edited, "db/schema.sql"}}},
		"both, the latest first": {work("! make test", "edit a.go", "go generate", "make test"),
			[]Remedy{{3, Ran, "go generate"}, {2, Edited, "a.go"}}},
		"another form of the command": {work("! python tool.py", "python3 tool.py"),
			[]Remedy{{2, Instead, "-python +python#"}}},
		"another directory": {work("! npm test", "cd web && npm test"),
			[]Remedy{{2, Instead, "+cd +web"}}},
		"what did not help is left out": {work("! make test", "make clean", "! make test", "make migrate", "make test"),
			[]Remedy{{4, Ran, "make migrate"}}},
		"another form behind another command": {work("! git push", "git pull --rebase && git push"),
			[]Remedy{{2, Instead, "+pull +rebase"}}},
		"no other form: a verb and what it is about differ": {work("! bd mol current a1", "bd mol wisp patrol"), nil},
		"another form, as the failure says": {failed("Error: unknown flag: --tree",
			"bd show a1 --tree", "bd show a1 --children"),
			[]Remedy{{2, Instead, "-tree +children"}}},
		"another form, with the option that the failure names": {failed("error: pass --allow-no-vcs to suppress this",
			"cargo fix --all", "cargo fix --all --allow-no-vcs"), []Remedy{{2, Instead, "+allow no vcs"}}},
		"no other form: the failure is not about its words": {work("! nx build web --all", "nx test web --all"), nil},
		"no other form: one test of all":                    {work("! npm test", "npm test src/one.test.ts"), nil},
		"no other form: it only tells":                      {work("! svc daemon start", "svc daemon logs"), nil},
		"nothing: a pipe hides that it failed": {said(work("! make test", "make fix", "make test | cat"), 3),
			nil},
		"nothing: it was told to pass":             {said(work("! make test", "cd b && make test || :"), 2), nil},
		"no other form: what it is about differs":  {work("! psql -c 'select a'", "psql -c 'select b'"), nil},
		"no other form: it is looked at otherwise": {work("! curl local | jq .", "curl local | head"), nil},
		"nothing: the failure names the file": {work("! make test prices.go", "edit shop/prices.go", "make test prices.go"),
			nil},
		"nothing: it passed by itself":    {work("! make test", "make test"), nil},
		"nothing: it never passed":        {work("! make test", "make migrate", "! make test"), nil},
		"nothing: another command passed": {work("! make test", "edit a.go", "go vet ./..."), nil},
		"nothing that destroys":           {work("! make test", "rm -rf node_modules", "git push --force", "make test"), nil},
		"nothing that only looks":         {work("! make test", "git status", "npm --help", "make test"), nil},
		"nothing that failed too":         {work("! make test", "! make migrate", "make test"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []Remedy
			for _, f := range Failures(c.steps) {
				got = append(got, f.Remedies...)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAgentsInOneSessionDoNotFixEachOthersFailures(t *testing.T) {
	steps := work("! make test", "make migrate", "make test")
	steps[1].Subagent = "helper"
	if got := Failures(steps); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestARemedyIsTrustedThatMostSessionsUsed(t *testing.T) {
	for _, c := range []struct {
		how             How
		sessions, fixed int
		want            bool
	}{{Ran, 1, 1, false}, {Edited, 1, 1, false}, {Ran, 2, 2, true}, {Ran, 2, 3, true}, {Ran, 2, 4, false},
		{Edited, 2, 2, false}, {Edited, 3, 4, true}, {Edited, 3, 5, false}, {Ran, 6, 11, false},
		{Instead, 1, 1, true}, {Instead, 1, 2, false}} {
		if got := Trusted(c.how, c.sessions, c.fixed); got != c.want {
			t.Errorf("%d of %d: %v", c.sessions, c.fixed, got)
		}
	}
}

func TestWhatAnAgentDoesNotSayIsReadFromTheOutput(t *testing.T) {
	for _, c := range []struct {
		command, output string
		want            bool
	}{
		{"python a.py", "zsh: command not found: python\nbash: python: command not found", true},
		{"make test", "Error: relation prices does not exist", true},
		{"make test", "12 passed, no error: at all", false},
		{"grep -rn Error: .", "Error: relation prices does not exist", false},
		{"cat log", "fatal: nothing is well", false},
	} {
		if got := Broke(c.command, c.output); got != c.want {
			t.Errorf("%s: %v", c.command, got)
		}
	}
}

func FuzzASignHoldsNoNumberAndNothingPanics(f *testing.F) {
	f.Add("make test", noTable)
	f.Add("git push", "error: failed to push some refs to 'git@host:a/b.git' at 12:00:01")
	f.Fuzz(func(t *testing.T, command, output string) {
		sign, ok := Sign(command, output)
		_, line, _ := strings.Cut(sign, "\n")
		if ok && strings.ContainsAny(line, "0123456789") {
			t.Errorf("%q", line)
		}
		Failures([]Step{{ID: 1, Command: command, Output: output, Failed: true}, {ID: 2, Command: command}})
		Broke(command, output)
	})
}
