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

// pathRules is an ordered list of globs. Most default globs are a name, a suffix or a prefix; these are compared as
// strings, because this runs for every line of an output that could start with a path.
type pathRules []pathRule

type pathRule struct {
	allow   bool
	kind    globKind
	text    string // the literal part, or the whole glob
	literal string // of a glob, what every match contains; "" = nothing
}

type globKind int

const (
	exactName globKind = iota
	nameSuffix
	namePrefix
	nameGlob
	pathGlob
)

// newPathRules compiles globs; those of a repository first pass tightenOnly and cannot allow anything.
func newPathRules(globs []string) (pathRules, error) {
	rules := make(pathRules, 0, len(globs))
	for _, g := range globs {
		rule, err := newPathRule(g)
		if err != nil {
			return nil, err
		}
		if rule.text != "" {
			rules = append(rules, rule)
		}
	}
	return rules, nil
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
	rule := pathRule{allow: allow, kind: kindOf(text), text: text}
	switch rule.kind {
	case nameSuffix:
		rule.text = text[1:]
	case namePrefix:
		rule.text = text[:len(text)-1]
	case nameGlob:
		rule.literal = literalOf(text)
	case pathGlob:
		rule.text = anyDepth(text)
		rule.literal = literalOf(text)
	}
	return rule, nil
}

func kindOf(glob string) globKind {
	const special = `*?[{\`
	switch {
	case strings.Contains(glob, "/"):
		return pathGlob
	case !strings.ContainsAny(glob, special):
		return exactName
	case strings.HasPrefix(glob, "*") && len(glob) > 1 && !strings.ContainsAny(glob[1:], special):
		return nameSuffix
	case strings.HasSuffix(glob, "*") && !strings.ContainsAny(glob[:len(glob)-1], special):
		return namePrefix
	}
	return nameGlob
}

// anyDepth makes a glob with directories match at any depth, unless it says where it starts.
func anyDepth(glob string) string {
	if strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "**/") || shell.HasDrive(glob) {
		return glob
	}
	return "**/" + glob
}

// match reports whether the file is denied. file is lower case, with slashes
// and cleaned.
func (rules pathRules) match(file string) bool {
	if original := backupOf(file); original != file && rules.match(original) {
		return true
	}
	base := path.Base(file)
	denied := false
	for i := range rules {
		if r := &rules[i]; denied == r.allow && r.matches(file, base) {
			denied = !r.allow
		}
	}
	return denied
}

func (r *pathRule) matches(file, base string) bool {
	switch r.kind {
	case exactName:
		return base == r.text
	case nameSuffix:
		return strings.HasSuffix(base, r.text)
	case namePrefix:
		return strings.HasPrefix(base, r.text)
	case nameGlob:
		return strings.Contains(base, r.literal) && doublestar.MatchUnvalidated(r.text, base)
	}
	return strings.Contains(file, r.literal) && r.matchesPath(file)
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

// matchesPath also compares the directories. It searches for the literal segments first: a glob match is slow and
// nearly always fails.
func (r *pathRule) matchesPath(file string) bool {
	dir, rest, _ := strings.Cut(strings.TrimPrefix(r.text, "**/"), "/")
	if !strings.ContainsAny(dir, `*?[{\`) && dir != "" && !strings.Contains(file, dir) {
		return false
	}
	if rest == "**" && strings.HasPrefix(r.text, "**/") && (file == dir || strings.HasSuffix(file, "/"+dir)) {
		return true // the directory itself: listing it is fine, archiving it is not
	}
	if r.text[0] == '/' && !strings.HasPrefix(file, strings.TrimSuffix(cutWildcards(r.text), "/")) {
		return false
	}
	return doublestar.MatchUnvalidated(r.text, file)
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

// quickLook answers for most names that no rule can match, without reading the path.
type quickLook struct {
	names    map[string]bool
	suffixes map[string]bool // by the last extension
	first    [256]bool       // first bytes of prefixes
	places   []string        // directories from the root in which a rule applies
	parts    []string        // parts of names that may start with anything
	within   []string        // parts of names of folders in which a rule applies
	always   bool            // the name alone cannot decide a rule
}

func newQuickLook(rules pathRules) *quickLook {
	q := &quickLook{names: map[string]bool{}, suffixes: map[string]bool{}}
	for _, r := range rules {
		q.learn(r)
	}
	return q
}

func (q *quickLook) learn(r pathRule) {
	if r.allow {
		return
	}
	switch dir, _, _ := strings.Cut(strings.TrimPrefix(r.text, "**/"), "/"); r.kind {
	case exactName:
		q.names[r.text] = true
	case nameSuffix:
		q.suffixes[r.text[strings.LastIndexByte(r.text, '.')+1:]] = true
	case namePrefix:
		q.first[r.text[0]] = true
	case nameGlob:
		if strings.IndexByte(`*?[{\`, r.text[0]) < 0 {
			q.first[r.text[0]] = true
		} else if part := cutWildcards(r.text[1:]); r.text[0] == '*' && len(part) > 3 {
			q.parts = append(q.parts, part)
		} else {
			q.always = true
		}
	case pathGlob: // a rule for hidden directories is recognized by "/."
		if place := r.text[:strings.LastIndexByte(cutWildcards(r.text), '/')+1]; len(place) > 1 {
			q.places = append(q.places, place)
			return
		}
		switch folder := longestName(r.literal); {
		case strings.HasPrefix(dir, "."):
		case folder == "":
			q.always = true
		default:
			q.within = append(q.within, folder)
		}
	}
}

// longestName returns the longest name in a path.
func longestName(path string) (longest string) {
	for name := range strings.SplitSeq(path, "/") {
		if len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

// cutWildcards returns the part of a glob before its first wildcard.
func cutWildcards(glob string) string {
	if i := strings.IndexAny(glob, `*?[{\`); i >= 0 {
		return glob[:i]
	}
	return glob
}

// placed reports whether a path may be in a directory that a rule names.
func (q *quickLook) placed(name string) bool {
	if len(q.within) == 0 && !strings.Contains(name, "/") {
		return false
	}
	name = strings.ToLower(name) + "/"
	if slices.ContainsFunc(q.within, func(folder string) bool { return strings.Contains(name, folder) }) {
		return true
	}
	return slices.ContainsFunc(q.places, func(place string) bool { return strings.Contains(name, place) })
}

// possible reports whether a file of this name may be denied.
func (q *quickLook) possible(name string) bool {
	if q.always || name == "" {
		return true
	}
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	if base == "" || indirect(name) || q.placed(name) {
		return true
	}
	base = backupOf(strings.ToLower(strings.TrimSpace(base)))
	return base == "" || q.resembles(base)
}

// indirect reports whether a path is hidden, in a hidden folder, or names another one.
func indirect(name string) bool {
	return strings.IndexByte(".~", name[0]) >= 0 || strings.Contains(name, "/.") || strings.Contains(name, `\.`) ||
		strings.Contains(name, "%")
}

// resembles reports whether a rule could match a name, or the name contains more than a name.
func (q *quickLook) resembles(base string) bool {
	return q.first[base[0]] || q.names[base] || q.suffixes[base[strings.LastIndexByte(base, '.')+1:]] ||
		strings.ContainsAny(base, ":#(\"'`<>") ||
		slices.ContainsFunc(q.parts, func(part string) bool { return strings.Contains(base, part) })
}

// names returns the last segment of each denying glob with its wildcards filled in: file names that a shell glob could
// match.
func (rules pathRules) names() []string {
	var out []string
	for _, r := range rules {
		if r.allow {
			continue
		}
		switch r.kind {
		case exactName:
			out = append(out, r.text)
		case nameSuffix:
			out = append(out, "x"+r.text)
			if r.text[0] == '.' {
				out = append(out, r.text)
			}
		case namePrefix:
			out = append(out, r.text, r.text+"x")
		default:
			out = append(out, filled(path.Base(r.text)))
		}
	}
	return out
}

// dirs returns the directories that denying globs name.
func (rules pathRules) dirs() []string {
	var out []string
	for _, r := range rules {
		if r.allow || r.kind != pathGlob {
			continue
		}
		for _, part := range strings.Split(path.Dir(strings.TrimPrefix(r.text, "**/")), "/") {
			if part != "" && part != "." && !strings.ContainsAny(part, `*?[{\`) {
				out = append(out, part)
			}
		}
	}
	return out
}

func filled(glob string) string {
	return strings.NewReplacer("**", "x", "*", "x", "?", "x").Replace(glob)
}
