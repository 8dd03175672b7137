package privacy

import (
	"fmt"
	"slices"
	"strings"

	"keepmum/lazyregexp"
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
	values  func(text string) (values, secrets []string, all bool)
}

// denyOptions say what is denied beside the default.
type denyOptions struct {
	Home string   // home directory, for ~ in paths; "" = unknown
	User []string // the user's globs; "!glob" allows
	Repo []string // a repository's; "!glob" is not taken from there
	// Values returns the values in a file that a command is handed, and those of
	// them that are secrets wherever they return; all = there are no others. Without
	// it such files are not read.
	Values func(text string) (values, secrets []string, all bool)
}

// newDenylist takes the user's own globs, which may allow what is denied by
// default, and those of a repository, which may only deny.
func newDenylist(o denyOptions) (*denylist, error) {
	rules, err := newPathRules(slices.Concat(defaultDenied, o.User, tightenOnly(o.Repo)))
	if err != nil {
		return nil, err
	}
	samples := append(slices.DeleteFunc(rules[:len(defaultDenied)].names(), isText), rules[len(defaultDenied):].names()...)
	return &denylist{home: o.Home, rules: rules, samples: samples, dirs: rules.dirs(), quick: newQuickLook(rules), fs: newPatience(), copies: newCopies(), values: o.Values}, nil
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

// event is what an event says of files.
type event struct {
	Session string // whose copies of denied files are known; "" = nobody's
	Dir     string // working directory, resolves relative paths
	Stored  bool   // it was judged before: what the files of that time said is not asked again
	Tool    string
	Input   any // decoded JSON
	Output  any // decoded JSON
}

// inspection is the look at the paths of one event.
type inspection struct {
	d       *denylist
	event   event
	rules   pathRules
	resolve resolver
	verdict verdict
	copied  map[string]bool // files that this event's command gave denied content
	budget  int             // words and values still looked at
	named   map[string]bool // what [inspection.denies] said
	odd     oddness         // whether a name can be judged without its directory
	handed  []fileUse       // denied files that a command was handed
	taken   []string        // their values
	learned []string        // those that are secrets wherever they return
}

const maxInspected = 20000

func (d *denylist) inspect(e event) *inspection {
	i := &inspection{d: d, event: e, rules: d.rules, copied: map[string]bool{}, budget: maxInspected}
	i.resolve = resolver{home: d.home, base: e.Dir, stored: e.Stored, fs: d.fs, left: maxResolved}
	return i
}

// check says what the event as a whole may keep.
func (d *denylist) check(e event) *inspection {
	i := d.inspect(e)
	i.input(e.Input, "", 0)
	i.response(e.Output, 0)
	if secretTool.MatchString(e.Tool) {
		i.verdict.output = dropOutput
	}
	i.verdict.listing = i.verdict.listing || searchTool(e.Tool)
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
		if i.rules.match(p) || within(i.copied, p) || i.d.copies.has(i.event.Session, p) {
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
	if i.file(name, i.event.Dir) {
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
	i.uses(readShell(script, i.event.Dir, i.d.home))
}

// argv looks at a command given as a list of words.
func (i *inspection) argv(words []string) {
	i.uses(readWords(words, i.event.Dir, i.d.home))
}

// uses judges what a command does with files.
func (i *inspection) uses(s *reading) {
	if s.unread {
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
		if i.file(p, i.event.Dir) {
			out = append(out, p)
		}
	}
	return out
}

// spread notes the files that were given denied content, for this event and
// for the rest of the session. It reports whether there is a new one.
func (i *inspection) spread(s *reading, carriers map[int]bool) (found bool) {
	for _, u := range s.uses {
		if !u.target || !carriers[u.group] || strings.ContainsAny(u.name, "*?"+unknownPart) {
			continue
		}
		for _, dir := range u.dirs {
			for _, p := range i.resolve.paths(u.name, dir) {
				if !strings.HasPrefix(p, "/dev/") && !i.copied[p] && len(i.copied) < maxCopies {
					i.copied[p], found = true, true
					i.d.copies.add(i.event.Session, p)
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

// secretTool finds tools whose name says that they hand out a secret.
var secretTool = lazyregexp.New(`(?i)(?:get|read|fetch|reveal|access|retrieve|show)[_-]?(?:[a-z]+[_-]?){0,2}(?:secret|credential|password|passphrase|api[_-]?key|private[_-]?key)s?(?:[_-]?values?)?$`)

// quotes reports whether a text gives the content of a denied file of this name:
// the event is about that file then.
func (i *inspection) quotes(name string) bool {
	hit := i.file(name, i.event.Dir)
	if hit {
		i.name(name)
	}
	return hit
}

// excludedPath stands for what a denied file withheld.
const excludedPath = "[EXCLUDED:path]"
