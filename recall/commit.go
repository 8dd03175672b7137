package recall

import (
	"math"
	"strings"

	"keepmum/store"
)

// Commit are the features of a commit that decide whether it is told, or their weights. A commit shares a few words
// with almost any long prompt; the one that is about it has them in its first line.
type Commit struct {
	Title  float64 `json:"title"`  // square root of how many rare words of the prompt the first line contains;
	Share  float64 `json:"share"`  // share of the prompt's weight in the commit,
	Beside float64 `json:"beside"` // and that weight relative to the session that contains most of the prompt
	Least  float64 `json:"least"`  // of the weights only: the minimum of the sum
}

// List returns the features in a fixed order.
func (f *Commit) List() []*float64 { return []*float64{&f.Title, &f.Share, &f.Beside} }

func (f *Commit) passes(weights *Commit) bool {
	return weighted(f.List(), weights.List()) >= weights.Least
}

const (
	minWhy      = 60  // bytes of a commit's message after the first line,
	minInCommit = 2   // and words of the prompt in it, below which it is not told
	maxCommits  = 1   // told in place of one statement
	maxCommit   = 480 // characters of one
	maxBeside   = 2.0 // maximum of that feature
	// leastTitle is the minimum of the feature Title. In eight real projects half of the commits that were told had less:
	// squashed ones, with a hundred lines that share words with anything.
	leastTitle = 0.7
)

// committed makes a statement from a commit. One with a one-line message, or that reads like an instruction, is not
// told.
func committed(m *Model, about *store.About, st statement, words int, l store.Line) statement {
	why := strings.TrimSpace(store.CommitMessage(l.Text, []string{""}))
	st.title = asSentence(l.Title)
	st.said = st.title + why
	st.held = l.Role == string(store.RoleInstruction)
	st.settles = 1
	st.score = math.Sqrt(st.weight)
	if len(why) < minWhy || words < minInCommit || st.held {
		return st
	}
	st.commit = &Commit{
		Title:  math.Sqrt(about.Common(l.Title) / max(about.Rare, 1)),
		Share:  st.weight / max(about.All, 1),
		Beside: min(st.weight/max(heaviest(about), 1), maxBeside),
	}
	st.sure = st.commit.Title >= leastTitle && st.commit.passes(&m.Commit)
	return st
}
