package githistory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"keepmum/safefile"
)

const (
	maxTouched = 300 // paths of either kind
)

// Touched is what differs between a working tree and its default branch.
type Touched struct {
	Branch      string
	Uncommitted []string // tracked files that differ from the commit that is checked out
	Committed   []string // the others: changed on this branch since it left the default branch
}

// Touched reads the working tree. It changes nothing and takes no lock.
func (r *Repo) Touched(ctx context.Context) (Touched, error) {
	out := Touched{Branch: r.Refs.Branch}
	if r.Refs.Head == "" {
		return out, nil
	}
	var err error
	if out.Uncommitted, err = r.uncommitted(ctx); err != nil {
		return out, err
	}
	all, err := r.committed(ctx)
	out.Committed = slices.DeleteFunc(all, func(p string) bool { return slices.Contains(out.Uncommitted, p) })
	return out, err
}

// uncommitted asks git for the status. Git reads the index in its place: a copy would write file names to the disk that
// have not passed a gate.
func (r *Repo) uncommitted(ctx context.Context) ([]string, error) {
	index := filepath.Join(r.gitDir, "index")
	f, err := safefile.Open(index)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	_ = f.Close()
	if err := os.WriteFile(filepath.Join(r.git.scratch, "HEAD"), []byte(r.Refs.Head+"\n"), 0o600); err != nil {
		return nil, err
	}
	in := *r
	in.env = append(in.env, "GIT_INDEX_FILE="+index, "GIT_WORK_TREE="+r.id.Root)
	text, err := in.output(ctx, "", "status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all",
		"--no-renames")
	var out []string
	for _, line := range paths(text) {
		if len(line) > statusLen {
			out = append(out, line[statusLen:])
		}
	}
	return out, err
}

// statusLen is the length of the prefix of a path: two letters and a space.
const statusLen = 3

func (r *Repo) committed(ctx context.Context) ([]string, error) {
	if r.Refs.Default == "" || r.Refs.Default == r.Refs.Head {
		return nil, nil
	}
	var none *exec.ExitError
	base, err := r.output(ctx, "", "merge-base", r.Refs.Default, r.Refs.Head)
	if errors.As(err, &none) && ctx.Err() == nil {
		return nil, nil // no common history, or the history is cut off
	}
	from := strings.TrimSpace(string(base))
	if err != nil || !isHash(from) {
		return nil, err
	}
	text, err := r.output(ctx, "", "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--ignore-submodules=all", from, r.Refs.Head)
	return paths(text), err
}

// paths splits paths that each end with a NUL.
func paths(text []byte) []string {
	var out []string
	for p := range strings.SplitSeq(string(text), "\x00") {
		if p != "" && len(out) < maxTouched {
			out = append(out, plainPath(p))
		}
	}
	return out
}
