package privacy

import (
	"strings"
	"testing"
)

// TestASecretFileThatAShellShows: what a command prints of a denied file is taken out wherever the lines of a
// shell are pasted, in what an agent writes and in the output of another command too.
func TestASecretFileThatAShellShows(t *testing.T) {
	shown := "ann@web01:~$ cat /srv/app/.credentials\nsmtp=noreply:Moos!Drossel4\n"
	g := newGate(t, Options{})
	for name, r := range map[string]Raw{
		"written": {Tool: "Write", Input: map[string]any{"file_path": "/src/shop/notes.txt", "content": shown}},
		"printed": {Tool: "Bash", Input: map[string]any{"command": "make"}, Output: map[string]any{"stdout": shown}},
		"prompt":  {Fields: map[string]string{"text": shown}},
	} {
		got := g.Event(r)
		all := got.Input.JSON().String() + got.Output.JSON().String() + got.Fields["text"].String()
		if strings.Contains(all, "Drossel4") || !strings.Contains(all, "smtp=") {
			t.Errorf("%s: %s", name, all)
		}
	}
	plain := "the port stands in .env\nPORT=8080\n"
	got := g.Event(Raw{Tool: "Bash", Input: map[string]any{"command": "make"}, Output: map[string]any{"stdout": plain}})
	if out := got.Output.JSON().String(); !strings.Contains(out, "8080") {
		t.Errorf("nothing shows a file here: %s", out)
	}
}
