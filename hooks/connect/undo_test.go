package connect

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/hooks"
)

const apiKey = "sk-ant-api03-q7Zk2Lr5Xc9Vb1Nm3Qa4Sd6Fg0Hj2K4Lu8Wq"

// withKeys are files of agents that hold a key, on many lines and on one, before our
// entries, between them and behind.
func withKeys(o Options) map[string]string {
	return map[string]string{
		o.claudeFile(): `{"env":{"ANTHROPIC_API_KEY":"` + apiKey +
			`"},"hooks":{"Stop":[{"hooks":[{"type":"command","command":"KEY=` + apiKey + ` say"}]}]},"apiKey":"` + apiKey + `"}`,
		filepath.Join(o.UserHome,
			".claude.json"): "{\n  // mine\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\", \"env\": {\"TOKEN\": \"" +
			apiKey + "\"}}, // " + apiKey + "\n  }\n}\n",
		filepath.Join(o.UserHome, ".codex/config.toml"): "[mcp_servers.x]\ncommand = \"y\"\nenv = {TOKEN = \"" +
			apiKey + "\"}",
		filepath.Join(o.UserHome, ".codex/hooks.json"): "{\r\n\t\"x\": \"" + apiKey +
			"\",\r\n\t\"hooks\": {  }\r\n}",
		filepath.Join(o.UserHome, ".cursor/mcp.json"): "\n\n{ \"mcpServers\" : { } , \"token\" : \"" + apiKey +
			"\" }\n\n",
		filepath.Join(o.UserHome, ".cursor/hooks.json"): `{"token":"` + apiKey + `"}`,
		filepath.Join(o.UserHome, ".config/opencode/opencode.json"): `{"provider":{"x":{"options":{"apiKey":"` + apiKey +
			`"}}}}`,
	}
}

// keepers returns the files of a directory that hold a text.
func keepers(t *testing.T, dir, text string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.Contains(get(t, path), text) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheWayBackHoldsNothingOfWhatTheFileHeld(t *testing.T) {
	o := machine(t)
	for path, text := range withKeys(o) {
		put(t, path, text)
	}
	for range 2 {
		mustConnect(t, o, hooks.Agents()...)
		if got := keepers(t, o.Place.Home, apiKey[:20]); len(got) > 0 {
			t.Errorf("a key stands in %v", got)
		}
	}
	m, err := loadManifest(o.Place.Home)
	if err != nil || len(m.Edits) < 7 {
		t.Fatalf("%+v, %v", m.Edits, err)
	}
	for _, r := range m.Edits {
		if base, ok := m.original(r, []byte(get(t, r.Path))); !ok || r.Existed && string(base) != withKeys(o)[r.Path] {
			t.Errorf("the way back from %s is lost: %v, %q", r.Path, ok, base)
		}
	}
	mustDisconnect(t, o, hooks.Agents()...)
	for path, text := range withKeys(o) {
		if got := get(t, path); got != text {
			t.Errorf("%s: got %q, want %q", path, got, text)
		}
	}
}

// TestCopiesOfOlderVersionsGo: of a file that is as we wrote it the way back stays.
func TestCopiesOfOlderVersionsGo(t *testing.T) {
	o := machine(t)
	original := withKeys(o)[o.claudeFile()]
	put(t, o.claudeFile(), original)
	mustConnect(t, o, "claude")
	m, err := loadManifest(o.Place.Home)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(m.backups(), "copy"), original)
	for i := range m.Edits {
		if m.Edits[i].Path == o.claudeFile() {
			m.Edits[i].Undo, m.Edits[i].Backup = nil, "copy"
		}
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	put(t, m.path(), string(data))
	if err := DropCopies(o.Place.Home); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(m.backups()); err == nil {
		t.Error("the copies are there yet")
	}
	if err := DropCopies(o.Place.Home); err != nil { // nothing to do
		t.Error(err)
	}
	mustDisconnect(t, o, "claude")
	if got := get(t, o.claudeFile()); got != original {
		t.Errorf("got %q", got)
	}
}

// TestTheWayBackIsFoundWhateverWasPutIn: our entries may hold the same characters as
// what is around them.
func TestTheWayBackIsFoundWhateverWasPutIn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := func(n int) []byte {
		out := make([]byte, r.IntN(n))
		for i := range out {
			out[i] = "{}[],:\"ab \n\t"[r.IntN(12)]
		}
		return out
	}
	for range 2000 {
		base := some(40)
		after := slices.Clone(base)
		for range r.IntN(4) {
			after = slices.Insert(after, r.IntN(len(after)+1), some(30)...)
		}
		if got, ok := undoOf(base, after).of(after); !ok || !bytes.Equal(got, base) {
			t.Fatalf("%q became %q; back comes %q, %v", base, after, got, ok)
		}
	}
	if got := undoOf([]byte("key"), []byte("yek")); got != nil {
		t.Errorf("there is no way back, and it was found: %v", got)
	}
}
