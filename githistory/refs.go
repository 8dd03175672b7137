package githistory

import (
	"bufio"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/project"
	"keepmum/safefile"
)

const (
	sha1Len   = 40
	sha256Len = 64

	maxRef     = 4 << 10
	maxPacked  = 64 << 20
	maxLoose   = 10_000 // files of branches that are read
	maxTips    = 2_000
	maxSymbols = 5 // names that refer to other names
)

// Refs records where the branches of a repository are.
type Refs struct {
	Head     string            // the commit that is checked out; "" = none yet
	Branch   string            // the branch that is checked out; "" = none
	Branches map[string]string // name → commit
	Remotes  map[string]string // the same for branches on remotes, without the remote's name; origin's come first
	Default  string            // commit of the default branch, from the remote if there is one; "" = unknown
	Main     string            // name of the default branch; "" = unknown
}

// Tip returns the last commit of a branch here, otherwise on a remote; "" = there is none.
func (r Refs) Tip(branch string) string { return cmp.Or(r.Branches[branch], r.Remotes[branch]) }

// mains returns the commits of the default branch: the remote's and, if it differs, the local one.
func (r Refs) mains() []string {
	if local := r.Branches[r.Main]; local != "" && local != r.Default {
		return []string{r.Default, local}
	}
	if r.Default == "" {
		return nil
	}
	return []string{r.Default}
}

// any returns the hash of some commit.
func (r Refs) any() string {
	if r.Head != "" {
		return r.Head
	}
	for _, of := range []map[string]string{r.Branches, r.Remotes} {
		for _, hash := range of {
			return hash
		}
	}
	return ""
}

// Tips returns the commits from which the history is read, starting with the one that is checked out.
func (r Refs) Tips() []string {
	all := make([]string, 0, len(r.Branches)+2)
	for _, hash := range r.Branches {
		all = append(all, hash)
	}
	slices.Sort(all)
	var out []string
	for _, hash := range append([]string{r.Head, r.Default}, slices.Compact(all)...) {
		if hash != "" && len(out) < maxTips && !slices.Contains(out, hash) {
			out = append(out, hash)
		}
	}
	return out
}

func isHash(s string) bool {
	if len(s) != sha1Len && len(s) != sha256Len {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

// refs holds the names in the files in which git keeps them.
type refs struct {
	common *os.Root
	loose  map[string]string // contents of the names with files of their own, which take precedence
	packed map[string]string
}

// readRefs reads the loose names before the packed ones: git puts a name into packed-refs before it removes its file.
func readRefs(commonDir, gitDir string) (Refs, error) {
	root, err := safefile.OpenRoot(commonDir)
	if err != nil {
		return Refs{}, err
	}
	defer func() { _ = root.Close() }()
	if _, err := root.Lstat("reftable"); err == nil {
		return Refs{}, ErrReftable
	}
	head, err := safefile.Read(filepath.Join(gitDir, "HEAD"), maxRef)
	if err != nil {
		return Refs{}, err
	}
	r := refs{common: root, loose: map[string]string{}}
	for _, below := range []string{branchPrefix, remotesPrefix} {
		if err := r.readLoose(below); err != nil {
			return Refs{}, err
		}
	}
	if r.packed, err = readPacked(root); err != nil {
		return Refs{}, err
	}
	out := Refs{Branches: map[string]string{}, Remotes: map[string]string{}}
	name, hash := r.follow(string(head), 0)
	out.Head = hash
	out.Branch, _ = strings.CutPrefix(name, branchPrefix)
	all := maps.Clone(r.packed)
	for name, text := range r.loose {
		if _, hash := r.follow(text, 0); hash != "" {
			all[name] = hash
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out.put(name, all[name])
	}
	out.Main, out.Default = r.defaultBranch(out.Branches)
	return out, nil
}

// put records a branch. Of a branch on several remotes it records that of origin, otherwise that of the first remote.
func (r Refs) put(name, hash string) {
	if short, ok := strings.CutPrefix(name, branchPrefix); ok {
		r.Branches[short] = hash
		return
	}
	_, short, ok := strings.Cut(strings.TrimPrefix(name, remotesPrefix), "/")
	if !ok || short == "HEAD" {
		return
	}
	if r.Remotes[short] == "" || strings.HasPrefix(name, remotePrefix) {
		r.Remotes[short] = hash
	}
}

const (
	branchPrefix  = "refs/heads/"
	remotesPrefix = "refs/remotes/"
	remotePrefix  = remotesPrefix + "origin/"
)

// readPacked reads the names in packed-refs.
func readPacked(root *os.Root) (map[string]string, error) {
	out := map[string]string{}
	f, err := safefile.OpenIn(root, "packed-refs")
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || info.Size() > maxPacked {
		return nil, cmp.Or(err, safefile.ErrTooLarge)
	}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		hash, name, _ := strings.Cut(lines.Text(), " ")
		if isHash(hash) && (strings.HasPrefix(name, branchPrefix) || strings.HasPrefix(name, remotesPrefix)) {
			out[name] = hash
		}
	}
	return out, nil
}

// readLoose reads the names that have files of their own.
func (r refs) readLoose(below string) error {
	seen := 0
	return fs.WalkDir(r.common.FS(), strings.TrimSuffix(below, "/"),
		func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // what cannot be read is no branch
			}
			if seen++; seen > maxLoose {
				return fs.SkipAll
			}
			if e.Type().IsRegular() {
				if text, err := safefile.ReadIn(r.common, filepath.FromSlash(name), maxRef); err == nil {
					r.loose[name] = string(text)
				}
			}
			return nil
		})
}

// follow parses the content of a name's file: a commit, or another name.
func (r refs) follow(text string, depth int) (name, hash string) {
	text = strings.TrimSpace(text)
	if isHash(text) {
		return "", text
	}
	other, ok := strings.CutPrefix(text, "ref:")
	if other = strings.TrimSpace(other); !ok || depth == maxSymbols {
		return "", ""
	}
	return r.resolve(other, depth+1)
}

// resolve returns the commit of a name, and the last name on the way.
func (r refs) resolve(name string, depth int) (last, hash string) {
	if !strings.HasPrefix(name, "refs/") || path.Clean(name) != name {
		return "", ""
	}
	text, ok := r.loose[name]
	if !ok { // it is below another directory, or there are very many
		other, err := safefile.ReadIn(r.common, filepath.FromSlash(name), maxRef)
		text, ok = string(other), err == nil
	}
	if !ok {
		return name, r.packed[name]
	}
	last, hash = r.follow(text, depth)
	return cmp.Or(last, name), hash
}

// defaultBranch returns the remote's default branch, otherwise a branch with a usual name.
func (r refs) defaultBranch(branches map[string]string) (name, hash string) {
	if last, hash := r.resolve(remotePrefix+"HEAD", 0); hash != "" {
		return strings.TrimPrefix(last, remotePrefix), hash
	}
	for _, name := range []string{"main", "master", "trunk", "develop"} {
		if _, hash := r.resolve(remotePrefix+name, 0); hash != "" {
			return name, hash
		}
		if hash := branches[name]; hash != "" {
			return name, hash
		}
	}
	return "", ""
}

// ReadRefs reads where the branches of a repository are, from files only, without running git.
func ReadRefs(id project.Identity) (Refs, error) {
	if id.CommonDir == "" {
		return Refs{}, ErrNoRepository
	}
	for _, dir := range []string{id.Root, id.CommonDir} {
		if err := mine(dir); err != nil {
			return Refs{}, err
		}
	}
	return readRefs(id.CommonDir, gitDirOf(id))
}

// gitDirOf returns the directory with a working tree's HEAD and index.
func gitDirOf(id project.Identity) string {
	if id.Worktree == "" {
		return id.CommonDir
	}
	return filepath.Join(id.CommonDir, "worktrees", id.Worktree)
}
