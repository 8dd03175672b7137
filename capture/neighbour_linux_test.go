package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

// Another user of the machine has no say in what is captured, wherever that user puts a config.
func TestAConfigThatMayBeSomebodyElsesDoesNotCount(t *testing.T) {
	for _, c := range []struct {
		name  string
		plant func(t *testing.T, above, repo string) // makes a config that switches capture off
		kept  bool
	}{
		{"above the repository, in nobody's home", func(t *testing.T, above, _ string) { plant(t, above) }, true},
		{"a file that others may write", func(t *testing.T, _, repo string) { mode(t, plant(t, repo), 0o666) }, true},
		{"a directory that others may write",
			func(t *testing.T, _, repo string) { mode(t, filepath.Dir(plant(t, repo)), 0o777) }, true},
		{"a file of another user", func(t *testing.T, _, repo string) { give(t, plant(t, repo)) }, true},
		{"a directory of another user", func(t *testing.T, _, repo string) { give(t, filepath.Dir(plant(t, repo))) }, true},
		{"the user's own", func(t *testing.T, _, repo string) { plant(t, repo) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			above := t.TempDir()
			repo := filepath.Join(above, "repo")
			if err := os.MkdirAll(filepath.Join(repo, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(repo, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			c.plant(t, above, repo)
			in, err := capture.NewIntake(capture.Options{Home: t.TempDir(), Config: config.Default(), UserHome: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			_, why := in.Take(
				capture.Incoming{Event: hooks.Event{Agent: hooks.Claude, Kind: hooks.Prompt, Session: "s", Dir: repo,
					Text: "go on"}})
			if (why == "") != c.kept {
				t.Errorf("skipped %q, want kept %t", why, c.kept)
			}
		})
	}
}

func plant(t *testing.T, dir string) (file string) {
	t.Helper()
	file = config.RepoFile(dir)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("capture = \"off\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func mode(t *testing.T, path string, m os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, m); err != nil {
		t.Fatal(err)
	}
}

func give(t *testing.T, path string) {
	t.Helper()
	if err := os.Chown(path, 12345, 12345); err != nil {
		t.Skip("only root can give a file away")
	}
}
