package privacy

import (
	"fmt"
	"slices"
	"strings"
)

// denylist knows which files are never kept, and finds them wherever an event
// may name one.
type denylist struct {
	home    string
	rules   pathRules
	samples []string // names of denied files, to compare shell globs with
	dirs    []string // names of denied directories, for the same
	quick   *quickLook
	fs      *patience
	copies  *copies
	reads   bool // files that are handed to a program may be read, to know their values
}

// newDenylist takes the user's own globs, which may allow what is denied by
// default, and those of a repository, which may only deny.
func newDenylist(home string, user, repo []string) (*denylist, error) {
	rules, err := newPathRules(slices.Concat(defaultDenied, user, tightenOnly(repo)))
	if err != nil {
		return nil, err
	}
	samples := append(slices.DeleteFunc(rules[:len(defaultDenied)].names(), isText), rules[len(defaultDenied):].names()...)
	return &denylist{home: home, rules: rules, samples: samples, dirs: rules.dirs(), quick: newQuickLook(rules), fs: newPatience(), copies: newCopies()}, nil
}

// isText reports whether a name says only that a file holds text: *.txt is of
// something else nearly always.
func isText(name string) bool { return strings.HasSuffix(name, ".txt") }

// verdict is what the paths and the command of an event say about its content.
type verdict struct {
	denied  string   // the denied path; "" = none
	written bool     // the input is content of one
	paths   []string // every path the event names
	output  policy   // what the nature of the command says about its output
	listing bool     // the output may be lines of many files
}

// policy says what may be kept of a command's output; a greater one keeps less.
type policy int

const (
	keepOutput policy = iota
	dropFields        // values that stand alone go
	dropValues        // env-like: names stay, values go
	dropOutput
)

// inspection is the look at the paths of one event.
type inspection struct {
	d       *denylist
	raw     Raw
	rules   pathRules
	resolve resolver
	verdict verdict
	copied  map[string]bool // files that this event's command gave denied content
	budget  int             // words and values still looked at
	named   map[string]bool // what [withholding.denies] said
	odd     oddness         // whether a name can be judged without its directory
	handed  []fileUse       // denied files that a command was handed
	taken   []string        // their values
	learned []string        // those that are secrets wherever they return
}

const maxInspected = 20000

func (d *denylist) inspect(r Raw) *inspection {
	i := &inspection{d: d, raw: r, rules: d.rules, copied: map[string]bool{}, budget: maxInspected}
	i.resolve = resolver{home: d.home, base: r.Dir, stored: r.Stored, fs: d.fs, left: maxResolved}
	return i
}

// check says what the event as a whole may keep.
func (d *denylist) check(r Raw) *inspection {
	i := d.inspect(r)
	i.input(r.Input, "", 0)
	i.response(r.Output, 0)
	if secretTool.MatchString(r.Tool) {
		i.verdict.output = dropOutput
	}
	i.verdict.listing = i.verdict.listing || searchTool(r.Tool)
	if i.verdict.denied != "" || i.verdict.written {
		i.verdict.paths = i.deniedPaths()
	}
	return i
}

// searchTool reports whether a tool's output is lines of many files.
func searchTool(name string) bool {
	name = lower(name)
	return strings.Contains(name, "grep") || strings.Contains(name, "search")
}

// file looks at one path. It reports whether it is denied.
func (i *inspection) file(name, dir string) bool {
	if !i.spend() {
		return true
	}
	if strings.ContainsAny(name, "*?[{"+unknownPart) {
		return i.d.globHits(name, dir, &i.resolve, i.rules)
	}
	for _, p := range i.resolve.paths(name, dir) {
		if i.rules.match(p) || within(i.copied, p) || i.d.copies.has(i.raw.Session, p) {
			return true
		}
	}
	return false
}

// spend reports whether there is budget for one more look. An event that names
// more than is looked at is denied: what is left unread must not pass.
func (i *inspection) spend() bool {
	if i.budget--; i.budget >= 0 {
		return true
	}
	i.deny("too many paths")
	return false
}

// path looks at a path in the event's own directory and makes the event
// denied when it is.
func (i *inspection) path(name string) {
	i.name(name)
	if i.file(name, i.raw.Dir) {
		i.deny(name)
	}
}

func (i *inspection) deny(name string) {
	if i.verdict.denied == "" || i.verdict.denied == "path" {
		i.verdict.denied = shownPath(name)
	}
}

// name remembers a path as one that the event is about.
func (i *inspection) name(name string) {
	name = shownPath(name)
	if name == "" || len(name) > 512 || len(i.verdict.paths) >= 64 || slices.Contains(i.verdict.paths, name) {
		return
	}
	i.verdict.paths = append(i.verdict.paths, name)
}

// shownPath is a path as a reader should see it.
func shownPath(name string) string {
	name = strings.NewReplacer(secretPart, "*", unknownPart, "*", "\x01", "").Replace(strings.TrimSpace(name))
	if rest, ok := cutPrefixFold(name, "file:"); ok {
		name = fileURL(rest)
	}
	return name
}

// shell looks at a command line.
func (i *inspection) shell(script string) {
	s := readShell(script, i.raw.Dir, i.d.home)
	i.uses(s)
}

// argv looks at a command given as a list of words.
func (i *inspection) argv(words []string) {
	args := make([][]string, len(words))
	for n, w := range words {
		args[n] = []string{w}
	}
	s := &shell{home: i.d.home, vars: map[string][]string{}, dirs: []string{i.raw.Dir}}
	s.run(args, false, place{})
	i.uses(s)
}

// uses judges what a command does with files.
func (i *inspection) uses(s *shell) {
	if s.exhausted() {
		i.budget = 0
		i.spend()
		return
	}
	i.verdict.output = max(i.verdict.output, s.output)
	i.verdict.listing = i.verdict.listing || s.listing
	carriers := map[int]bool{} // pipelines that carry denied content
	for _, g := range s.tainted {
		carriers[g] = true
	}
	// A copy made by one command is read by a later one: what is found in one
	// round is a denied file in the next.
	i.resolve.ahead(s.uses)
	seen := map[string]bool{}
	for range maxCopyRounds {
		for _, u := range s.uses {
			i.hit(u, i.known(seen, u), carriers)
		}
		if !i.spread(s, carriers) {
			break
		}
		clear(seen)
	}
	i.settle(s)
}

const maxCopyRounds = 4

// known is [inspection.file] in each directory of a use, asked once per name.
func (i *inspection) known(seen map[string]bool, u fileUse) bool {
	key := fmt.Sprint(len(u.dirs), u.away, u.name) // directories are only ever added
	hit, asked := seen[key]
	if !asked {
		i.resolve.away = u.away
		hit = slices.ContainsFunc(u.dirs, func(dir string) bool { return i.file(u.name, dir) })
		seen[key] = hit
	}
	return hit
}

func (i *inspection) hit(u fileUse, denied bool, carriers map[int]bool) {
	if looksLikePath(u.name) {
		i.name(u.name)
	}
	if !denied {
		return
	}
	if u.handed != shown {
		if !slices.ContainsFunc(i.handed, func(h fileUse) bool { return h.name == u.name && h.handed == u.handed && len(h.dirs) == len(u.dirs) }) {
			i.handed = append(i.handed, u)
		}
		carriers[u.group] = carriers[u.group] || u.handed != asKey
		return
	}
	if !u.inert {
		carriers[u.group] = true
	}
	if !u.silent {
		i.deny(plainlyNamed(u.name))
	}
}

// plainlyNamed is the name of a denied file as it is shown: a word that is more
// than a name, such as a script, may hold the content itself.
func plainlyNamed(name string) string {
	for _, shown := range []string{name, name[strings.LastIndexAny(name, `/\`)+1:]} {
		if shown != "" && len(shown) <= 256 && !strings.ContainsAny(shown, " \t\n=;|<>&'\"^*?[{"+unknownPart) {
			return shown
		}
	}
	return "path"
}

// deniedPaths leaves of the paths of a denied event those that are denied: the
// others may be parts of what is written there.
func (i *inspection) deniedPaths() []string {
	var out []string
	for _, p := range i.verdict.paths {
		if i.file(p, i.raw.Dir) {
			out = append(out, p)
		}
	}
	return out
}

// spread notes the files that were given denied content, for this event and
// for the rest of the session. It reports whether there is a new one.
func (i *inspection) spread(s *shell, carriers map[int]bool) (found bool) {
	for _, u := range s.uses {
		if !u.target || !carriers[u.group] || strings.ContainsAny(u.name, "*?"+unknownPart) {
			continue
		}
		for _, dir := range u.dirs {
			for _, p := range i.resolve.paths(u.name, dir) {
				if !strings.HasPrefix(p, "/dev/") && !i.copied[p] && len(i.copied) < maxCopies {
					i.copied[p], found = true, true
					i.d.copies.add(i.raw.Session, p)
				}
			}
		}
	}
	return found
}

// looksLikePath reports whether a word of a command is worth keeping as a path.
func looksLikePath(word string) bool {
	if len(word) > 256 || strings.ContainsAny(word, " \n\t*?$(){}<>|;&\"'=,"+unknownPart) || strings.HasPrefix(word, "-") || strings.Contains(word, "://") {
		return false
	}
	base := word[strings.LastIndexByte(word, '/')+1:]
	dot := strings.LastIndexByte(base, '.')
	return strings.Contains(word, "/") && len(word) > 1 || dot >= 0 && len(base)-dot-1 >= 1 && len(base)-dot-1 <= 5 && base != "." && base != ".."
}
