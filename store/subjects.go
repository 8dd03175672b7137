package store

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"keepmum/sorting"
)

// Subjects asks which earlier sessions, memories and commits a text is about.
type Subjects struct {
	Text     string
	Projects []int64   // empty = none, unless All
	All      bool      // of all projects
	Without  int64     // a session to omit
	Limit    int       // for sessions, and for memories and commits separately; 0 = 8
	AsOf     time.Time // what was there at that time; zero = now
}

// About is what the past contains about a text.
type About struct {
	Subjects []Subject          // best first
	Weights  []float64          // weight of each term
	Stems    map[string]float64 // the same by stem
	All      float64            // sum of all weights,
	Known    float64            // and of those that occur in the past at all
	Rare     float64            // weight of a word in only one session
	Sessions int                // that the projects have
}

// Weight returns the sum of the weights of some terms.
func (a *About) Weight(terms uint64) (sum float64) {
	for ; terms != 0; terms &= terms - 1 {
		sum += a.Weights[bits.TrailingZeros64(terms)]
	}
	return sum
}

// Common returns the sum of the weights of the words that a text shares with the query.
func (a *About) Common(text string) (sum float64) {
	for _, w := range ContentWords(text) {
		sum += a.Stems[w]
	}
	return sum
}

// Subject is something earlier that a text is about: a session, scored by everything said and done in it, or a memory
// or a commit.
type Subject struct {
	Session int64 // row id; 0 = Doc is the subject
	Doc     int64
	Weight  float64          // sum of the weights of the query's words in it
	Words   int              // number of those words
	Depth   float64          // like Weight, but a word in only one document counts a third
	Terms   map[int64]uint64 // which terms each of its documents contains
}

const (
	workShare   = 0.6 // of a word's weight if only a tool's input or output contains it, which is often chance
	workOften   = 0.5 // how much such a document counts towards the number of documents with a word,
	halfOften   = 2.0 // a number that counts half of the maximum at this value
	identShare  = 0.5 // of a word's weight if it is only a part of a name
	taskShare   = 0.4 // of the weight of a word that says what to do
	fewSessions = 200 // fewer are too few to tell a rare word from a common one
)

// Subjects finds what a text is about, best first. A word counts more the fewer sessions of the projects contain it; a
// word that none contains counts most.
func (db *DB) Subjects(ctx context.Context, q Subjects) (About, error) {
	if len(q.Projects) == 0 && !q.All {
		return About{}, nil
	}
	ix, err := db.openIndex(ctx)
	if err != nil {
		return About{}, translate(err)
	}
	defer ix.close(ctx)
	out, err := ix.subjects(ctx, q)
	if err != nil {
		return About{}, fmt.Errorf("find what a text is about: %w", translate(err))
	}
	return out, nil
}

func (ix *index) subjects(ctx context.Context, q Subjects) (About, error) {
	terms, err := ix.telling(ctx, contentTerms(q.Text))
	if err != nil {
		return About{}, err
	}
	sc := scope{projects: q.Projects}
	past, err := ix.readRetired(ctx, sc, q.AsOf, terms)
	if err != nil {
		return About{}, err
	}
	for i := range terms {
		terms[i].df += past.count(i)
		terms[i].idf = idf(ix.n, terms[i].df)
	}
	all, err := ix.candidates(ctx, sc, terms)
	lists := slices.Concat(all...)
	if err == nil && !q.AsOf.IsZero() {
		err = ix.until(ctx, lists, q.AsOf)
		lists = append(lists, past.lists(terms)...)
	}
	if err != nil || len(lists) == 0 {
		return About{}, err
	}
	owners, err := ix.db.owners.catchUp(ctx, ix)
	if err != nil {
		return About{}, err
	}
	var sessions int
	const count = `SELECT count(*) FROM sessions WHERE (?1 OR project_id IN (SELECT value FROM json_each(?2)))
		AND docs > 0`
	if err := ix.get(ctx, &sessions, count, q.All, jsonIDs(q.Projects)); err != nil {
		return About{}, err
	}
	w := newWeighing(terms, lists, owners, q.Without)
	w.weigh(float64(max(sessions, fewSessions)))
	out := w.about(cmp.Or(q.Limit, 8))
	out.Sessions = sessions
	return out, nil
}

// telling returns the terms that tell what a text is about, with their frequencies.
func (ix *index) telling(ctx context.Context, terms []term) ([]term, error) {
	for i := range terms {
		df, err := ix.frequency(ctx, terms[i])
		if err != nil {
			return nil, err
		}
		terms[i].df = df
	}
	return telling(terms), nil
}

// unit records which terms occur in the messages of a subject, and which anywhere in it.
type unit struct{ said, all uint64 }

// weighing finds the subjects with the most terms.
type weighing struct {
	terms  []term
	lists  []postings
	owners []owner
	units  []unit         // by session
	alone  map[int64]unit // by document, for memories and commits
	weight []float64      // by term
	sum    float64
	known  float64 // the part of sum that some subject contains
	n      float64 // number of sessions
}

func newWeighing(terms []term, lists []postings, owners []owner, without int64) *weighing {
	w := &weighing{terms: terms, lists: lists, owners: owners, alone: map[int64]unit{}}
	for _, l := range lists {
		for _, row := range l.rows {
			key, said := w.unitOf(docID(row))
			if key == 0 || key == without {
				continue
			}
			w.hold(key, l.term, said)
		}
	}
	return w
}

// hold records that a subject contains a term. Sessions are a slice because they are many and have small ids.
func (w *weighing) hold(key int64, term uint64, said bool) {
	if key < 0 {
		u := w.alone[key]
		w.alone[key] = unit{said: u.said | term, all: u.all | term}
		return
	}
	if n := int(key) + 1; n > len(w.units) {
		w.units = append(w.units, make([]unit, n-len(w.units))...)
	}
	u := &w.units[key]
	u.all |= term
	if said {
		u.said |= term
	}
}

// each calls do for every subject that contains a term.
func (w *weighing) each(do func(key int64, u unit)) {
	for key, u := range w.units {
		if u.all != 0 {
			do(int64(key), u)
		}
	}
	for key, u := range w.alone {
		do(key, u)
	}
}

// unitOf returns the subject of a document (0 = none), and whether the document is a message.
func (w *weighing) unitOf(doc int64) (key int64, said bool) {
	if doc >= int64(len(w.owners)) {
		return 0, false
	}
	switch o := w.owners[doc]; o.class {
	case ownedTalk:
		return int64(o.session), true
	case ownedWork:
		return int64(o.session), false
	case ownedAlone:
		return -doc, true
	default:
		return 0, false
	}
}

// weigh gives each term its weight. Terms that were not looked up, because nearly everything contains them, count
// nothing.
func (w *weighing) weigh(n float64) {
	w.n = n
	df := make([]float64, len(w.terms))
	w.each(func(_ int64, u unit) {
		for m := u.all; m != 0; m &= m - 1 {
			df[bits.TrailingZeros64(m)]++
		}
	})
	looked := make([]bool, len(w.terms))
	for _, l := range w.lists {
		looked[bits.TrailingZeros64(l.term)] = true
	}
	w.weight = make([]float64, len(w.terms))
	for i, t := range w.terms {
		if !looked[i] && t.df > 0 {
			continue
		}
		w.weight[i] = idf(max(n, df[i]), df[i])
		if t.ident {
			w.weight[i] *= identShare
		}
		if t.task {
			w.weight[i] *= taskShare
		}
		w.sum += w.weight[i]
		if df[i] > 0 {
			w.known += w.weight[i]
		}
	}
}

func (w *weighing) of(mask uint64) (sum float64) {
	for ; mask != 0; mask &= mask - 1 {
		sum += w.weight[bits.TrailingZeros64(mask)]
	}
	return sum
}

// best returns the best subjects with their documents.
func (w *weighing) best(limit int) []Subject {
	if w.sum == 0 {
		return nil
	}
	all := make([]Subject, 0, len(w.units)+len(w.alone))
	w.each(func(key int64, u unit) {
		s := Subject{Session: max(key, 0), Doc: max(-key, 0), Words: bits.OnesCount64(u.all)}
		s.Weight = w.of(u.said) + workShare*w.of(u.all&^u.said)
		all = append(all, s)
	})
	sorting.Stable(all, func(a, b Subject) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.Session, a.Session), cmp.Compare(b.Doc, a.Doc))
	})
	var chosen []Subject
	sessions, others := 0, 0 // a memory or a commit is short: it contains fewer terms than a session that is no nearer
	for _, s := range all {
		n := &others
		if s.Session != 0 {
			n = &sessions
		}
		if *n++; *n <= limit {
			chosen = append(chosen, s)
		}
	}
	w.fill(chosen)
	return chosen
}

// fill adds the documents of the chosen subjects.
func (w *weighing) fill(chosen []Subject) {
	place := make(map[int64]int, len(chosen))
	for i, s := range chosen {
		place[s.Session-s.Doc] = i // one of the two is 0
		chosen[i].Terms = map[int64]uint64{}
	}
	often := make([][maxTerms]float64, len(chosen))
	for _, l := range w.lists {
		at := bits.TrailingZeros64(l.term)
		for _, row := range l.rows {
			key, said := w.unitOf(docID(row))
			i, ok := place[key]
			if !ok || key == 0 {
				continue
			}
			chosen[i].Terms[docID(row)] |= l.term
			often[i][at] += workOften
			if said {
				often[i][at] += 1 - workOften
			}
		}
	}
	for i := range chosen {
		chosen[i].Depth = w.depth(often[i][:len(w.weight)])
	}
}

// depth sums the terms' weights by how many documents contain each.
func (w *weighing) depth(often []float64) (sum float64) {
	for i, n := range often {
		sum += w.weight[i] * n / (n + halfOften)
	}
	return sum
}

// about builds the answer.
func (w *weighing) about(limit int) About {
	out := About{Subjects: w.best(limit), Weights: w.weight, Stems: map[string]float64{}, All: w.sum, Known: w.known,
		Rare: idf(w.n, 1)}
	for i, t := range w.terms {
		if !t.ident {
			out.Stems[t.stem] = w.weight[i]
		}
	}
	return out
}
