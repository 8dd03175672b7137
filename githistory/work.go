package githistory

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// share is how much of a branch's work is in the default branch.
type share int

const (
	unknown share = iota // cannot be determined
	none
	some
	all
)

const (
	maxPicked  = 500     // commits of the default branch that are compared with the whole work of a branch
	maxPaths   = 200     // paths in the work of a branch; larger work is not compared as a whole
	halfOfWork = 0.5     // share of a branch's lines in the default branch: it was squashed together with another change
	maxDiff    = 8 << 20 // bytes of a branch's work; larger work is not compared as a whole
)

// work looks for the work of a commit in the default branch: as the same patches, as one patch (a squash), or as the
// same content.
func (q *question) work(tip string) share {
	found := none
	for _, m := range q.mains {
		switch s := q.workIn(m, tip); {
		case s == all:
			return all
		case s == some || s == unknown && found == none:
			found = s
		}
	}
	return found
}

func (q *question) workIn(main, tip string) share {
	base := q.base(main, tip)
	if base == "" {
		return unknown
	}
	picked := q.picked(main, tip)
	if picked == all {
		return all
	}
	if s := q.squashed(main, base, tip); s != none {
		return s
	}
	return picked
}

// picked compares commit by commit: a rebase and a cherry-pick do not change the patch.
func (q *question) picked(main, tip string) share {
	same, other := 0, 0
	for _, line := range q.list("rev-list", "--cherry-mark", "--right-only", "--no-merges", main+"..."+tip) {
		if strings.HasPrefix(line, "=") {
			same++
		} else {
			other++
		}
	}
	switch {
	case same > 0 && other == 0:
		return all
	case same > 0:
		return some
	}
	return none
}

// squashed compares the work as a whole.
func (q *question) squashed(main, base, tip string) share {
	paths := q.changed(base, tip)
	if len(paths) == 0 || len(paths) > maxPaths {
		return unknown
	}
	left := q.changed(main, tip)
	if !slices.ContainsFunc(paths, func(p string) bool { return slices.Contains(left, p) }) {
		return all // every file it changed is the same there
	}
	work, ok := q.diff(tip, base)
	if !ok {
		return unknown
	}
	args := []string{"rev-list", "--full-history", "--no-merges", "--max-count=" + strconv.Itoa(maxPicked),
		base + ".." + main, "--"}
	there, id := map[string]bool{}, q.patchID(work)
	for _, c := range q.listOf([]string{"GIT_LITERAL_PATHSPECS=1"}, append(args, paths...)...) {
		theirs, ok := q.diff(c)
		if !ok {
			return unknown
		}
		if id != "" && q.patchID(theirs) == id {
			return all
		}
		for _, l := range changedLines(theirs) {
			there[l] = true
		}
	}
	return shareOf(changedLines(work), there)
}

// shareOf returns how many of some lines are among others. Half of them prove neither that the work is there nor that
// it is not.
func shareOf(lines []string, there map[string]bool) share {
	n := 0
	for _, l := range lines {
		if there[l] {
			n++
		}
	}
	switch {
	case len(lines) == 0:
		return unknown
	case float64(n) >= halfOfWork*float64(len(lines)):
		return some
	}
	return none
}

// changed returns the paths that differ between two commits.
func (q *question) changed(a, b string) []string {
	text, err := q.output(q.ctx, "", "diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--ignore-submodules=all", a, b)
	q.fail(err)
	return slices.DeleteFunc(strings.Split(string(text), "\x00"), func(p string) bool { return p == "" })
}

// diff returns what a commit changed since its parent, or since another commit. ok is false if that is too much to
// compare.
func (q *question) diff(commit string, since ...string) (text string, ok bool) {
	args := append([]string{"diff-tree", "-r", "-p", "--root", "--no-commit-id", "--binary", "--full-index",
		"--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"}, append(since, commit)...)
	out, err := q.output(q.ctx, "", args...)
	if errors.Is(err, errTooMuch) || len(out) > maxDiff {
		return "", false
	}
	q.fail(err)
	return string(out), true
}

// patchID returns an id for a change that does not depend on its position in a file.
func (q *question) patchID(diff string) string {
	out, err := q.output(q.ctx, diff, "patch-id", "--stable")
	q.fail(err)
	id, _, _ := strings.Cut(string(out), " ")
	return id
}

// changedLines returns the lines that a diff adds or removes, with their sign. It skips lines with only a bracket or a
// word, which occur everywhere.
func changedLines(diff string) []string {
	var out []string
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- ") || line[0] != '+' && line[0] != '-' {
			continue
		}
		if text := strings.TrimSpace(line[1:]); len(text) >= tellingLine {
			out = append(out, line[:1]+text)
		}
	}
	return out
}

// tellingLine is the minimum length of a line that can be recognised.
const tellingLine = 5
