package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
)

// An agent may have removed the directory that it works in.
func TestADirectoryThatWasRemovedStopsNoCommand(t *testing.T) {
	longtest.Only(t)
	data := upWith(t, "the zebra crossing")
	for _, c := range []struct{ command, in, want string }{
		{"redact", "token: ghp_u8Zk3mWq9TnB2xVcLr5YdJ7fHs4PaE1oGiQ0", "[REDACTED:"},
		{"context zebra", "", "nothing: no earlier work here"},
		{"session task tested", "", "noted"},
		{"search zebra", "", "nothing"},
		{"mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n", `"id":1`},
		{"connect claude --dry-run", "", "mcpServers"},
	} {
		for _, pwd := range []string{"", "unset PWD; "} {
			verb, _, _ := strings.Cut(c.command, " ")
			if pwd != "" && slices.Contains([]string{"session", "context", "search"}, verb) {
				continue // they need to know where they are
			}
			dir := filepath.Join(t.TempDir(), "gone")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("sh", "-c", `cd "$1" && rmdir "$1" && `+pwd+`exec "$2" `+c.command, "sh", dir, binary)
			cmd.Env, cmd.Stdin = mum(data).Env, strings.NewReader(c.in)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), c.want) {
				t.Errorf("%s%s: %v\n%s", pwd, c.command, err, out)
			}
		}
	}
}
