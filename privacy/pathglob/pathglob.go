package pathglob

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"keepmum/privacy/patience"
	"keepmum/privacy/shell"
)

// Glob is a glob from the settings, converted to one over whole paths with slashes.
type Glob struct {
	Written string
	Path    string // with the home directory expanded and no slash at its end
	Folder  bool   // it ends in a slash or in "everything in it", so only a folder can be meant
}

// ErrNowhere means that a glob can match nothing.
var ErrNowhere = errors.New("it can match nothing")

// Read converts a glob; if the home directory is unknown, ~ matches any directory. A glob that can match nothing is
// returned with an error that says why.
func Read(written, home string) (Glob, error) {
	text := atHome(shell.Slashes(strings.TrimSpace(written)), home)
	g := Glob{Written: written, Folder: strings.HasSuffix(text, "/") || strings.HasSuffix(text, "/**")}
	if text == "" {
		return g, fmt.Errorf("%w: it is empty", ErrNowhere)
	}
	if g.Path = strings.TrimSuffix(path.Clean(text), "/**"); g.Path == "." || g.Path == "" || g.Path == "/" {
		g.Path = "**" // the folder that contains everything
	}
	if !doublestar.ValidatePattern(g.Path) {
		return g, errors.New("not a valid glob")
	}
	return g, g.nowhere()
}

// atHome expands the home directory, and escapes characters in it that have a meaning in globs.
func atHome(glob, home string) string {
	if home = shell.Slashes(home); home == "" {
		home = "**"
	} else {
		home = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(home)
	}
	for _, name := range []string{"~", "$HOME", "${HOME}", "%USERPROFILE%"} {
		if rest, ok := strings.CutPrefix(glob, name); ok && (rest == "" || rest[0] == '/') {
			return home + rest
		}
	}
	return glob
}

func (g Glob) nowhere() error {
	switch first, _, _ := strings.Cut(g.Path, "/"); {
	case strings.ContainsAny(first, "$%"):
		return fmt.Errorf("%w: of variables only $HOME is known", ErrNowhere)
	case first == ".." || strings.Contains(g.Path, "/../"):
		return fmt.Errorf("%w: it must begin at / or ~, or be a name", ErrNowhere)
	case strings.HasPrefix(first, "~"):
		return fmt.Errorf("%w: of homes only your own is known, as ~/", ErrNowhere)
	case strings.HasSuffix(first, ":") && !shell.HasDrive(g.Path+"/"):
		return fmt.Errorf("%w: it must be a path, not a URL", ErrNowhere)
	}
	return nil
}

// Rooted reports whether the glob starts at a root.
func (g Glob) Rooted() bool { return strings.HasPrefix(g.Path, "/") || shell.HasDrive(g.Path) }

// Named reports whether the glob is only a name, without a folder.
func (g Glob) Named() bool { return !strings.Contains(g.Path, "/") }

// Anywhere returns the glob in lower case, for comparison with whole paths.
func (g Glob) Anywhere() string {
	glob := strings.ToLower(g.Path)
	if g.Rooted() || glob == "**" || strings.HasPrefix(glob, "**/") {
		return glob
	}
	return "**/" + glob
}

// Real returns the glob with links resolved in its leading folders, because agents report the real path. Without links
// it returns g itself.
func (g Glob) Real(fs *patience.Patience) Glob {
	if !filepath.IsAbs(g.Path) || strings.HasPrefix(g.Path, "//") {
		return g
	}
	fixed, rest := g.Path, ""
	if i := strings.IndexAny(fixed, `*?[{\`); i >= 0 {
		cut := strings.LastIndexByte(fixed[:i], '/')
		fixed, rest = fixed[:cut], fixed[cut:]
	}
	var real string
	var err error
	if fixed == "" || !fs.Try(func() { real, err = filepath.EvalSymlinks(fixed) }) || err != nil {
		return g
	}
	g.Path = shell.Slashes(real) + rest
	return g
}

// String describes what the glob matches.
func (g Glob) String() string {
	switch {
	case g.Path == "**":
		return "everything"
	case g.Rooted():
		return g.Path + " and all in it"
	case g.Named():
		return "whatever is named " + g.Path + ", anywhere, and all in it"
	}
	return g.Path + ", anywhere, and all in it"
}
