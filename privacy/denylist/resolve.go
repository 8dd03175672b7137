package denylist

import (
	"errors"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"keepmum/lazyregexp"
	"keepmum/privacy/patience"
	"keepmum/privacy/shell"
)

const maxResolved = 64 // symbolic links looked up for one event

// resolver turns the name of a file in an event into the paths to compare.
type resolver struct {
	home   string
	base   string // the event's directory
	away   bool   // the file is on another machine
	stored bool   // see [Event]
	fs     *patience.Patience
	left   int               // look-ups that this event may still make
	real   map[string]string // results of earlier look-ups
}

// paths returns the cleaned lower-case paths that name may mean in dir.
func (r *resolver) paths(name, dir string) []string {
	name = plainName(name)
	if name == "" || len(name) > 4096 {
		return nil
	}
	full := shell.Path(dir, name, r.home)
	out := []string{strings.ToLower(full)}
	if real := r.follow(full); real != full {
		out = append(out, strings.ToLower(real))
	}
	return out
}

// plainName removes what surrounds a file name: quotes, a file URL, a position in the file, an alternate stream, the
// escapes of an address.
func plainName(name string) string {
	name = strings.Trim(name, " \t\r\n\"'`<>")
	name = strings.TrimPrefix(name, "@")
	if rest, ok := cutPrefixFold(name, "file:"); ok {
		name = fileURL(rest)
	} else if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	name = withoutPosition(name)
	if before, _, ok := strings.Cut(name, "::"); ok {
		name = before
	}
	return shell.Slashes(name)
}

// withoutPosition removes a position in the file: ":3", ":3:5", ":1-20", "#L3", "(3,5)".
func withoutPosition(name string) string {
	if i := strings.IndexByte(name, '#'); i > 0 {
		name = name[:i]
	}
	head := strings.TrimRight(name, "0123456789:-")
	if len(head) < len(name) && name[len(head)] == ':' {
		name = head
	}
	if i := strings.LastIndexByte(name, '('); i > 0 && strings.Trim(name[i:], "(0123456789,)") == "" {
		name = name[:i]
	}
	return name
}

// fileURL returns the path of what follows "file:".
func fileURL(rest string) string {
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		rest = after
		if i := strings.IndexByte(rest, '/'); i > 0 && !shell.HasDrive(rest) {
			rest = rest[i:] // the host
		}
	}
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	if plain, err := url.PathUnescape(rest); err == nil {
		rest = plain
	}
	if strings.HasPrefix(rest, "/") && shell.HasDrive(rest[1:]) {
		rest = rest[1:]
	}
	return rest
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// follow resolves symbolic links, even of a file that does not exist in a directory that does. A path on another
// machine is skipped: looking there could take forever, and tells the other machine.
func (r *resolver) follow(full string) string {
	if real, known := r.real[full]; known {
		return real
	}
	if r.left <= 0 || !onThisMachine(full) {
		return full
	}
	r.left--
	var real string
	if !r.fs.Try(func() { real = followed(full) }) {
		return full
	}
	return real
}

func onThisMachine(full string) bool {
	return filepath.IsAbs(full) && !strings.HasPrefix(full, "//") && !strings.Contains(full, "\x00")
}

// ahead resolves all files of a command at once: each separate look-up costs a goroutine.
func (r *resolver) ahead(uses []shell.Use) {
	var todo []string
	for _, u := range uses {
		if strings.HasPrefix(u.Name, "-") || strings.ContainsAny(u.Name, "*?[{") {
			continue
		}
		for _, dir := range u.Dirs {
			full := shell.Path(dir, plainName(u.Name), r.home)
			if len(todo) < r.left && onThisMachine(full) && !slices.Contains(todo, full) {
				todo = append(todo, full)
			}
		}
	}
	real := make(map[string]string, len(todo))
	if len(todo) > 0 && r.fs.Try(func() {
		dirs := map[string]string{}
		for _, full := range todo {
			real[full] = followedIn(dirs, full)
		}
	}) {
		r.real = real
		r.left -= len(todo)
	}
}

// followedIn resolves symbolic links with directories that were resolved before.
func followedIn(dirs map[string]string, full string) string {
	dir, base := path.Split(full)
	at, known := dirs[dir]
	if !known {
		at = followed(path.Clean(dir))
		dirs[dir] = at
	}
	file := path.Join(at, base)
	if info, err := os.Lstat(file); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return followed(file)
	}
	return file
}

func followed(full string) string {
	rest := ""
	for dir := full; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return path.Clean(shell.Slashes(filepath.Join(real, rest)))
		}
		up := filepath.Dir(dir)
		if up == dir {
			return full
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}

// globHits reports whether a shell glob would match a denied file. A glob that starts with a literal dot is compared
// with the denied names; others with the contents of the directory, if it can be read.
//
// A glob made for denied files (*.pem) matches whatever is there now.
func (d *List) globHits(glob, dir string, r *resolver, rules pathRules) bool {
	glob = plainName(strings.ReplaceAll(glob, "\x01", ""))
	full := strings.ToLower(shell.Path(dir, strings.ReplaceAll(glob, shell.Unknown, "*"), r.home))
	base := path.Base(full)
	if !strings.Contains(base, ".") && len(strings.Trim(base, "*?")) < 2 && strings.Contains(glob, shell.Unknown) {
		return rules.match(full) // nothing is known about the name
	}
	if madeFor(full, rules) {
		return true
	}
	if r.stored && !strings.Contains(full, "/.") {
		return slices.ContainsFunc(d.throughDirs(full), rules.match)
	}
	if !strings.Contains(glob, shell.Unknown) && strings.Contains(glob, "**") {
		if hit, known := d.walked(shell.Path(dir, glob, r.home), r, rules); known {
			return hit
		}
	} else if !strings.Contains(glob, shell.Unknown) && !strings.HasPrefix(base, ".") {
		if hit, known := d.listed(shell.Path(dir, glob, r.home), r, rules); known {
			return hit
		}
	}
	return slices.ContainsFunc(d.throughDirs(full), func(full string) bool {
		return d.couldHit(full, base, strings.Contains(glob, shell.Unknown), rules)
	})
}

// madeFor reports whether the literal part of a glob names denied files.
func madeFor(glob string, rules pathRules) bool {
	if strings.ContainsAny(glob, "[{") {
		return false
	}
	base := path.Base(glob)
	if strings.Trim(base, "*?") == "" {
		return false
	}
	bare := strings.NewReplacer("*", "", "?", "").Replace(base)
	return rules.match(path.Join(path.Dir(glob), filled(base))) || rules.match(path.Join(path.Dir(glob), bare))
}

// throughDirs fills in the wildcards in the directories of a glob with the names of denied directories.
func (d *List) throughDirs(full string) []string {
	out := []string{full}
	parts := strings.Split(full, "/")
	for i, part := range parts[:len(parts)-1] {
		if !strings.ContainsAny(part, "*?[") || strings.Trim(part, "*?") == "" {
			continue
		}
		for _, dir := range d.dirs {
			if doublestar.MatchUnvalidated(part, dir) {
				out = append(out, strings.Join(slices.Concat(parts[:i], []string{dir}, parts[i+1:]), "/"))
			}
		}
	}
	return out
}

// couldHit compares a glob with sample names of denied files.
func (d *List) couldHit(full, base string, hidden bool, rules pathRules) bool {
	if !strings.ContainsAny(base, "*?[") {
		return rules.match(full)
	}
	for _, name := range d.samples {
		dotted := strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") && !hidden
		if dotted || !doublestar.MatchUnvalidated(base, name) {
			continue
		}
		if rules.match(path.Join(path.Dir(full), name)) {
			return true
		}
	}
	return rules.match(full)
}

const maxListed = 4096 // directory entries compared with a glob

// listed reads the directory of a glob; known is false if it cannot.
func (d *List) listed(full string, r *resolver, rules pathRules) (hit, known bool) {
	dir, base := path.Split(full)
	if r.left <= 0 || strings.ContainsAny(dir, "*?[") || strings.HasPrefix(full, "//") || !filepath.IsAbs(full) {
		return false, false
	}
	return r.look(dir, func() (hit, ok bool) { return scanDir(dir, strings.ToLower(base), rules) })
}

// look runs a search in a directory; known is false if it cannot be done, or takes too long.
func (r *resolver) look(dir string, search func() (hit, ok bool)) (hit, known bool) {
	r.left--
	var found, ok bool
	if !r.fs.Try(func() {
		if found, ok = search(); !ok {
			ok = r.missing(dir)
		}
	}) {
		return false, false
	}
	return found, ok
}

// keptKeys matches directories that may have been made for keys and then removed.
var keptKeys = lazyregexp.New(`(?i)key|cert|ssl|tls|secret|cred|priv|ssh|pki|vault|token|pass|env|tmp/`)

// missing reports whether a glob certainly has no directory to search: the event is from this machine, and the
// directory does not exist.
func (r *resolver) missing(dir string) bool {
	if r.away || !onThisMachine(r.base) || strings.Contains(dir, "{") ||
		keptKeys.MatchString(strings.TrimPrefix(dir, r.base)) {
		return false
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return false
	}
	info, err := os.Stat(r.base)
	return err == nil && info.IsDir()
}

// walked checks everything that a glob with ** may reach, including dot files; known is false if that is too much.
func (d *List) walked(full string, r *resolver, rules pathRules) (hit, known bool) {
	root := full[:strings.LastIndexByte(full[:strings.IndexAny(full, "*?[")], '/')+1]
	if r.left <= 0 || r.away || root == "/" || strings.Contains(full, "{") || !onThisMachine(full) {
		return false, false
	}
	return r.look(root, func() (hit, ok bool) { return walkDir(root, strings.ToLower(full), rules) })
}

// errUnseen means that not everything that a glob may reach was checked.
var errUnseen = errors.New("not everything was checked")

func walkDir(root, glob string, rules pathRules) (hit, ok bool) {
	left := maxListed
	err := filepath.WalkDir(root, func(file string, e os.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return errors.Join(err, errUnseen)
		}
		name := strings.ToLower(shell.Slashes(file))
		if e.Type()&os.ModeSymlink != 0 {
			if info, err := os.Stat(file); err != nil || info.IsDir() {
				return errUnseen
			}
			hit = hit || rules.match(strings.ToLower(followed(file)))
		}
		hit = hit || !e.IsDir() && rules.match(name) &&
			(strings.HasSuffix(glob, "**") || doublestar.MatchUnvalidated(glob, name))
		return nil
	})
	return hit, err == nil
}

func scanDir(dir, base string, rules pathRules) (hit, ok bool) {
	f, err := os.Open(dir)
	if err != nil {
		return false, false
	}
	defer f.Close()
	names, err := f.Readdirnames(maxListed)
	if err != nil && !errors.Is(err, io.EOF) || len(names) == maxListed {
		return false, false
	}
	for _, n := range names {
		n = strings.ToLower(n)
		if strings.HasPrefix(n, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		if doublestar.MatchUnvalidated(base, n) && (rules.match(path.Join(strings.ToLower(dir), n)) ||
			rules.match(strings.ToLower(followed(path.Join(dir, n))))) {
			return true, true
		}
	}
	return false, true
}
