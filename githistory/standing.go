package githistory

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"keepmum/safefile"
)

// Standing says where the work of a branch is.
type Standing string

// The standings.
const (
	Open   Standing = "open"   // the branch is there, and its work is not in the default branch
	Merged Standing = "merged" // its work is in the default branch, or nothing proves that it is not
	Lost   Standing = "lost"   // the branch is gone, and its work is in no branch
)

// Mark is a branch as it was seen.
type Mark struct {
	Name string
	Tip  string // its last commit, as far as it was seen; "" = it was not
	Own  bool   // that was not in the default branch then
	Base string // where it left the default branch; "" = not known
}

// Standing looks at where a branch is, in the light of what was seen of it
// before. What it returns beside is what is known about the branch now: its name
// is another where the branch was renamed. An error says that it cannot be known
// now; what git cannot prove counts as merged.
func (r *Repo) Standing(ctx context.Context, was Mark) (Standing, Mark, error) {
	mains := r.Refs.mains()
	tip := r.Refs.tip(was.Name)
	if was.Name == r.Refs.Main || len(mains) == 0 && tip == "" {
		return Merged, was, nil
	}
	if len(mains) == 0 {
		return Open, was, nil
	}
	q := question{Repo: r, ctx: ctx, mains: mains}
	var s Standing
	if tip != "" {
		s, was = q.present(was, tip)
	} else {
		s, was = q.gone(was)
	}
	return s, was, q.err
}

// question is one look at a branch. Its first error ends it: answers after it
// mean nothing.
type question struct {
	*Repo
	ctx   context.Context //nolint:containedctx // of this one look
	mains []string
	doubt bool // git could not answer something
	err   error
}

// present judges a branch that is there.
func (q *question) present(was Mark, tip string) (Standing, Mark) {
	if !q.inMain(tip) {
		was.Tip, was.Own, was.Base = tip, true, cmp.Or(q.base(q.mains[0], tip), was.Base)
		if found := q.work(tip); found == all {
			return Merged, was
		}
		return Open, was
	}
	if !was.Own && q.fresh(was.Name, tip) {
		was.Tip, was.Base = tip, tip
		return Open, was
	}
	return Merged, was
}

// gone judges a branch that is not there any more.
func (q *question) gone(was Mark) (Standing, Mark) {
	if was.Tip == "" || !q.has(was.Tip) || q.inMain(was.Tip) {
		return Merged, was
	}
	if name := q.heir(was.Tip); name != "" {
		was.Name = name
		return Open, was
	}
	if len(q.shallow) > 0 || q.work(was.Tip) != none || q.doubt {
		return Merged, was
	}
	return Lost, was
}

// heir is another branch that has the work of one: it was renamed, or continued
// under another name.
func (q *question) heir(tip string) string {
	var on []string
	for _, of := range []map[string]string{q.Refs.Branches, q.Refs.Remotes} {
		for name, at := range of {
			switch {
			case name == q.Refs.Main:
			case at == tip:
				return firstOf(of, tip)
			case len(on) < maxHeirs && q.isAncestor(tip, at):
				on = append(on, name)
			}
		}
	}
	if len(on) == 0 {
		return ""
	}
	return slices.Min(on)
}

// maxHeirs is how many branches that have the work are told apart by their names.
const maxHeirs = 20

func firstOf(branches map[string]string, tip string) string {
	var out []string
	for name, at := range branches {
		if at == tip {
			out = append(out, name)
		}
	}
	return slices.Min(out)
}

// fresh reports whether nothing was committed on a branch yet: it is in the
// line of the default branch, and its log names no commit.
func (q *question) fresh(branch, tip string) bool {
	log, err := safefile.Read(filepath.Join(q.id.CommonDir, "logs", "refs", "heads", filepath.FromSlash(branch)), maxLog)
	if err != nil || !filepath.IsLocal(filepath.FromSlash(branch)) {
		return false
	}
	for line := range strings.Lines(string(log)) {
		_, what, _ := strings.Cut(line, "\t")
		for _, did := range []string{"commit", "cherry-pick", "revert", "am"} {
			if strings.HasPrefix(what, did+":") || strings.HasPrefix(what, did+" (") {
				return false
			}
		}
	}
	return slices.ContainsFunc(q.mains, func(m string) bool {
		line := q.list("rev-list", "--first-parent", "--max-count="+strconv.Itoa(maxLine), m)
		return slices.Contains(line, tip)
	})
}

const (
	maxLog  = 4 << 20 // bytes of a branch's log: some 20,000 entries
	maxLine = 20_000  // commits of the default branch that are looked at, as many as are read
)

// has reports whether a commit is here.
func (q *question) has(commit string) bool {
	out, err := q.readable(q.ctx, []string{commit})
	q.fail(err)
	return len(out) == 1
}

// inMain reports whether a commit is in the default branch.
func (q *question) inMain(commit string) bool {
	return slices.ContainsFunc(q.mains, func(m string) bool { return q.isAncestor(commit, m) })
}

// isAncestor reports whether one commit is in the history of another. Git ends
// with 1 for no; anything else it says is no answer.
func (q *question) isAncestor(commit, of string) bool {
	if commit == of {
		return true
	}
	_, err := q.output(q.ctx, "", "merge-base", "--is-ancestor", commit, of)
	if exitCode(err) == 1 {
		return false
	}
	q.fail(err)
	return err == nil
}

// base is where two commits meet; "" = nowhere.
func (q *question) base(a, b string) string {
	out, err := q.output(q.ctx, "", "merge-base", a, b)
	if exitCode(err) != 1 {
		q.fail(err)
	}
	if hash := strings.TrimSpace(string(out)); isHash(hash) {
		return hash
	}
	return ""
}

// list is what git lists, a line each.
func (q *question) list(args ...string) []string { return q.listOf(nil, args...) }

func (q *question) listOf(env []string, args ...string) []string {
	in := *q.Repo
	in.env = append(slices.Clone(in.env), env...)
	text, err := in.output(q.ctx, "", args...)
	q.fail(err)
	var out []string
	for scan := bufio.NewScanner(strings.NewReader(string(text))); scan.Scan(); {
		out = append(out, scan.Text())
	}
	return out
}

// fail notes that git gave no answer: it said that it cannot, or it did not come to it.
func (q *question) fail(err error) {
	switch {
	case err == nil:
	case q.ctx.Err() != nil:
		q.err = q.ctx.Err()
	case exitCode(err) > 0:
		q.doubt = true
	case q.err == nil:
		q.err = err
	}
}

// exitCode is with what git ended; 0 = it did not end on its own.
func exitCode(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return max(ended.ExitCode(), 0)
	}
	return 0
}
