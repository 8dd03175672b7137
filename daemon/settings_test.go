package daemon

import (
	"os"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/config"
)

func TestARestartIsNeededOnlyForOtherSettings(t *testing.T) {
	r := startRig(t, t.TempDir())
	file := config.File(string(r.home))
	const running = "compress.provider = \"off\"\ndaemon.port = 0\nprivacy.vault = false\n"
	for text, want := range map[string]bool{
		"# a comment\n":                  false,
		"[store]\nbackups = 3\n":         true,
		"[store\n":                       true,
		"privacy.mode = \"strict\"\n":    true,
		"capture.skip_tools = [\"A\"]\n": true,
	} {
		writeFile(t, running+text, file)
		soon := time.Now().Add(time.Hour)
		if err := os.Chtimes(file, soon, soon); err != nil {
			t.Fatal(err)
		}
		if got := into[api.Settings](t, r.ask(t, "GET", "/settings", "")); got.Restart != want {
			t.Errorf("%q: restart %v", text, got.Restart)
		}
	}
}
