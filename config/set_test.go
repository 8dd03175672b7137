package config_test

import (
	"os"
	"strings"
	"testing"

	"keepmum/config"
)

const written = `# mine
[context]
budget_tokens = 300 # little
[capture]
# tools that say nothing
skip_tools = [
  "TodoWrite", # noise, with a ] in it
  "TodoRead",
]

[privacy]
mode = "strict"
`

func TestSetChangesOneSettingAndLeavesTheRest(t *testing.T) {
	for name, c := range map[string]struct {
		key, value string
		unset      bool
		from, to   string
	}{
		"a number": {"context.budget_tokens", "600", false, "300 # little", "600 # little"},
		"a list of lines": {"capture.skip_tools", "A, B", false,
			"[\n  \"TodoWrite\", # noise, with a ] in it\n  \"TodoRead\",\n]", `["A", "B"]`},
		"an empty list": {"capture.skip_tools", "", false,
			"[\n  \"TodoWrite\", # noise, with a ] in it\n  \"TodoRead\",\n]", `[]`},
		"a new key": {"context.enabled", "off", false, "300 # little\n", "300 # little\nenabled = false\n"},
		"a new section": {"memory.decay.enabled", "on", false,
			"mode = \"strict\"\n", "mode = \"strict\"\n\n[memory.decay]\nenabled = true\n"},
		"quotes": {"compress.model", `a"b\c`, false,
			"mode = \"strict\"\n", "mode = \"strict\"\n\n[compress]\nmodel = \"a\\\"b\\\\c\"\n"},
		"unset":          {"context.budget_tokens", "", true, "budget_tokens = 300 # little\n", ""},
		"unset, not set": {"store.backups", "", true, "", ""},
		"a size": {"privacy.max_field", "64KiB", false,
			"mode = \"strict\"\n", "mode = \"strict\"\nmax_field = \"64KiB\"\n"},
	} {
		home := t.TempDir()
		write(t, config.File(home), written)
		e, err := config.Set(config.Options{Home: home}, c.key, c.value, c.unset)
		if want := strings.Replace(written, c.from, c.to, 1); err != nil || string(e.Text) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, e.Text, want)
		}
		if text, err := os.ReadFile(config.File(home)); err != nil || string(text) != written {
			t.Errorf("%s: the file was written", name)
		}
	}
}

func TestSetRefusesWhatWouldNotHold(t *testing.T) {
	for name, c := range map[string]struct{ text, env, key, value, want string }{
		"no such setting":       {"", "", "privacy.mod", "safe", `did you mean "privacy.mode"`},
		"out of range":          {"", "", "context.budget_tokens", "9000", "it must be 0..2000"},
		"a word for number":     {"", "", "daemon.port", "web", "not a whole number"},
		"neither on nor off":    {"", "", "privacy.vault", "maybe", "neither on nor off"},
		"patterns":              {"", "", "privacy.patterns", "x", "write them in the file"},
		"an inline table":       {"privacy = {mode = \"strict\"}\n", "", "privacy.mode", "safe", "change the file by hand"},
		"from the surroundings": {"", "MUM_PRIVACY__MODE=strict", "privacy.mode", "safe", "comes from the environment"},
		"a broken file":         {"[privacy\n", "", "privacy.mode", "safe", "line 1"},
		"a file of bad values":  {"[daemon]\nport = 90000\n", "", "privacy.mode", "safe", "config.toml: line 2: daemon.port"},
	} {
		home := t.TempDir()
		write(t, config.File(home), c.text)
		if _, err := config.Set(config.Options{Home: home, Environ: []string{c.env}}, c.key, c.value, false); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAValueThatIsRefusedHasNoLine(t *testing.T) {
	for _, c := range []struct{ text, key, value, want string }{
		{"", "daemon.log_level", "loud", `daemon.log_level is "loud": it must be debug, info, warn or error`},
		{"[daemon]\nport = 0\n", "privacy.max_field", "many", "privacy.max_field"},
	} {
		home := t.TempDir()
		if c.text != "" {
			write(t, config.File(home), c.text)
		}
		_, err := config.Set(config.Options{Home: home}, c.key, c.value, false)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.key, err)
		}
	}
}

func TestWhatTheFileSaysAlreadyIsTheSame(t *testing.T) {
	home := t.TempDir()
	write(t, config.File(home), "[daemon]\nport = 0\n")
	for value, want := range map[string]bool{"0": true, "7": false} {
		e, err := config.Set(config.Options{Home: home}, "daemon.port", value, false)
		if err != nil || e.Same != want {
			t.Errorf("%s: %v, %v", value, e.Same, err)
		}
	}
	if e, err := config.Set(config.Options{Home: home}, "store.backups", "", true); err != nil || !e.Same {
		t.Errorf("not set, removed: %v, %v", e.Same, err)
	}
}

func TestEverySettingIsExplained(t *testing.T) {
	for _, kv := range (config.Loaded{Config: config.Default()}).Keys() {
		if config.About(kv.Key) == "" {
			t.Errorf("%s is explained nowhere", kv.Key)
		}
	}
}
