package denylist

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy/patience"
	"keepmum/privacy/shell"
)

// Excluded replaces what a denied file contained.
const Excluded = "[EXCLUDED:path]"

// List knows which files are never stored, and finds them wherever an event may name one.
type List struct {
	home    string
	rules   *pathRules
	samples []string // names of denied files, compared with shell globs
	own     []string // those of them that a user denied
	dirs    []string // names of denied directories, for the same
	fs      *patience.Patience
	copies  *copies
	values  func(text string) (values, secrets []string, all bool)
}

// Options are what is denied in addition to the default.
type Options struct {
	Home string   // home directory, for ~ in paths; "" = unknown
	User []string // the user's globs; "!glob" allows
	Repo []string // a repository's; "!glob" has no effect there
	// Values returns the values in a file that a command is given, and which of them are secrets wherever they appear
	// again; all = there are no others. If it is nil, such files are not read.
	Values func(text string) (values, secrets []string, all bool)
}

// New compiles a denylist from the user's own globs, which may allow what is denied by default, and those of a
// repository, which may only deny.
func New(o Options) (*List, error) {
	fs := patience.New()
	own, err := meant(slices.Concat(o.User, tightenOnly(o.Repo)), o.Home, fs)
	if err != nil {
		return nil, err
	}
	usual := defaultDenied()
	rules, err := newPathRules(slices.Concat(usual, own))
	if err != nil {
		return nil, err
	}
	named := names(rules.list[len(usual):])
	samples := append(slices.DeleteFunc(names(rules.list[:len(usual)]), isText), named...)
	return &List{
		home: o.Home, rules: rules, samples: samples, own: named, dirs: dirs(rules.list), fs: fs,
		copies: newCopies(), values: o.Values,
	}, nil
}

// isText reports whether a name says only that a file contains text: *.txt nearly always means something else.
func isText(name string) bool { return strings.HasSuffix(name, ".txt") }

// Verdict is what the paths and the command of an event say about its contents.
type Verdict struct {
	Denied  string       // the denied path; "" = none
	Written bool         // the input is the contents of one
	Paths   []string     // every path the event names
	Output  shell.Policy // what kind of output the command has
}

// Event is what an event says about files.
type Event struct {
	Session string // whose copies of denied files are known; "" = no session
	Dir     string // working directory; relative paths start there
	Stored  bool   // it was judged before: its files are not read again
	Links   *Links // of the events that are read together; nil = it is read alone
	Tool    string
	Input   any // decoded JSON
	Output  any // decoded JSON
}

// Inspection checks the files of one event.
type Inspection struct {
	Verdict Verdict
	Taken   []string // the values in the files that a command was given
	Learned []string // those that are secrets wherever they appear again

	d       *List
	event   Event
	resolve resolver
	copied  map[string]bool // files to which this event's command copied denied contents
	budget  int             // words and values that may still be checked
	named   map[string]bool // results of [Inspection.Denies]
	judged  map[string]bool // results of [Inspection.denies]

	listing  bool // the output may be lines of many files
	headings bool // and the name of a file may be above its lines

	ran       bool     // a command was run
	typed     bool     // it was typed into a terminal
	tasks     []string // ids of running commands in the input
	terminals []string // terminals that a command typed into
}

const maxInspected = 20000

func (d *List) begin(e Event) *Inspection {
	i := &Inspection{d: d, event: e, copied: map[string]bool{}, named: map[string]bool{},
		judged: map[string]bool{}, budget: maxInspected}
	i.resolve = resolver{home: d.home, base: e.Dir, stored: e.Stored, fs: d.fs, left: maxResolved,
		real: map[string]string{}, links: cmp.Or(e.Links, NewLinks())}
	return i
}

// Inspect checks an event and decides what of it as a whole may be stored.
func (d *List) Inspect(e Event) *Inspection {
	i := d.begin(e)
	i.input(e.Input, "", 0)
	i.response(e.Output, 0)
	if secretTool.MatchString(e.Tool) {
		i.Verdict.Output = shell.DropOutput
	}
	i.listing = i.listing || searchTool(e.Tool)
	if i.Verdict.Denied != "" || i.Verdict.Written {
		i.Verdict.Paths = i.deniedPaths()
	}
	i.remember()
	return i
}

// secretTool matches the names of tools that return a secret.
var secretTool = lazyregexp.New(`(?i)(?:get|read|fetch|reveal|access|retrieve|show)[_-]?(?:[a-z]+[_-]?){0,2}` +
	`(?:secret|credential|password|passphrase|api[_-]?key|private[_-]?key)s?(?:[_-]?values?)?$`)

// searchTool reports whether a tool's output is lines of many files.
func searchTool(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "grep") || strings.Contains(name, "search")
}

// file checks one path and reports whether it is denied.
func (i *Inspection) file(name, dir string) bool {
	if !i.spend() {
		return true
	}
	if strings.ContainsAny(name, "*?[{"+shell.Unknown) {
		return i.d.globHits(name, dir, &i.resolve)
	}
	for _, p := range i.resolve.paths(name, dir) {
		if i.d.rules.match(p) || within(i.copied, p) || i.d.copies.has(i.event.Session, p) || i.outputOf(p) {
			return true
		}
	}
	return false
}

// spend reports whether there is budget for one more check. An event that names more than the budget allows is denied:
// what is not read must not pass.
func (i *Inspection) spend() bool {
	if i.budget--; i.budget >= 0 {
		return true
	}
	i.deny("too many paths")
	return false
}

// path checks a path in the event's own directory and denies the event if the path is denied.
func (i *Inspection) path(name string) {
	i.name(name)
	if i.file(name, i.event.Dir) {
		i.deny(name)
	}
}

func (i *Inspection) deny(name string) {
	if i.Verdict.Denied == "" || i.Verdict.Denied == "path" {
		i.Verdict.Denied = shownPath(name)
	}
}

// name records a path as one that the event is about.
func (i *Inspection) name(name string) {
	name = shownPath(name)
	if name == "" || len(name) > 512 || len(i.Verdict.Paths) >= 64 || slices.Contains(i.Verdict.Paths, name) {
		return
	}
	i.Verdict.Paths = append(i.Verdict.Paths, name)
}

// shownPath returns a path as a reader should see it.
func shownPath(name string) string {
	name = strings.NewReplacer(shell.Secret, "*", shell.Unknown, "*", "\x01", "").Replace(strings.TrimSpace(name))
	if rest, ok := cutPrefixFold(name, "file:"); ok {
		name = fileURL(rest)
	}
	return name
}

// shell checks a command line.
func (i *Inspection) shell(script string) {
	i.uses(shell.Read(script, i.event.Dir, i.d.home))
}

// argv checks a command given as a list of words.
func (i *Inspection) argv(words []string) {
	i.uses(shell.ReadWords(words, i.event.Dir, i.d.home))
}

// uses judges what a command does with files.
func (i *Inspection) uses(s *shell.Reading) {
	if s.Unread {
		i.budget = 0
		i.spend()
		return
	}
	i.Verdict.Output = max(i.Verdict.Output, s.Output)
	i.screens(s)
	i.listing = i.listing || s.Listing
	i.headings = i.headings || s.Headings
	carriers := map[int]bool{} // pipelines that carry denied contents
	for _, g := range s.Tainted {
		carriers[g] = true
	}
	// A later command may read a copy that an earlier one made: a copy found in one round is a denied file in the next.
	for range maxCopyRounds {
		clear(i.judged)
		for _, u := range s.Uses {
			i.use(u, carriers)
		}
		if !i.spread(s, carriers) {
			break
		}
	}
	i.settle(s)
}

const maxCopyRounds = 4

// denies calls [Inspection.file] in each directory of a use, once per name.
func (i *Inspection) denies(u shell.Use) bool {
	key := fmt.Sprint(len(u.Dirs), u.Away, u.Name) // directories are only ever added
	hit, asked := i.judged[key]
	if !asked {
		i.resolve.away = u.Away
		hit = slices.ContainsFunc(u.Dirs, func(dir string) bool { return i.file(u.Name, dir) })
		i.judged[key] = hit
	}
	return hit
}

// use judges one file of a command; carriers are the pipelines that carry denied contents.
func (i *Inspection) use(u shell.Use, carriers map[int]bool) {
	if looksLikePath(u.Name) {
		i.name(u.Name)
	}
	if !i.denies(u) {
		return
	}
	if u.Handed == shell.Shown && !u.Inert || u.Handed > shell.AsKey {
		carriers[u.Group] = true
	}
	if u.Handed == shell.Shown && !u.Silent {
		i.deny(plainlyNamed(u.Name))
	}
}

// plainlyNamed returns the name of a denied file as it is shown: a word that is more than a name, such as a script, may
// contain the contents itself.
func plainlyNamed(name string) string {
	for _, shown := range []string{name, name[strings.LastIndexAny(name, `/\`)+1:]} {
		if shown != "" && len(shown) <= 256 && !strings.ContainsAny(shown, " \t\n=;|<>&'\"^*?[{"+shell.Unknown) {
			return shown
		}
	}
	return "path"
}

// deniedPaths reduces the paths of a denied event to those that are denied: the others may be parts of what is written
// there.
func (i *Inspection) deniedPaths() []string {
	return slices.DeleteFunc(i.Verdict.Paths, func(p string) bool { return !i.file(p, i.event.Dir) })
}

// spread records the files that received denied contents, for this event and for the rest of the session. It reports
// whether there is a new one.
func (i *Inspection) spread(s *shell.Reading, carriers map[int]bool) (found bool) {
	for _, u := range s.Uses {
		if !u.Target || !carriers[u.Group] || strings.ContainsAny(u.Name, "*?"+shell.Unknown) {
			continue
		}
		for _, dir := range u.Dirs {
			for _, p := range i.resolve.paths(u.Name, dir) {
				if !strings.HasPrefix(p, "/dev/") && !i.copied[p] && len(i.copied) < maxCopies {
					i.copied[p], found = true, true
					i.d.copies.add(i.event.Session, p)
				}
			}
		}
	}
	return found
}

// looksLikePath reports whether a word of a command is worth storing as a path: it has a folder, or an extension.
func looksLikePath(word string) bool {
	const longest = len(".class") // of an extension
	if len(word) > 256 || strings.ContainsAny(word, " \n\t*?$(){}<>|;&\"'=,"+shell.Unknown) ||
		strings.HasPrefix(word, "-") || strings.Contains(word, "://") {
		return false
	}
	ext := path.Ext(word)
	return strings.Contains(word, "/") && len(word) > 1 || len(ext) > 1 && len(ext) <= longest
}

// Quotes reports whether a text quotes the contents of a denied file of this name: then the event is about that file.
func (i *Inspection) Quotes(name string) bool {
	hit := i.file(name, i.event.Dir)
	if hit {
		i.name(name)
	}
	return hit
}
