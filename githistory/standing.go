package githistory

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"keepmum/safefile"
)

// Standing says whether the work of a branch was merged.
type Standing string

// The standings.
const (
	Open   Standing = "open"   // the branch exists, and its work is not in the default branch
	Merged Standing = "merged" // its work is in the default branch, or nothing proves that it is not
	Lost   Standing = "lost"   // the branch is gone, and its work is in no branch
)

// Mark is what was seen of a branch.
type Mark struct {
	Name string
	Tip  string    // its last commit when last seen; "" = not seen
	Own  bool      // that commit was not in the default branch
	Base string    // where it left the default branch; "" = unknown
	Seen time.Time // when it was last there; zero = unknown
}

// Standing determines where a branch is, given what was seen of it before. It also returns what is known about the
// branch now, with its new name if it was renamed. An error means that the standing cannot be determined now; what git
// cannot prove counts as merged.
func (r *Repo) Standing(ctx context.Context, was Mark) (Standing, Mark, error) {
	mains := r.Refs.mains()
	tip := r.Refs.Tip(was.Name)
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

// question is one check of a branch. After its first error, further answers mean nothing.
type question struct {
	*Repo
	ctx   context.Context //nolint:containedctx // of this one look
	mains []string
	doubt bool // git could not answer something
	err   error
}

// present judges an existing branch.
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
	was.Tip = tip
	return Merged, was
}

// gone judges a branch that no longer exists.
func (q *question) gone(was Mark) (Standing, Mark) {
	if was.Tip == "" || !q.has(was.Tip) {
		return Merged, was
	}
	in := q.inMain(was.Tip)
	if in && was.Own {
		return Merged, was
	}
	if name := q.renamed(was); name != "" {
		now := was
		now.Name = name
		s, now := q.present(now, q.Refs.Branches[name])
		if s == Merged {
			now.Name = was.Name
		}
		return s, now
	}
	if in {
		return Merged, was
	}
	if name := q.successor(was.Tip); name != "" {
		was.Name = name
		return Open, was
	}
	if len(q.shallow) > 0 || q.work(was.Tip) != none || q.doubt {
		return Merged, was
	}
	return Lost, was
}

// renaming is a new name of a branch, given at a time in Unix seconds.
type renaming struct {
	to string
	at int64
}

// renamed returns the branch that a branch is called now, by its log: git moves the log with the branch and records the
// new name. The log must know the commit that was seen, and only the first time after that counts, because other
// branches may have had the name before and since. "" = the logs prove nothing.
func (q *question) renamed(was Mark) string {
	var found []renaming
	seen := was.Seen.Unix()
	for _, name := range slices.Sorted(maps.Keys(q.Refs.Branches)) {
		log, ok := q.log(name)
		if !ok || name == q.Refs.Main {
			continue
		}
		if at := calledUntil(log, was); at > 0 && at >= seen {
			found = append(found, renaming{name, at})
		}
	}
	// In the second in which the branch was seen, the order is unknown.
	if after := func(r renaming) bool { return r.at > seen }; slices.ContainsFunc(found, after) {
		found = slices.DeleteFunc(found, func(r renaming) bool { return !after(r) })
	}
	slices.SortStableFunc(found, func(a, b renaming) int { return cmp.Compare(a.at, b.at) })
	if len(found) == 0 || len(found) > 1 && found[0].at == found[1].at {
		return ""
	}
	return found[0].to
}

// calledUntil returns when the log of a branch records another name of it for the last time, after the commit that was
// seen then, in Unix seconds; 0 = never.
func calledUntil(log string, was Mark) (last int64) {
	seen := false
	for line := range strings.Lines(log) {
		move, what, _ := strings.Cut(line, "\t")
		at := strings.Fields(move) // old, new, who, seconds, zone
		if len(at) < 4 {
			continue
		}
		seen = seen || at[0] == was.Tip || at[1] == was.Tip
		if seen && strings.HasPrefix(what, "Branch: renamed "+branchPrefix+was.Name+" to ") {
			last, _ = strconv.ParseInt(at[len(at)-2], 10, 64) // without a time it proves nothing
		}
	}
	return last
}

// log returns the log of a branch, if it can be read.
func (q *question) log(branch string) (string, bool) {
	if !filepath.IsLocal(filepath.FromSlash(branch)) {
		return "", false
	}
	log, err := safefile.Read(filepath.Join(q.id.CommonDir, "logs", "refs", "heads", filepath.FromSlash(branch)), maxLog)
	return string(log), err == nil
}

// successor returns another branch with the work of a branch that was renamed or continued under another name.
func (q *question) successor(tip string) string {
	var on []string
	for _, of := range []map[string]string{q.Refs.Branches, q.Refs.Remotes} {
		for name, at := range of {
			switch {
			case name == q.Refs.Main:
			case at == tip:
				return firstOf(of, tip)
			case len(on) < maxSuccessors && q.isAncestor(tip, at):
				on = append(on, name)
			}
		}
	}
	if len(on) == 0 {
		return ""
	}
	return slices.Min(on)
}

// maxSuccessors limits how many branches with the work are compared by name.
const maxSuccessors = 20

func firstOf(branches map[string]string, tip string) string {
	var out []string
	for name, at := range branches {
		if at == tip {
			out = append(out, name)
		}
	}
	return slices.Min(out)
}

// fresh reports whether nothing has been committed on a branch yet: it is in the first-parent history of the default
// branch, and its log has no commits.
func (q *question) fresh(branch, tip string) bool {
	log, ok := q.log(branch)
	if !ok || commitsIn(log, tip) {
		return false
	}
	return slices.ContainsFunc(q.mains, func(m string) bool {
		line := q.list("rev-list", "--first-parent", "--max-count="+strconv.Itoa(maxLine), m)
		return slices.Contains(line, tip)
	})
}

// commitsIn reports whether commits were made on a branch, by its log, before it was at tip for the last time. What
// comes later happened after the branches were read.
func commitsIn(log, tip string) bool {
	made, then, seen := false, false, false
	for line := range strings.Lines(log) {
		move, what, _ := strings.Cut(line, "\t")
		made = made || slices.ContainsFunc([]string{"commit", "cherry-pick", "revert", "am"}, func(did string) bool {
			return strings.HasPrefix(what, did+":") || strings.HasPrefix(what, did+" (")
		})
		if at := strings.Fields(move); len(at) > 1 && at[1] == tip {
			then, seen = made, true
		}
	}
	if seen {
		return then
	}
	return made
}

const (
	maxLog  = 4 << 20 // bytes of a branch's log: some 20,000 entries
	maxLine = 20_000  // commits of the default branch that are read
)

// has reports whether a commit is available here.
func (q *question) has(commit string) bool {
	out, err := q.readable(q.ctx, []string{commit})
	q.fail(err)
	return len(out) == 1
}

// inMain reports whether a commit is in the default branch.
func (q *question) inMain(commit string) bool {
	return slices.ContainsFunc(q.mains, func(m string) bool { return q.isAncestor(commit, m) })
}

// isAncestor reports whether one commit is in the history of another. Git exits with 1 for no; any other failure is not
// an answer.
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

// base returns the merge base of two commits; "" = none.
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

// list returns git's output by line.
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

// fail records that git gave no answer: it failed, or did not finish.
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

// exitCode returns git's exit code; 0 = it did not exit on its own.
func exitCode(err error) int {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return max(ended.ExitCode(), 0)
	}
	return 0
}
