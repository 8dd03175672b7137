package main

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/longtest"
)

// Settings with which no daemon would start stop none that runs.
func TestBadSettingsStopNoDaemon(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	must(t, data, "up")
	stopAtEnd(t, data)
	pid := status(t, data).PID
	for i, bad := range []string{
		"[privacy]\nexclude_paths = [\"[\"]\n",
		"[capture]\nexclude_projects = [\"[\"]\n",
		"[[privacy.patterns]]\nname = \"mine\"\nregex = \"(\"\n",
		"[daemon]\nhost = \"0.0.0.0\"\n",
		"[context]\nbudget_tokens = \"many\"\n",
	} {
		if !longtest.Every(3, i) {
			continue
		}
		write(t, filepath.Join(data, "config.toml"), bad)
		for _, verb := range []string{"restart", "up"} {
			out, err := mum(data, verb).CombinedOutput()
			if err == nil || !strings.Contains(string(out), "mum config check") {
				t.Errorf("%s with\n%s%v\n%s", verb, bad, err, out)
			}
		}
		write(t, filepath.Join(data, "config.toml"), "")
		if now := status(t, data).PID; now != pid {
			t.Fatalf("process %d answers instead of %d, after\n%s", now, pid, bad)
		}
	}
}
