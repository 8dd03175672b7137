package transcript

import (
	"os"
	"path/filepath"
	"strings"
)

// Roots are the directories in which the agents keep their sessions. An agent with an empty field is skipped.
type Roots struct {
	Claude     string // contains projects/
	Codex      string // contains sessions/ and archived_sessions/
	OpenCode   string // contains opencode.db, or storage/ of older versions
	OpenCodeDB string // a database elsewhere, instead of those in OpenCode
	CursorUser string // contains globalStorage/ and workspaceStorage/
	CursorHome string // contains projects/*/agent-transcripts/
}

// DefaultRoots returns the default directories on a system (goos as in runtime.GOOS), changed by the environment
// variables that the agents themselves use.
func DefaultRoots(home, goos string, getenv func(string) string) Roots {
	or := func(name string, def ...string) string {
		if v := getenv(name); v != "" {
			return v
		}
		return filepath.Join(append([]string{home}, def...)...)
	}
	r := Roots{
		Claude:     or("CLAUDE_CONFIG_DIR", ".claude"),
		Codex:      or("CODEX_HOME", ".codex"),
		OpenCode:   filepath.Join(or("XDG_DATA_HOME", ".local", "share"), "opencode"),
		CursorHome: filepath.Join(home, ".cursor"),
	}
	switch goos {
	case "darwin":
		r.CursorUser = filepath.Join(home, "Library", "Application Support", "Cursor", "User")
	case "windows":
		r.CursorUser = filepath.Join(or("APPDATA", "AppData", "Roaming"), "Cursor", "User")
	default:
		r.CursorUser = filepath.Join(or("XDG_CONFIG_HOME", ".config"), "Cursor", "User")
	}
	r.OpenCodeDB = getenv("OPENCODE_DB")
	if r.OpenCodeDB != "" && !filepath.IsAbs(r.OpenCodeDB) {
		r.OpenCodeDB = filepath.Join(r.OpenCode, r.OpenCodeDB)
	}
	return r
}

// Reaches reports whether a file at path would be found if it existed: the directory just below its agent's root is
// there. A root on a drive that is not mounted is missing or empty.
func (r Roots) Reaches(path string) bool {
	for _, root := range []string{r.Claude, r.Codex, r.OpenCode, r.OpenCodeDB, r.CursorUser, r.CursorHome} {
		rest, inside := strings.CutPrefix(path, root+string(filepath.Separator))
		if root == "" || !inside && path != root {
			continue
		}
		first := root // a database elsewhere is a file
		if inside {
			first, _, _ = strings.Cut(rest, string(filepath.Separator))
			first = filepath.Join(root, first)
		}
		if _, err := os.Stat(first); err == nil {
			return true
		}
	}
	return false
}
