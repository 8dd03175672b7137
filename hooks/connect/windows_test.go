package connect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/hooks"
)

// onWindows is a connection whose short names are made as Windows makes them.
func onWindows(bin, home string) Options {
	return Options{
		UserHome: `C:\Users\dev`, Place: hooks.Place{Home: home, Bin: bin + `\mum.exe`, Hook: bin + `\mum-hook.exe`},
		Short: func(path string) string { return strings.ReplaceAll(path, "Program Files", "PROGRA~1") },
	}
}

// TestCommandLinesOfWindows: Codex hands them to cmd or PowerShell, and neither gets a quote.
func TestCommandLinesOfWindows(t *testing.T) {
	for _, test := range []struct{ bin, home, want string }{
		{`C:\mum`, `C:\data`, `C:\mum\mum-hook.exe --home=C:\data codex`},
		{`C:\Program Files\mum`, `C:\data`, `C:\PROGRA~1\mum\mum-hook.exe --home=C:\data codex`},
		{`C:\Program Files\mum`, `C:\Program Files\d`, `C:\PROGRA~1\mum\mum-hook.exe --home=C:\PROGRA~1\d codex`},
		{`C:\a b`, `C:\data`, `"C:\a b\mum-hook.exe" --home=C:\data codex`}, // a disk without short names
	} {
		o := onWindows(test.bin, test.home)
		if diff := cmp.Diff(test.want, o.commandLine(hooks.Codex)); diff != "" {
			t.Error(diff)
		}
		if ourProgram(words(o.commandLine(hooks.Codex))) == "" {
			t.Errorf("not recognised as ours: %s", o.commandLine(hooks.Codex))
		}
	}
}

// TestClaudeOnWindowsGetsNoShell: a program and its arguments, as they are.
func TestClaudeOnWindowsGetsNoShell(t *testing.T) {
	got := onWindows(`C:\Program Files\mum`, `C:\my data`).claudeHandler("Stop")
	want := command{Type: "command", Command: `C:\Program Files\mum\mum-hook.exe`,
		Args: []string{`--home=C:\my data`, "claude"}, Timeout: hookSeconds}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOurCommandsOfWindowsAreRecognised, in each form that some version has written.
func TestOurCommandsOfWindowsAreRecognised(t *testing.T) {
	for _, ours := range []string{`C:\mum\mum-hook.exe codex`, `C:\PROGRA~1\MUM\MUM-HOOK.EXE codex`,
		`"C:\a b\mum-hook.exe" "--home=C:\x y" codex`, `'Z:\mum.exe' hook codex`, `C:\mum.exe hook claude`} {
		if ourProgram(words(ours)) == "" || !mentionsUs([]byte(ours)) {
			t.Errorf("not recognised: %s", ours)
		}
	}
	for _, other := range []string{`C:\minimum.exe hook claude`, `C:\maximum-hook.exe codex`, `mum-hook.exe other`} {
		if ourProgram(words(other)) != "" {
			t.Errorf("taken for ours: %s", other)
		}
	}
}
