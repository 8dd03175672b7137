package denylist

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"keepmum/privacy/pathglob"
	"keepmum/privacy/patience"
	"keepmum/privacy/shell"
)

//go:embed denied.txt
var deniedText string

// defaultDenied returns the globs of files that contain credentials by convention: see denied.txt.
func defaultDenied() (globs []string) {
	for line := range strings.Lines(deniedText) {
		if !strings.HasPrefix(line, "#") {
			globs = append(globs, strings.Fields(line)...)
		}
	}
	return globs
}

// pathRules is an ordered list of globs: the last that matches a path decides.
type pathRules struct {
	list   []pathRule
	pieces [1 << 16]bool // hashes of a piece of each denying glob's literal
	always bool          // a denying glob has no such piece
}

type pathRule struct {
	allow   bool
	glob    string // over a whole path
	literal string // what every match contains; "" = nothing. A glob match is slow and nearly always fails
	piece   uint16 // hash of a piece of the literal
	pieced  bool   // there is one, and the rule denies
}

// newPathRules compiles globs; those of a repository first pass tightenOnly and cannot allow anything.
func newPathRules(globs []string) (*pathRules, error) {
	rules := &pathRules{}
	for _, g := range globs {
		rule, err := newPathRule(g)
		if err != nil {
			return nil, err
		}
		rules.expect(&rule)
		rules.list = append(rules.list, rule)
	}
	return rules, nil
}

const pieceLength = 4

// expect records a piece of a denying rule's literal, so that [pathRules.match] can tell at once that a path without
// any such piece is not denied. Of a glob from the root it takes the end, because many paths begin like that.
func (rules *pathRules) expect(r *pathRule) {
	end := len(r.literal) - pieceLength
	r.pieced = !r.allow && end >= 0
	switch {
	case r.allow:
		return
	case end < 0:
		rules.always = true
		return
	case r.glob[0] == '/':
		r.piece = hash(r.literal[end:])
	default:
		r.piece = hash(r.literal)
	}
	rules.pieces[r.piece] = true
}

// hash returns a number for the first bytes of a text.
func hash(text string) (h uint16) {
	for _, c := range []byte(text[:pieceLength]) {
		h = h*61 + uint16(c)
	}
	return h
}

// found returns the pieces of denying globs in a path, as hashes. Nearly all ordinary paths have none.
func (rules *pathRules) found(file string, out []uint16) []uint16 {
	for at := range max(0, len(file)-pieceLength+1) {
		if h := hash(file[at:]); rules.pieces[h] {
			out = append(out, h)
		}
	}
	return out
}

// meant turns the globs of the settings into rules. A glob that denies a folder denies everything in it; one that
// allows is used as it is written.
func meant(globs []string, home string, fs *patience.Patience) ([]string, error) {
	var out []string
	for _, written := range globs {
		text, allow := strings.CutPrefix(strings.TrimSpace(written), "!")
		g, err := pathglob.Read(text, home)
		switch {
		case errors.Is(err, pathglob.ErrNowhere):
			continue
		case err != nil:
			return nil, fmt.Errorf("exclude path %q: %w", written, err)
		}
		if allow {
			out = append(out, allowing(g))
			continue
		}
		if g.Named() && !g.Folder && g.Path != "**" {
			out = append(out, g.Path) // decided by the name alone, which is quicker
		}
		out = append(out, g.Anywhere()+"/**")
		if real := g.Real(fs); real != g {
			out = append(out, real.Anywhere()+"/**")
		}
	}
	return out, nil
}

func allowing(g pathglob.Glob) string {
	if g.Folder {
		return "!" + g.Path + "/**"
	}
	return "!" + g.Path
}

// tightenOnly drops globs that would allow a path. It is applied to globs of a repository, which somebody else wrote.
func tightenOnly(globs []string) []string {
	return slices.DeleteFunc(slices.Clone(globs), func(g string) bool {
		return strings.HasPrefix(strings.TrimSpace(g), "!")
	})
}

func newPathRule(glob string) (pathRule, error) {
	text, allow := strings.CutPrefix(strings.TrimSpace(glob), "!")
	text = strings.ToLower(shell.Slashes(text))
	if strings.HasSuffix(text, "/") {
		text += "**" // a directory means everything in it, as in gitignore
	}
	if !doublestar.ValidatePattern(text) {
		return pathRule{}, fmt.Errorf("exclude path %q: not a valid glob", glob)
	}
	return pathRule{allow: allow, glob: anyDepth(text), literal: literalOf(text)}, nil
}

// anyDepth makes a glob match at any depth, unless it says where it starts.
func anyDepth(glob string) string {
	if strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "**/") || shell.HasDrive(glob) {
		return glob
	}
	return "**/" + glob
}

// match reports whether the file is denied. file is lower case, with slashes and cleaned.
func (rules *pathRules) match(file string) bool {
	var few [8]uint16
	pieces := rules.found(file, few[:0])
	if len(pieces) == 0 && !rules.always {
		return false
	}
	if original := backupOf(file); original != file && rules.match(original) {
		return true
	}
	denied := false
	for _, r := range rules.list {
		if denied != r.allow || r.pieced && !slices.Contains(pieces, r.piece) || !strings.Contains(file, r.literal) {
			continue
		}
		if doublestar.MatchUnvalidated(r.glob, file) {
			denied = !r.allow
		}
	}
	return denied
}

// literalOf returns the longest part of a glob that is in everything it matches. ** may make a slash at the ends of
// that part optional.
func literalOf(glob string) (longest string) {
	if strings.ContainsAny(glob, `{}[]\`) {
		return ""
	}
	for part := range strings.FieldsFuncSeq(glob, func(r rune) bool { return r == '*' || r == '?' }) {
		if part = strings.Trim(part, "/"); len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// backupOf returns the name of the file that a backup was made of: both have the same contents.
func backupOf(file string) string {
	for _, end := range []string{".bak", ".old", ".orig", ".save", ".backup", ".swp", ".copy", "~"} {
		if original := strings.TrimSuffix(file, end); original != file && original != "" {
			return original
		}
	}
	return file
}

// names returns file names that denying globs match: their last segments with the wildcards filled in, and the shortest
// form of a suffix or a prefix.
func names(rules []pathRule) (out []string) {
	for _, r := range rules {
		base := path.Base(r.glob)
		if r.allow {
			continue
		}
		out = append(out, filled(base))
		if short := strings.Trim(base, "*"); short != base && short != "" && !strings.ContainsAny(short, wildcards) {
			out = append(out, short)
		}
	}
	return out
}

// dirs returns the directories that denying globs name.
func dirs(rules []pathRule) (out []string) {
	for _, r := range rules {
		for part := range strings.SplitSeq(path.Dir(r.glob), "/") {
			if !r.allow && part != "" && part != "." && !strings.ContainsAny(part, wildcards) {
				out = append(out, part)
			}
		}
	}
	return out
}

const wildcards = `*?[{\`

// filled returns a glob with its wildcards filled in.
func filled(glob string) string {
	return strings.NewReplacer("**", "x", "*", "x", "?", "x").Replace(glob)
}
