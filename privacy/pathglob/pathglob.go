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

// Glob is what somebody wrote, spelt as a glob over whole paths with slashes.
type Glob struct {
	Written string
	Path    string // home is written out; no slash at its end
	Folder  bool   // a slash at the end, or all in it: only a folder can be meant
}

// ErrNowhere says that a glob can match nothing.
var ErrNowhere = errors.New("it can match nothing")

// Read spells a glob; without a known home directory ~ is any directory. A glob
// that can match nothing is returned with an error that says why.
func Read(written, home string) (Glob, error) {
	text := atHome(shell.Slashes(strings.TrimSpace(written)), home)
	g := Glob{Written: written, Folder: strings.HasSuffix(text, "/") || strings.HasSuffix(text, "/**")}
	if text == "" {
		return g, fmt.Errorf("%w: it is empty", ErrNowhere)
	}
	if g.Path = strings.TrimSuffix(path.Clean(text), "/**"); g.Path == "." || g.Path == "" || g.Path == "/" {
		g.Path = "**" // the folder that everything is in
	}
	if !doublestar.ValidatePattern(g.Path) {
		return g, errors.New("not a valid glob")
	}
	return g, g.nowhere()
}

// atHome writes the home directory out, without the meaning that its letters
// have in a glob.
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

// Rooted reports whether the glob says where it begins.
func (g Glob) Rooted() bool { return strings.HasPrefix(g.Path, "/") || shell.HasDrive(g.Path) }

// Named reports whether the glob is a name only, without a folder around it.
func (g Glob) Named() bool { return !strings.Contains(g.Path, "/") }

// Anywhere is the lower-case glob that is compared with whole paths.
func (g Glob) Anywhere() string {
	glob := strings.ToLower(g.Path)
	if g.Rooted() || glob == "**" || strings.HasPrefix(glob, "**/") {
		return glob
	}
	return "**/" + glob
}

// Real returns the glob with the links resolved in the folders that it begins
// with: agents tell the real path. It is g itself where there are none.
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

// String says in words what the glob matches.
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
