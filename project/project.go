package project

import (
	"bufio"
	"bytes"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/safefile"
)

// Identity is what identifies a project: its name, place, git directory, remote and branch.
type Identity struct {
	Name      string // display name: the last part of the remote, otherwise of the directory
	Root      string // top of the working tree, or the directory itself without git
	CommonDir string // git's common directory, shared by all worktrees; "" without git
	Remote    string // normalised origin, host/path; "" if there is none
	Branch    string // checked-out branch, or the short commit
	Worktree  string // name of a linked worktree; "" in the main one
}

// Size limits in bytes: the files of git that are read here are far smaller, and a larger one was planted or damaged.
const (
	maxLine   = 64 << 10 // HEAD, commondir, a .git file
	maxConfig = 1 << 20
)

// Of finds the project by checking dir and its parents. A directory that does not exist, or that is not in a git
// repository, is a project identified by its path. A .git of another user is skipped, because anyone may create one in
// a shared directory above.
//
// Only the owner matters, as in git: git trusts a .git of this user or of root whatever its mode is, and runs its
// hooks. Anybody who can write there can do worse than change a project's name, so a stricter rule here would protect
// nothing.
//
// A .git that leads to the repository of another directory, which does not know of this one, is not followed: it may
// come from an archive, and would show this directory's agent what the other project remembers.
func Of(dir string) Identity {
	dir = resolve(dir)
	for at := dir; ; {
		if gitDir, ok := gitDirOf(at); ok {
			if !knows(gitDir, at) {
				return Identity{Name: filepath.Base(at), Root: at}
			}
			return fromGit(at, gitDir)
		}
		parent := filepath.Dir(at)
		if parent == at {
			return Identity{Name: filepath.Base(dir), Root: dir}
		}
		at = parent
	}
}

// Path converts a directory from an agent to a path; some agents send a file URL.
func Path(dir string) string {
	const scheme = "file://"
	if len(dir) < len(scheme) || !strings.EqualFold(dir[:len(scheme)], scheme) {
		return dir
	}
	u, err := url.Parse(dir)
	if err != nil || u.Path == "" {
		return dir
	}
	if p := strings.TrimPrefix(u.Path, "/"); len(p) > 1 && p[1] == ':' { // a drive letter
		return filepath.FromSlash(p)
	}
	return filepath.FromSlash(u.Path)
}

func resolve(dir string) string {
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// gitDirOf returns the git directory of a working tree: .git itself, or the
// directory that a .git file (worktree, submodule) points to.
func gitDirOf(root string) (string, bool) {
	dot := filepath.Join(root, ".git")
	info, err := os.Stat(dot)
	if err != nil || foreign(dot, info) {
		return "", false
	}
	if info.IsDir() {
		_, err := os.Stat(filepath.Join(dot, "HEAD"))
		return dot, err == nil
	}
	target, ok := strings.CutPrefix(firstLine(dot), "gitdir:")
	if !ok {
		return "", false
	}
	gitDir := absolute(strings.TrimSpace(target), root)
	if info, err := os.Stat(gitDir); err == nil && foreign(gitDir, info) {
		return "", false
	}
	return gitDir, true
}

// knows reports whether a git directory belongs to a working tree. A linked worktree's names the .git file that leads
// to it (git corrects the name of one that was moved), a submodule's names its working tree. One with another name, as
// "git init --separate-git-dir" makes it, names nothing and is believed.
func knows(gitDir, root string) bool {
	gitDir = resolve(gitDir)
	if common := firstLine(filepath.Join(gitDir, "commondir")); common != "" {
		back := absolute(firstLine(filepath.Join(gitDir, "gitdir")), gitDir)
		return filepath.Dir(gitDir) == filepath.Join(resolve(absolute(common, gitDir)), "worktrees") &&
			resolve(filepath.Dir(back)) == root
	}
	if inside, err := filepath.Rel(root, gitDir); err == nil && filepath.IsLocal(inside) {
		return true
	}
	if tree := worktreeOf(gitDir); tree != "" {
		return resolve(absolute(tree, gitDir)) == root
	}
	return filepath.Base(gitDir) != ".git"
}

// foreign reports whether a path, or the target of a link there, belongs to another user.
func foreign(path string, info os.FileInfo) bool {
	itself, err := os.Lstat(path)
	return err != nil || safefile.Ours(itself) != nil || safefile.Ours(info) != nil
}

func fromGit(root, gitDir string) Identity {
	id := Identity{Root: root, CommonDir: gitDir, Branch: branchOf(gitDir)}
	if common := firstLine(filepath.Join(gitDir, "commondir")); common != "" {
		id.CommonDir = absolute(common, gitDir)
		id.Worktree = filepath.Base(gitDir)
	}
	id.CommonDir = resolve(id.CommonDir)
	id.Remote = NormaliseRemote(originOf(id.CommonDir))
	id.Name = name(id)
	return id
}

func name(id Identity) string {
	if id.Remote != "" {
		return filepath.Base(id.Remote)
	}
	if id.Worktree != "" { // a worktree can be anywhere; the project is named after its repository
		return filepath.Base(filepath.Dir(id.CommonDir))
	}
	return filepath.Base(id.Root)
}

const heads = "refs/heads/"

func branchOf(gitDir string) string {
	head := firstLine(filepath.Join(gitDir, "HEAD"))
	if ref, ok := strings.CutPrefix(head, "ref: "+heads); ok {
		return ref
	}
	for _, rebase := range []string{"rebase-merge", "rebase-apply"} { // during a rebase, HEAD does not name the branch
		if ref, ok := strings.CutPrefix(firstLine(filepath.Join(gitDir, rebase, "head-name")), heads); ok {
			return ref
		}
	}
	return head[:min(len(head), 12)]
}

// originOf returns the URL of the remote "origin", or of the first remote.
func originOf(commonDir string) string {
	first := ""
	for section, value := range settings(commonDir, "url") {
		if section == `[remote "origin"]` {
			return value
		}
		if first == "" && strings.HasPrefix(section, "[remote ") {
			first = value
		}
	}
	return first
}

// worktreeOf returns the working tree that a git directory names.
func worktreeOf(gitDir string) string {
	for section, value := range settings(gitDir, "worktree") {
		if section == "[core]" {
			return value
		}
	}
	return ""
}

// settings yields the values of a setting in git's configuration, each after its section.
func settings(gitDir, name string) iter.Seq2[string, string] {
	return func(yield func(section, value string) bool) {
		data, err := safefile.Read(filepath.Join(gitDir, "config"), maxConfig)
		if err != nil {
			return
		}
		section := ""
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			line := strings.TrimSpace(lines.Text())
			if strings.HasPrefix(line, "[") {
				section = line
				continue
			}
			key, value, _ := strings.Cut(line, "=")
			if strings.TrimSpace(key) == name && !yield(section, strings.TrimSpace(value)) {
				return
			}
		}
	}
}

var scpLike = lazyregexp.New(`^(?:[^@/]+@)?([^:/]+):(.+)$`)

// NormaliseRemote converts the ssh, scp and https forms of a remote to host/path: it drops user, password, port and
// ".git". A local path stays as it is.
func NormaliseRemote(remote string) string {
	remote = strings.TrimSuffix(strings.TrimSpace(remote), "/")
	if remote == "" || filepath.IsAbs(remote) {
		return strings.TrimSuffix(remote, ".git")
	}
	host, path := "", ""
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else if m := scpLike.FindStringSubmatch(remote); m != nil {
		host, path = m[1], m[2]
	} else {
		return "" // unknown form: no remote is better than a wrong or secret one
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	return strings.ToLower(host) + "/" + path
}

func absolute(path, base string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

func firstLine(path string) string {
	data, err := safefile.Read(path, maxLine)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimSpace(line)
}
