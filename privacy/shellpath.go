package privacy

import (
	"path"
	"regexp"
	"strings"
)

var drive = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// hasDrive reports whether a path begins with the letter of a drive.
func hasDrive(p string) bool { return drive.MatchString(p) }

// joinPath makes name absolute and cleans it.
func joinPath(dir, name, home string) string {
	name = slashes(name)
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		name = slashes(home) + name[1:]
	case strings.HasPrefix(name, "/") || drive.MatchString(name):
	default:
		name = slashes(dir) + "/" + name
	}
	return path.Clean(name)
}

// slashes writes a path of Windows with the slashes of the others.
func slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }
