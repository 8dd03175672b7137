package shell

import (
	"path"
	"strings"
)

// HasDrive reports whether a path starts with a drive letter.
func HasDrive(p string) bool {
	return len(p) > 2 && p[1] == ':' && strings.IndexByte(`/\`, p[2]) >= 0 && p[0]|0x20-'a' < 26
}

// Path returns the path that a word names in a directory: absolute, with ~ replaced by the home directory, and cleaned.
func Path(dir, name, home string) string {
	name = Slashes(name)
	switch {
	case name == "~" || strings.HasPrefix(name, "~/"):
		name = Slashes(home) + name[1:]
	case strings.HasPrefix(name, "/") || HasDrive(name):
	default:
		name = Slashes(dir) + "/" + name
	}
	return path.Clean(name)
}

// Slashes returns a Windows path with forward slashes.
func Slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }
