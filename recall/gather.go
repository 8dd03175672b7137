package recall

import (
	"cmp"

	"keepmum/sorting"
	"keepmum/store"
)

// gathering collects the statements of subjects with their scores.
type gathering struct {
	about    *store.About
	model    *Model
	deepest  float64        // how much of the text is in the session that contains most of it
	asks     bool           // the text is a question
	all      bool           // include those that are not good enough to be told
	told     map[int64]bool // what the session was told before
	often    map[int64]bool // and what several other sessions were told
	out      []statement    // the result
	best     float64        // highest score so far of a statement that settles something
	stated   []candidate    // what users said,
	reported []candidate    // and what agents said at the end of a turn: if a user settled something, it seldom matters
}

// candidate is what somebody said, before it is judged how much it settles: that takes most of the time.
type candidate struct {
	moment
	s        store.Subject // the session
	reported bool          // the agent said it
	known    Features      // those that do not depend on how much it settles
	most     float64       // maximum of its score
}

// gather adds a document as a statement, and the turns of a session as candidates.
func (g *gathering) gather(s store.Subject, lines []store.Line) {
	if s.Session == 0 {
		st := alone(g.model, g.about, s, lines[0])
		st.share = st.weight / max(g.about.All, 1)
		g.out = append(g.out, st)
		return
	}
	all := momentsOf(lines, s.Terms)
	ends := min(float64(len(all)-1)/2, 1)
	for _, m := range all {
		g.stated = append(g.stated, g.candidate(m, s, false, ends))
		if m.after != nil {
			g.reported = append(g.reported, g.candidate(m, s, true, ends))
		}
	}
}

// candidate makes a candidate of a turn. How much it counts that the turn is the first or the last one depends on how
// many there are: a single turn is neither, and of two each counts half.
func (g *gathering) candidate(m moment, s store.Subject, reported bool, ends float64) candidate {
	c := candidate{moment: m, s: s, reported: reported, known: g.place(m, s)}
	surest := statement{settles: maxSettledScore + maxMore} // what it could be at most
	if !reported {
		c.known[featureFirst] = ends * is(m.first) // often a request
		c.known[featureLast] = ends * is(m.last)   // often thanks
		surest.said, surest.reverses = m.user.Text, true
	}
	f := c.known
	surest.setSettling(&f)
	c.most = f.Sum(&g.model.Order)
	if !reported {
		c.most += max(g.model.Order[featureAnswering], 0)
	}
	return c
}

// addAll adds the candidates, the most promising first. The others remain unjudged if they could not be told next to
// the best one.
func (g *gathering) addAll(all []candidate) {
	sorting.Stable(all, func(a, b candidate) int { return cmp.Compare(b.most, a.most) })
	for _, c := range all {
		var st statement
		switch judged := g.all || c.most >= g.best-maxBehind; {
		case c.reported && judged:
			st = answered(c.moment)
		case c.reported:
			continue
		case judged:
			st = stated(c.moment)
		}
		g.add(st, c)
	}
}

// add scores a statement. How surely it settles something counts more than how much of the prompt its session
// contains: the text most similar to a complaint is an older complaint.
func (g *gathering) add(st statement, c candidate) {
	if c.before != nil {
		st.before = c.before.Text
	}
	st.session, st.weight, st.withdrawn = c.s.Session, c.s.Weight, c.withdrawn
	st.share = st.weight / max(g.about.All, 1)
	st.features = c.known
	st.setSettling(&st.features)
	st.score = st.features.Sum(&g.model.Order)
	st.sure = true
	if st.settles > 0 {
		g.best = max(g.best, st.score)
	}
	st.turn = c.said | c.closed
	switch {
	case c.reported:
		st.holds = c.closed
	case st.asked != "":
		st.holds = c.said | c.asked
	default:
		st.holds = c.said
	}
	g.out = append(g.out, st)
}
