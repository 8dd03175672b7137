package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAConfigThatNestsTooDeepIsRefusedBeforeItIsParsed(t *testing.T) {
	for name, text := range map[string]string{
		"a key of many parts":   strings.Repeat("a.", 60_000) + "a=1",
		"a header of many":      "[" + strings.Repeat("a.", 60_000) + "a]",
		"lists in lists":        "[privacy]\nexclude_paths=" + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
		"tables in tables":      "a=" + strings.Repeat("{a=", 30_000) + "1" + strings.Repeat("}", 30_000),
		"behind a long string":  "a='''\n''\n'''\nb=" + strings.Repeat("[", 40),
		"behind a quoted quote": `a="\"" ` + "\nb=" + strings.Repeat("[", 40),
	} {
		if _, _, err := parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), "deeper than 16") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"dots in a string":     `[privacy]` + "\nexclude_paths=[\"" + strings.Repeat("../", 40) + "\"]",
		"brackets in a string": "[[privacy.patterns]]\nname='x'\nregex='''" + strings.Repeat("[a.]", 40) + "'''",
		"a comment":            "# " + strings.Repeat("[.", 40) + "\n[daemon]\nport=1",
	} {
		if _, _, err := parse([]byte(text), nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAConfigOfTooManyKeysIsRefusedBeforeItIsParsed(t *testing.T) {
	for name, text := range map[string]string{
		"sections":        strings.Repeat("[s]\n", 4_000),
		"keys":            strings.Repeat("k=1\n", 4_000),
		"keys in a line":  "a={" + strings.Repeat("k=1,", 4_000) + "z=1}",
		"lists in a list": "a=[" + strings.Repeat("[],", 4_000) + "]",
		"empty lines":     strings.Repeat("\n", 200_000),
		"comments":        strings.Repeat("#\n", 100_000),
	} {
		if _, _, err := parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), "it has ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	own := strings.Repeat("[[privacy.patterns]]\nname='a'\nregex='=[{'\nkeywords=['x']\n", maxOwnPatterns)
	if _, _, err := parse([]byte(own), nil); err != nil {
		t.Errorf("as many patterns as a user may have: %v", err)
	}
}

func TestAConfigThatOthersMayWriteDoesNotCount(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not kept there")
	}
	home := t.TempDir()
	write := func(mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(File(home), []byte("[daemon]\nport = 1\n"), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(File(home), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(0o666)
	if _, err := Load(Options{Home: home}); err == nil || !strings.Contains(err.Error(), "other users may write it") {
		t.Errorf("got %v", err)
	}
	write(0o644)
	if l, err := Load(Options{Home: home}); err != nil || l.Daemon.Port != 1 {
		t.Errorf("got %d, %v", l.Daemon.Port, err)
	}
	kept := filepath.Join(t.TempDir(), "kept.toml")
	if err := os.Rename(File(home), kept); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, File(home)); err != nil {
		t.Fatal(err)
	}
	if l, err := Load(Options{Home: home}); err != nil || l.Daemon.Port != 1 {
		t.Errorf("through a link of one's own: %d, %v", l.Daemon.Port, err)
	}
}
func TestALinkOutOfTheRepositoryIsRefusedWhateverItLeadsTo(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".mum"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{os.DevNull, "/proc/self/fd/0", "/etc/hostname"} {
		_ = os.Remove(RepoFile(root))
		if err := os.Symlink(target, RepoFile(root)); err != nil {
			t.Skip(err)
		}
		counts, ignored := Around(root, "")
		if len(counts) != 1 || len(ignored) > 0 {
			t.Errorf("a link to %s is ignored: %+v", target, ignored)
		}
	}
}
