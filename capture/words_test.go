package capture

import (
	"testing"

	"keepmum/config"
	"keepmum/hooks"
)

func TestAPatchIsNamedByItsFiles(t *testing.T) {
	in, err := NewIntake(Options{Home: t.TempDir(), Config: config.Default(), Key: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	const patched = "apply_patch a.go, b.go"
	for patch, want := range map[string]string{
		"*** Begin Patch\n*** Update File: a.go\n@@\n*** Add File: b/my file.go \n+x\n*** End Patch": "apply_patch a.go, " +
			"b/my file.go",
		"*** Begin Patch\r\n*** Update File: a.go\r\n@@\r\n*** Delete File: b.go\r\n*** End Patch\r\n": patched,
		"*** Begin Patch\n*** End Patch": "apply_patch *** Begin Patch",
	} {
		e, why := in.Take(Incoming{Event: hooks.Event{Agent: "codex", Kind: hooks.Observation, Session: "s",
			Tool: "apply_patch", Input: map[string]any{"command": patch}}})
		if got := title(e).String(); why != "" || got != want {
			t.Errorf("%q: %q (%s), want %q", patch, got, why, want)
		}
	}
}
