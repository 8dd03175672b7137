package denylist

import (
	"errors"
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
	links  *Links            // of this reading
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

// cutPrefixFold is [strings.CutPrefix], ignoring case.
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
	real := full
	dir, at, names := r.links.above(full)
	var way []place
	if r.fs.Try(func() { way = at.walk(names) }) {
		r.links.put(dir, names, way)
		real = at.end(way)
	}
	r.real[full] = real
	return real
}

// onThisMachine reports whether a path is absolute and on no other machine.
func onThisMachine(full string) bool {
	return filepath.IsAbs(full) && !strings.HasPrefix(full, "//") && !strings.Contains(full, "\x00")
}

// globHits reports whether a shell glob would match a denied file. A glob that was made for denied files (*.pem)
// matches whatever is there now; others are compared with the files in the directory, or, if it cannot be read, with
// the names that are denied.
func (d *List) globHits(glob, dir string, r *resolver) bool {
	glob = plainName(strings.ReplaceAll(glob, "\x01", ""))
	certain := !strings.Contains(glob, shell.Unknown)
	full := shell.Path(dir, strings.ReplaceAll(glob, shell.Unknown, "*"), r.home)
	low := strings.ToLower(full)
	base := path.Base(low)
	switch {
	case !certain && !strings.Contains(base, ".") && len(strings.Trim(base, "*?")) < 2: // nothing is known about the name
		return d.rules.match(low)
	case d.madeFor(low):
		return true
	case r.stored && !strings.Contains(low, "/."):
		return slices.ContainsFunc(d.throughDirs(low), d.rules.match)
	}
	if certain && !strings.HasPrefix(base, ".") {
		if hit, known := r.search(full, d); known {
			return hit
		}
	}
	return slices.ContainsFunc(d.throughDirs(low), func(full string) bool { return d.couldHit(full, !certain, d.samples) })
}

// madeFor reports whether the literal part of a glob names denied files.
func (d *List) madeFor(glob string) bool {
	dir, base := path.Split(glob)
	if strings.ContainsAny(glob, "[{") || strings.Trim(base, "*?") == "" {
		return false
	}
	bare := strings.NewReplacer("*", "", "?", "").Replace(base)
	return d.rules.match(dir+filled(base)) || d.rules.match(dir+bare)
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

// unlisted reports whether * in a folder that nobody can list may match a denied file. Nothing is known about the
// names, so the folder must be one of those that contain such files, or a user denied names.
func (d *List) unlisted(full string) bool {
	return slices.Contains(d.dirs, path.Base(path.Dir(full))) || d.couldHit(full, false, d.own)
}

// couldHit compares a glob with sample names of denied files; hidden = it may begin with a dot.
func (d *List) couldHit(full string, hidden bool, samples []string) bool {
	dir, base := path.Split(full)
	hidden = hidden || strings.HasPrefix(base, ".")
	named := func(name string) bool {
		return (hidden || name[0] != '.') && doublestar.MatchUnvalidated(base, name) && d.rules.match(dir+name)
	}
	return d.rules.match(full) || strings.ContainsAny(base, "*?[") && slices.ContainsFunc(samples, named)
}

const maxListed = 4096 // files compared with a glob

// search compares a glob with the files that are there; known is false if that cannot be done or takes too long.
func (r *resolver) search(full string, d *List) (hit, known bool) {
	deep := strings.Contains(full, "**")
	root, searchable := r.root(full, deep)
	if !searchable || r.left <= 0 || !onThisMachine(full) {
		return false, false
	}
	r.left--
	var found, ok bool
	if low := strings.ToLower(full); !r.fs.Try(func() {
		if found, ok = searchDir(root, low, deep, d.rules); !ok {
			star := !deep && path.Base(full) == "*"
			ok = deep && isFile(root) || r.missing(root, star)
			found = star && d.unlisted(low)
		}
	}) {
		return false, false
	}
	return found, ok
}

// isFile reports whether the root of a deep glob is a file, in which there is nothing to search: grep -r x a.go.
func isFile(root string) bool {
	info, err := os.Stat(strings.TrimRight(root, "/"))
	return err == nil && info.Mode().IsRegular()
}

// root returns the directory in which a glob may be searched for.
func (r *resolver) root(glob string, deep bool) (dir string, ok bool) {
	wild := strings.IndexAny(glob, "*?[{")
	if wild < 0 {
		return "", false
	}
	dir = glob[:strings.LastIndexByte(glob[:wild], '/')+1]
	if deep {
		return dir, !r.away && dir != "/" && !strings.Contains(glob, "{")
	}
	return dir, !r.away && !strings.Contains(glob[len(dir):], "/")
}

// errUnseen means that not everything that a glob may match was checked.
var errUnseen = errors.New("not everything was checked")

// searchDir compares a glob with what is in a directory; if it is deep, also with everything below, hidden or not.
func searchDir(root, glob string, deep bool, rules *pathRules) (hit, ok bool) {
	left := maxListed
	err := filepath.WalkDir(root, func(file string, e os.DirEntry, err error) error {
		if left--; err != nil || left < 0 {
			return errors.Join(err, errUnseen)
		}
		denied, err := hits(file, e, glob, deep, rules)
		hit = hit || denied
		if err == nil && e.IsDir() && !deep && file != root {
			return filepath.SkipDir
		}
		return err
	})
	return hit, err == nil
}

// hits reports whether a glob matches a file that is denied, by its own name or by that of the file that it links to.
func hits(file string, e os.DirEntry, glob string, deep bool, rules *pathRules) (bool, error) {
	name := strings.ToLower(shell.Slashes(file))
	matches := (deep || e.Name()[0] != '.') && doublestar.MatchUnvalidated(glob, name)
	linked := false
	if e.Type()&os.ModeSymlink != 0 && (deep || matches) {
		if info, err := os.Stat(file); deep && (err != nil || info.IsDir()) {
			return false, errUnseen
		}
		linked = rules.match(strings.ToLower(followed(file)))
	}
	return linked || matches && rules.match(name) && !(deep && e.IsDir()), nil
}

// keptKeys matches directories that may have been made for keys and then removed.
var keptKeys = lazyregexp.New(`(?i)key|cert|ssl|tls|secret|cred|priv|ssh|pki|vault|token|pass|env|tmp/`)

// missing reports whether a glob certainly has no directory to search: the event is from this machine, and the
// directory does not exist; nor, for *, the directory of the event.
func (r *resolver) missing(dir string, star bool) bool {
	if r.away || !onThisMachine(r.base) || strings.Contains(dir, "{") ||
		keptKeys.MatchString(strings.TrimPrefix(dir, r.base)) {
		return false
	}
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return false
	}
	info, err := os.Stat(r.base)
	return err == nil && info.IsDir() || star && errors.Is(err, os.ErrNotExist)
}
