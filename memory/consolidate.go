package memory

import (
	"slices"
	"strings"
	"time"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

// Limits on what can be consolidated.
const (
	maxMembers = 12  // more are a subject, not a memory
	minKnown   = 0.7 // share of a sentence's words that the members must contain
	minCovered = 0.5 // share of each member's title words that the new text must contain
)

// Results of checking a text against a cluster.
const (
	Invented  Reason = "invented"   // it says something that no member says
	LeavesOut Reason = "leaves_out" // it says nothing about a member
	Clustered Reason = "cluster"    // it may replace the cluster
)

// Cluster is a group of memories that one richer memory could replace.
type Cluster struct {
	Members []Memory
	Topic   string
}

// Clusters returns what may be consolidated: for each proposal of a plan, the members of one primitive, if there are
// enough. Pinned memories are left out. So is a cluster whose members contradict each other: a person must say which is
// right.
func Clusters(l Listing, p Plan) []Cluster {
	var out []Cluster
	for _, prop := range p.Consolidate {
		for _, primitive := range []Primitive{Decision, Learning} {
			c := Cluster{Topic: prop.Topic}
			for _, m := range l.Active {
				if m.Primitive == primitive && !m.Pinned && m.Key == "" && slices.Contains(prop.Members, m.ID) {
					c.Members = append(c.Members, m)
				}
			}
			if len(c.Members) >= minMembers && len(c.Members) <= maxMembers && !c.disagrees() {
				out = append(out, c)
			}
		}
	}
	return out
}

// disagrees reports whether two members contradict each other.
func (c Cluster) disagrees() bool {
	for i, a := range c.Members {
		if slices.ContainsFunc(c.Members[:i], func(b Memory) bool { return Contradict(a, b) }) {
			return true
		}
	}
	return false
}

// Key identifies a cluster. It changes when a member is changed.
func (c Cluster) Key() string {
	var all strings.Builder
	for _, m := range c.Members {
		all.WriteString(m.ID + " " + m.Hash + "\n")
	}
	return hashOf([]byte(all.String()))
}

// Check reports whether a text may replace the members, whoever worded it: it must pass the checks for every memory,
// say nothing that no member says, and say something from each member.
func (c Cluster) Check(title, body privacy.Clean) (Reason, bool) {
	m := c.memory(title, body)
	if why, ok := Check(Candidate{Primitive: m.Primitive, Kind: m.Kind, Title: title, Body: body, Confidence: 1,
		Told: true}); !ok {
		return why, false
	}
	known, now := bag{}, bag{}
	for _, old := range c.Members {
		for _, text := range append([]string{old.Title, old.Body}, old.Tags...) {
			known.add(text, 1)
		}
		if contradictsClause(m, old) {
			return Contradicts, false
		}
	}
	for _, piece := range append(pieces(m.Body), m.Title) {
		if !isKnown(known, piece) {
			return Invented, false
		}
		now.add(piece, 1)
	}
	for _, old := range c.Members {
		subject := bag{}
		subject.add(old.Title, 1)
		if without(subject, now).total() > (1-minCovered)*subject.total() {
			return LeavesOut, false
		}
	}
	return Clustered, true
}

// contradictsClause reports, clause by clause, whether a text denies what a member states, or the other way round.
func contradictsClause(m, old Memory) bool {
	then := clauses(old)
	for _, a := range clauses(m) {
		if slices.ContainsFunc(then, func(b *claim) bool { return a.deniesOrOpposes(b) || b.deniesOrOpposes(a) }) {
			return true
		}
	}
	return false
}

// clauses returns what each clause of a memory claims.
func clauses(m Memory) (out []*claim) {
	for _, piece := range append(pieces(m.Body), m.Title) {
		for _, part := range clauseEnd.Get().Split(piece, -1) {
			out = append(out, claimOf(Memory{Title: part}).read())
		}
	}
	return out
}

var clauseEnd = lazyregexp.New(`[,;:]\s|\s(?:and|but|because|since|so|or)\s`)

// isKnown reports whether a sentence consists of known words: all its names and numbers, and most of the others.
func isKnown(known bag, piece string) bool {
	total, found, strange := 0.0, 0.0, false
	terms(piece, func(t term) {
		_, ok := known[t.text]
		strange = strange || !ok && (t.kind == number || t.kind == ident)
		total += t.kind.weight()
		if ok {
			found += t.kind.weight()
		}
	})
	return !strange && found >= minKnown*total
}

// memory builds the memory that replaces the members: the words are given, everything else comes from them.
func (c Cluster) memory(title, body privacy.Clean) Memory {
	first := c.Members[0]
	m := Memory{Primitive: first.Primitive, Kind: first.Kind, Outcome: first.Outcome.stated(), Title: line(title),
		Body: strings.TrimSpace(body.String())}
	var times []Interval
	for _, old := range c.Members {
		m.Confidence = max(m.Confidence, old.Confidence)
		times = append(times, old.Times()...)
		if old.Kind != m.Kind {
			m.Kind = Insight
		}
		if old.Outcome != m.Outcome {
			m.Outcome = ""
		}
		for _, tag := range old.Tags {
			m.Tags = appendNew(m.Tags, tag)
		}
		for _, o := range old.Sources {
			if !slices.Contains(m.Sources, o) {
				m.Sources = append(m.Sources, o)
			}
		}
		m.takeLinks(old)
	}
	m.Links = slices.DeleteFunc(m.Links, func(l Link) bool {
		return slices.ContainsFunc(c.Members, func(old Memory) bool { return old.ID == l.To })
	})
	m.setTimes(times)
	return m
}

// Consolidate writes one memory in place of a cluster, and archives the members with a link to it. A text that fails
// [Cluster.Check] returns [ErrInvalid].
func (t *Tree) Consolidate(c Cluster, title, body privacy.Clean, by Stamp) (out Memory, err error) {
	if why, ok := c.Check(title, body); !ok {
		return Memory{}, &refusedText{why}
	}
	err = t.locked(func() error {
		for _, m := range c.Members { // all or none: check before the first one is written
			if _, _, err := t.current(m); err != nil {
				return err
			}
		}
		out, err = t.supersede(c.memory(title, body), by, c.Members, time.Time{}) // it takes over their times
		return err
	})
	return out, err
}

// refusedText says why a text may not replace a cluster.
type refusedText struct{ why Reason }

func (e *refusedText) Error() string { return "not a memory for all of them: " + string(e.why) }

func (e *refusedText) Is(target error) bool { return target == ErrInvalid }
