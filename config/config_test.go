package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/config"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLaterLayersWinAndSayWhereAValueCameFrom(t *testing.T) {
	home := t.TempDir()
	write(t, config.File(home),
		"[daemon]\nport = 1\nlog_level = \"debug\"\n[compress]\nidle = \"7d\"\n[privacy]\nmax_field = \"64KiB\"\n")
	got, err := config.Load(config.Options{
		Home:    home,
		Environ: []string{"MUM_DAEMON__PORT=2", "MUM_CAPTURE__SKIP_TOOLS=A,B", "MUM_HOME=/x", "MUM_HOOK=off"},
		Flags:   map[string]any{"daemon.port": 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.Daemon.Port, want.Daemon.LogLevel = 3, "debug"
	want.Compress.Idle = config.Duration(7 * 24 * time.Hour)
	want.Privacy.MaxField = 64 << 10
	want.Capture.SkipTools = []string{"A", "B"}
	if diff := cmp.Diff(want, got.Config); diff != "" {
		t.Error(diff)
	}
	for key, origin := range map[string]string{"daemon.port": "flags", "daemon.log_level": config.File(home),
		"capture.skip_tools": "environment"} {
		if got.Origin[key] != origin {
			t.Errorf("%s comes from %q, want %q", key, got.Origin[key], origin)
		}
	}
}

func TestBadSettingsAreRefusedByName(t *testing.T) {
	for _, c := range []struct{ name, toml, want string }{
		{"a misspelt key", "[privacy]\nmod = \"strict\"",
			`config.toml: line 2: there is no setting "privacy.mod": did you mean "privacy.mode"?`},
		{"two misspelt keys", "# mine\n[privacy]\nmod = \"strict\"\n\n[ context ]\n enable= true",
			`line 6: there is no setting "context.enable": did you mean "context.enabled"?; line 3: there is no setting "privacy.mod"`},
		{"a key like none", "[privacy]\nfoo = 1", `"privacy.foo": ` + "`mum config show` lists them"},
		{"an unknown section", "[cloud]\nkey = 1", `there is no setting "cloud.key"`},
		{"a mode that is none", "[privacy]\nmode = \"loose\"", "config.toml: line 2: privacy.mode is \"loose\": it must be"},
		{"a duration without unit", "[compress]\nidle = \"5\"", `config.toml: line 2: compress.idle: "5" is not a duration`},
		{"a word for a number", "[daemon]\n\nport = \"web\"", "line 3: daemon.port: "},
		{"broken TOML", "capture.enabled = true\n[privacy\n", "config.toml: line 2: "},
		{"a port out of range", "[daemon]\nport = 70000", "daemon.port is 70000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			write(t, config.File(home), c.toml)
			_, err := config.Load(config.Options{Home: home})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestARepositoryCanOnlyTighten(t *testing.T) {
	root := t.TempDir()
	write(t, config.RepoFile(root), `
capture = "off"
[privacy]
mode = "none"
exclude_paths = ["*.csv", "!.env"]
vault = false
sensitivity = "low"
[[privacy.patterns]]
name = "ticket"
regex = "T-[0-9]+"
[egress]
allow_hosts = ["evil.example"]
`)
	got, err := config.LoadRepo(root)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Repo{
		Paused: true, ExcludePaths: []string{"*.csv"}, Patterns: []config.Pattern{{Name: "ticket", Regex: "T-[0-9]+"}},
		Refused: []string{
			"egress.allow_hosts: not a setting that a repository may have",
			"privacy.exclude_paths: a repository cannot allow a path",
			"privacy.mode: a repository can only ask for strict",
			"privacy.sensitivity: a repository can only raise it",
			"privacy.vault: not a setting that a repository may have",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatARepositoryAsksForAndNobodyUnderstandsIsSwitchedOff(t *testing.T) {
	for text, want := range map[string]config.Repo{
		"capture = \"of\"": {Paused: true,
			Refused: []string{"capture: neither on nor off, so capture is off here"}},
		"captur = \"off\"": {Paused: true,
			Refused: []string{`captur: there is no such setting, so nothing is captured here: did you mean "capture"?`}},
		"[capture]\nenable = false": {Paused: true,
			Refused: []string{`capture.enable: there is no such setting, so nothing is captured here: did you mean "capture.enabled"?`}},
		"[privacy]\nexclude_path = [\"*.x\"]": {Paused: true,
			Refused: []string{`privacy.exclude_path: there is no such setting, so nothing is captured here: did you mean "privacy.exclude_paths"?`}},
		"[privacy]\nexclude_paths = \"*.x\"": {ExcludePaths: []string{"*.x"}},
		"[privacy]\nexclude_paths = [[\"*.x\"]]": {Paused: true,
			Refused: []string{"privacy.exclude_paths: not a list of paths, so nothing is captured here"}},
		"[privacy]\nexclude_paths = [1]": {Paused: true,
			Refused: []string{"privacy.exclude_paths: not a list of paths, so nothing is captured here"}},
		"[privacy]\nmode = \"strikt\"": {Strict: true,
			Refused: []string{"privacy.mode: no such mode, so it is strict here"}},
		"[privacy]\nsensitivity = \"high\"": {Sensitivity: "high"},
		"[privacy]\nsensitivity = \"hi\"": {Sensitivity: "high",
			Refused: []string{"privacy.sensitivity: no such sensitivity, so it is high here"}},
		"[context]\nenabled = \"no\"": {NoContext: true,
			Refused: []string{"context.enabled: neither on nor off, so context is off here"}},
		"capture = true":  {Refused: []string{"capture: a repository can only switch capture off"}},
		"context = false": {NoContext: true},
	} {
		root := t.TempDir()
		write(t, config.RepoFile(root), text)
		got, err := config.LoadRepo(root)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", text, err, diff)
		}
	}
}

func TestDecayIsUnderstoodInBothSpellings(t *testing.T) {
	for name, text := range map[string]string{
		"first": "[memory.decay]\nenabled = true\ndecay_period_days = 90\nconfidence_floor = 0.2\ngrace_period_days = 7\n",
		"other": "[memory.decay]\ndecay_days = 90\nmin_confidence_floor = 0.2\nrecent_access_grace_days = 7\n",
	} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := config.Load(config.Options{Home: home, Environ: []string{"MUM_MEMORY__DECAY__ARCHIVE_THRESHOLD=0.3"}})
		want := config.Decay{Enabled: true, PeriodDays: 90, ConfidenceFloor: 0.2, ArchiveThreshold: 0.3, GraceDays: 7}
		if err != nil || got.Memory.Decay != want {
			t.Errorf("%s: got %+v, %v", name, got.Memory.Decay, err)
		}
	}
}

func TestASettingUnderBothSpellingsIsRefused(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.toml"),
		[]byte("[memory.decay]\ndecay_days = 90\ndecay_period_days = 30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(config.Options{Home: home}); err == nil || !strings.Contains(err.Error(), "decay_days") {
		t.Errorf("got %v", err)
	}
}

func TestMorePatternsThanAPersonWritesAreRefused(t *testing.T) {
	one := func(n int, regex string) string {
		return fmt.Sprintf("[[privacy.patterns]]\nname = \"p%d\"\nregex = \"%s\"\n", n, regex)
	}
	many := ""
	for n := range 257 {
		many += one(n, fmt.Sprintf("x%d[a-z]{100,1000}", n))
	}
	for name, c := range map[string]struct{ text, want string }{
		"too many":          {many, "257 patterns"},
		"one too long":      {one(1, strings.Repeat("a", 1025)), "a regex of 1025 bytes (pattern 1)"},
		"too many keywords": {one(1, "a") + "keywords = [" + strings.Repeat(`"k",`, 65) + "]\n", "keywords (pattern 1)"},
		"too many globs": {"[privacy]\nexclude_paths = [" + strings.Repeat(`"k",`, 513) + "]\n",
			"too many or too long globs"},
	} {
		home, root := t.TempDir(), t.TempDir()
		write(t, config.File(home), c.text)
		if _, err := config.Load(config.Options{Home: home}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		write(t, config.RepoFile(root), c.text)
		got, err := config.LoadRepo(root)
		if err != nil || !got.Paused || len(got.Refused) != 1 || !strings.Contains(got.Refused[0], c.want) {
			t.Errorf("%s, of a repository: %+v, %v", name, got, err)
		}
	}
}

// An agent may name a file as its working directory. The config of the directories around it still applies.
func TestAFileInPlaceOfADirectoryHasNoConfigOfItsOwn(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "main.go")
	write(t, file, "package main\n")
	if _, there := config.RepoStamp(file); there {
		t.Error("it has a config")
	}
	write(t, config.RepoFile(root), "capture = false\n")
	counts, ignored := config.Around(file, filepath.Dir(root))
	if len(counts) != 1 || counts[0] != root || len(ignored) > 0 {
		t.Errorf("%v counts, %v is ignored", counts, ignored)
	}
}
