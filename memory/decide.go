package memory

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"keepmum/sorting"
)

// Threshold is the similarity from which two memories count as saying the same.
const Threshold = 0.72

// Action is what is done with a candidate.
type Action string

// The actions.
const (
	Noop      Action = "noop"
	Add       Action = "add"
	Update    Action = "update"
	Supersede Action = "supersede"
	History   Action = "history" // it was valid before the current memory
	Instead   Action = "instead" // it replaces the memory on its branch only; elsewhere the memory still applies
	Reject    Action = "reject"
)

// Reasons for the action on a candidate that passed [Check].
const (
	Same        Reason = "same"        // the memory already says all of it
	Similar     Reason = "similar"     // it adds something
	Contradicts Reason = "contradicts" // same subject, different answer
	OtherValue  Reason = "other_value" // same key, different statement
	Outdated    Reason = "outdated"    // it was said before the current memory
	WasArchived Reason = "archived"    // an archived memory says it, and nothing newer supports it
	New         Reason = "new"
	Forgotten   Reason = "forgotten" // the user had it forgotten
)

// Verdict is the decision about one candidate.
type Verdict struct {
	Action Action  `json:"action"`
	Target string  `json:"target,omitempty"` // id of the memory concerned
	Score  float64 `json:"score"`
	Reason Reason  `json:"reason"`
}

// Judge decides about candidates by comparing them with the existing memories. It is for one goroutine.
type Judge struct {
	known     map[string]*entry
	forgotten func(fingerprint string) bool
}

// entry is a memory with what is needed to compare it.
type entry struct {
	Memory
	*claim
}

// NewJudge takes active and archived memories. forgotten reports whether a fingerprint (see [Fingerprints]) has a
// tombstone; nil = nothing was forgotten.
func NewJudge(existing []Memory, forgotten func(fingerprint string) bool) *Judge {
	j := &Judge{known: map[string]*entry{}, forgotten: forgotten}
	for _, m := range existing {
		j.Put(m)
	}
	return j
}

// Put adds or updates a memory that was written, changed or archived meanwhile.
func (j *Judge) Put(m Memory) { j.known[m.ID] = &entry{m, claimOf(m)} }

// Decide checks a candidate and says what to do with it.
func (j *Judge) Decide(c Candidate) Verdict {
	v := j.decide(c)
	return v.onBranch(c, j.known[v.Target])
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
	for _, rule := range []func(*entry, []match) (Verdict, bool){ // the first that applies decides
		alreadyArchived, alreadySaid, j.contradicted, similarActive, j.saidBySuccessor, similarArchived} {
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

// match is a memory compared with a candidate.
type match struct {
	*entry
	score  float64
	contra bool // it contradicts the candidate
}

// matches returns the memories related to a candidate, most similar first.
func (j *Judge) matches(now *entry) []match {
	var out []match
	for _, id := range slices.Sorted(maps.Keys(j.known)) {
		e := j.known[id]
		if otherKeys(now.Memory, e.Memory) {
			continue
		}
		if score := now.profile.similarity(e.profile); score >= related {
			contra := now.contradicts(e.claim)
			if !contra && score != 1 && now.separate(e.claim) {
				score = min(score, notSame)
			}
			out = append(out, match{e, score, contra})
		}
	}
	sorting.Stable(out, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return out
}

// otherKeys reports whether the keys of two memories say that they are about different things.
func otherKeys(a, b Memory) bool { return a.Key != "" && b.Key != "" && a.Key != b.Key }

// related is the similarity below which two texts have no subject in common.
const related = 0.4

func (m match) verdict(a Action, why Reason) (Verdict, bool) {
	return Verdict{Action: a, Target: m.ID, Score: m.score, Reason: why}, true
}

func (m match) similar() bool { return m.score >= Threshold && !m.contra }

// sharesSession reports whether two memories come from the same session.
func sharesSession(a, b Memory) bool {
	return slices.ContainsFunc(a.Sources, func(o Origin) bool {
		return slices.ContainsFunc(b.Sources, func(p Origin) bool { return o.Session == p.Session })
	})
}

// alreadyArchived: the same session said it, and it has been archived since. Reading the session again changes nothing.
func alreadyArchived(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		if m.Archived && m.similar() && m.answersFor(now) && sharesSession(now.Memory, m.Memory) {
			return m.verdict(Noop, WasArchived)
		}
	}
	return Verdict{}, false
}

// answersFor reports whether a memory that is archived answers for a candidate. What is stated only now, and not read
// in an older session, must be all there: it may be what is true instead.
func (e *entry) answersFor(now *entry) bool {
	if !now.ValidFrom.IsZero() {
		return true
	}
	for _, w := range without(bareTerms(now.read().text), bareTerms(e.Title+". "+e.Body)) {
		if w >= 1 {
			return false
		}
	}
	return true
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

// says reports whether e contains everything in m: every sentence, every tag, and every session as a source.
func (e *entry) says(m Memory) bool {
	return saysAll(e.profile.all, m.statement()) &&
		within(m.Tags, func(tag string) bool {
			return slices.ContainsFunc(e.Tags, func(t string) bool { return strings.EqualFold(t, tag) })
		}) &&
		within(m.Sources, func(o Origin) bool {
			return slices.ContainsFunc(e.Sources, func(p Origin) bool { return p.Session == o.Session })
		})
}

// within reports whether all elements of a list are there.
func within[T any](list []T, has func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !has(v) })
}

// contradicted: an active memory gives a different answer. The later one wins, in whatever order the sessions are read.
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

// similarActive: an active memory says nearly the same; it gets what is new.
func similarActive(_ *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		if !m.Archived && m.similar() {
			return m.verdict(Update, Similar)
		}
	}
	return Verdict{}, false
}

// saidBySuccessor: a memory that says it was merged into a richer one, which gets whatever is new.
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

// similarArchived: an archived memory comes back when a later session says the same again, unless another memory has
// replaced it.
func similarArchived(now *entry, matches []match) (Verdict, bool) {
	for _, m := range matches {
		switch {
		case !m.Archived || !m.similar() || !m.answersFor(now):
		case now.ValidFrom.IsZero() || !now.ValidFrom.After(m.Updated):
			return m.verdict(Noop, WasArchived)
		case m.SupersededBy == "":
			return m.verdict(Update, Similar)
		}
	}
	return Verdict{}, false
}

// Fingerprints returns what a forgotten memory is recognised by: its title and its body without order, case, endings
// and small words. They contain words of the text, so only a keyed hash of them may be stored.
func Fingerprints(title, body string) []string {
	out := []string{"title " + wordSet(title)}
	if body != "" { // an empty body would match too many memories
		out = append(out, "body "+wordSet(body))
	}
	return out
}

// wordSet returns the terms of a text, each once and sorted.
func wordSet(text string) string {
	words := bag{}
	words.add(text, 1)
	return strings.Join(slices.Sorted(maps.Keys(words)), " ")
}
