package memory

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Threshold is the similarity from which two memories say the same.
const Threshold = 0.72

// Action is what comes of a candidate.
type Action string

// The actions.
const (
	Noop      Action = "noop"
	Add       Action = "add"
	Update    Action = "update"
	Supersede Action = "supersede"
	History   Action = "history" // it held before what is held now
	Instead   Action = "instead" // on its branch it takes the place of the memory, which holds elsewhere
	Reject    Action = "reject"
)

// Why a candidate that passed [Check] is treated as it is.
const (
	Same        Reason = "same"        // the memory says all of it
	Similar     Reason = "similar"     // and something more
	Contradicts Reason = "contradicts" // the same subject, another answer
	OtherValue  Reason = "other_value" // the same key, another statement
	Outdated    Reason = "outdated"    // it was said before what is held now
	WasArchived Reason = "archived"    // an archived memory says it, and nothing newer has come up
	New         Reason = "new"
	Forgotten   Reason = "forgotten" // the user wanted it gone
)

// Verdict is the action for one candidate.
type Verdict struct {
	Action Action  `json:"action"`
	Target string  `json:"target,omitempty"` // id of the memory it concerns
	Score  float64 `json:"score"`
	Reason Reason  `json:"reason"`
}

// Judge decides about candidates in the light of the memories there are. It is for
// one goroutine.
type Judge struct {
	known     map[string]*entry
	forgotten func(fingerprint string) bool
}

// entry is a memory with what comparisons need of it.
type entry struct {
	Memory
	*claim
}

// NewJudge knows active and archived memories. forgotten (nil = nothing was)
// answers whether a fingerprint (see [Fingerprints]) is under a tombstone.
func NewJudge(existing []Memory, forgotten func(fingerprint string) bool) *Judge {
	j := &Judge{known: map[string]*entry{}, forgotten: forgotten}
	for _, m := range existing {
		j.Put(m)
	}
	return j
}

// Put makes a memory known that was written, changed or archived meanwhile.
func (j *Judge) Put(m Memory) { j.known[m.ID] = &entry{m, claimOf(m)} }

// Decide checks a candidate and says what to do with it.
func (j *Judge) Decide(c Candidate) Verdict {
	v := j.decide(c)
	return v.beside(c, j.known[v.Target])
}

func (j *Judge) decide(c Candidate) Verdict {
	if reason, ok := Check(c); !ok {
		return Verdict{Action: Reject, Reason: reason}
	}
	if j.isForgotten(c) {
		return Verdict{Action: Reject, Reason: Forgotten}
	}
	m := newMemory(c)
	now := &entry{m, claimOf(m)}
	if v, ok := j.keyed(now); ok {
		return v
	}
	matches := j.matches(now)
	for _, rule := range []func(*entry, []match) (Verdict, bool){alreadyArchived, alreadySaid, j.contradicted,
		similarActive,
		j.saidBySuccessor, similarArchived} {
		if v, ok := rule(now, matches); ok {
			return v
		}
	}
	v := Verdict{Action: Add, Reason: New}
	if len(matches) > 0 {
		v.Score = matches[0].score
	}
	return v
}

func (j *Judge) isForgotten(c Candidate) bool {
	return j.forgotten != nil && slices.ContainsFunc(Fingerprints(c.Title.String(), c.Body.String()), j.forgotten)
}

// match is a memory that is compared with a candidate.
type match struct {
	*entry
	score  float64
	contra bool
}

// matches returns the memories that have to do with a candidate, the most similar
// first.
func (j *Judge) matches(now *entry) []match {
	var out []match
	for _, id := range slices.Sorted(maps.Keys(j.known)) {
		e := j.known[id]
		if otherKeys(now.Memory, e.Memory) {
			continue
		}
		if score := now.profile.similarity(e.profile); score >= related {
			out = append(out, match{e, score, now.contradicts(e.claim)})
		}
	}
	slices.SortStableFunc(out, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return out
}

// otherKeys reports whether two memories say on their own that they are about
// different things.
func otherKeys(a, b Memory) bool { return a.Key != "" && b.Key != "" && a.Key != b.Key }

// related is the similarity below which two texts have no subject in common.
const related = 0.4

func (m match) verdict(a Action, why Reason) (Verdict, bool) {
	return Verdict{Action: a, Target: m.ID, Score: m.score, Reason: why}, true
}

func (m match) similar() bool { return m.score >= Threshold && !m.contra }

// sharesSession reports whether two memories come from one session.
func sharesSession(a, b Memory) bool {
	return slices.ContainsFunc(a.Sources, func(o Origin) bool {
		return slices.ContainsFunc(b.Sources, func(p Origin) bool { return o.Session == p.Session })
	})
}

// alreadyArchived: the same session said it, and it has been archived since. Reading
// the session once more changes nothing.
func alreadyArchived(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		if m.Archived && m.similar() && sharesSession(now.Memory, m.Memory) {
			return m.verdict(Noop, WasArchived)
		}
	}
	return Verdict{}, false
}

// alreadySaid: an active memory says all of it.
func alreadySaid(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		if m.Archived || m.contra {
			continue
		}
		if m.score == 1 || (m.score >= Threshold || sharesSession(now.Memory, m.Memory)) && m.says(now.Memory) {
			return m.verdict(Noop, Same)
		}
	}
	return Verdict{}, false
}

// says reports whether nothing of another memory is missing here: no sentence, no
// tag, and no session that says it too.
func (e *entry) says(m Memory) bool {
	return saysAll(e.profile.all, m.Body) &&
		within(m.Tags, func(tag string) bool {
			return slices.ContainsFunc(e.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
		}) &&
		within(m.Sources, func(o Origin) bool {
			return slices.ContainsFunc(e.Sources, func(p Origin) bool { return p.Session == o.Session })
		})
}

func within[T any](list []T, has func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !has(v) })
}

// contradicted: an active memory gives another answer. The later of the two holds,
// in whatever order the sessions are read.
func (j *Judge) contradicted(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		if m.Archived || !m.contra {
			continue
		}
		if !now.ValidFrom.IsZero() && now.ValidFrom.Before(m.since()) {
			return j.earlier(now, m, j.line(m.Memory))
		}
		return m.verdict(Supersede, Contradicts)
	}
	return Verdict{}, false
}

func similarActive(_ *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		if !m.Archived && m.similar() {
			return m.verdict(Update, Similar)
		}
	}
	return Verdict{}, false
}

// saidBySuccessor: what says it was put into a richer memory, which is told of it.
func (j *Judge) saidBySuccessor(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		next := j.known[m.SupersededBy]
		if !m.Archived || !m.similar() || next == nil || next.Archived {
			continue
		}
		if next.contradicts(m.claim) || now.contradicts(next.claim) {
			continue
		}
		if next.says(now.Memory) {
			return match{entry: next, score: m.score}.verdict(Noop, Same)
		}
		return match{entry: next, score: m.score}.verdict(Update, Similar)
	}
	return Verdict{}, false
}

// similarArchived: what was put away comes back when a later session says it again,
// unless something else has taken its place.
func similarArchived(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		switch {
		case !m.Archived || !m.similar():
		case now.ValidFrom.IsZero() || !now.ValidFrom.After(m.Updated):
			return m.verdict(Noop, WasArchived)
		case m.SupersededBy == "":
			return m.verdict(Update, Similar)
		}
	}
	return Verdict{}, false
}

// Fingerprints returns what a memory is known by once it is forgotten: its title
// and its body without order, case, endings and small words. They hold words of
// the text; only a keyed hash of them may be kept.
func Fingerprints(title, body string) []string {
	out := []string{"title " + wordSet(title)}
	if body != "" { // a statement may be all there is: nothing is the body of many
		out = append(out, "body "+wordSet(body))
	}
	return out
}

func wordSet(text string) string {
	words := bag{}
	words.add(text, 1)
	return strings.Join(slices.Sorted(maps.Keys(words)), " ")
}
