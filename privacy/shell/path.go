package shell

import (
	"path"
	"regexp"
	"strings"
)

var drive = regexp.MustCompile(`^[A-Za-z]:[/\\]`)

// HasDrive reports whether a path begins with the letter of a drive.
func HasDrive(p string) bool { return drive.MatchString(p) }

// Path is the path that a word names in a directory: absolute, with ~ for the home
// directory, and cleaned.
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

// Slashes writes a path of Windows with the slashes of the others.
func Slashes(p string) string { return strings.ReplaceAll(p, `\`, "/") }
