package store

import (
	"cmp"
	"slices"
)

// postings are the index rows in one range that contain a term, newest first.
type postings struct {
	rows []int64
	idf  float64
	term uint64 // its bit in found.terms
}

// best merges the postings of all ranges and returns the n documents with the highest total term weight, best first.
// Ties go to the newest.
func best(all [][]postings, n int) []found {
	most := 0
	for _, lists := range all {
		for _, l := range lists {
			most += len(l.rows)
		}
	}
	w := leaders{n: n, docs: make([]found, 0, min(most, 2*min(n, keepWindow)))}
	for _, lists := range all {
		w.merge(lists)
	}
	w.cut()
	return w.docs
}

// leaders keeps the best n documents added so far, and fewer than n others.
type leaders struct {
	n    int
	docs []found
	last *found // the worst of the best n, once there are n
}

// merge adds the documents of one range, each row once with all its terms.
func (w *leaders) merge(lists []postings) {
	heads := make([]int64, len(lists)) // -1 when a list is exhausted
	for i := range lists {
		heads[i] = lists[i].next()
	}
	for len(lists) > 0 {
		row := slices.Max(heads)
		if row < 0 {
			return
		}
		f := found{id: docID(row)}
		for i, head := range heads {
			if head == row {
				f.sum += lists[i].idf
				f.terms |= lists[i].term
				heads[i] = lists[i].next()
			}
		}
		w.add(f)
	}
}

// next removes the first row and returns it, or -1 if there is none.
func (p *postings) next() int64 {
	if len(p.rows) == 0 {
		return -1
	}
	row := p.rows[0]
	p.rows = p.rows[1:]
	return row
}

func (w *leaders) add(f found) {
	if w.last != nil && f.compare(*w.last) > 0 {
		return
	}
	if w.docs = append(w.docs, f); w.n <= len(w.docs)/2 {
		w.cut()
	}
}

func (w *leaders) cut() {
	slices.SortFunc(w.docs, found.compare)
	if len(w.docs) >= w.n {
		w.docs = w.docs[:w.n]
		last := w.docs[w.n-1]
		w.last = &last
	}
}

// compare orders by sum, highest first, then by id, newest first.
func (f found) compare(g found) int {
	switch {
	case f.sum > g.sum:
		return -1
	case f.sum < g.sum:
		return 1
	}
	return cmp.Compare(g.id, f.id)
}

// within returns the first rows, newest first, that are in a range.
func within(rows []int64, r [2]int64, limit int) []int64 {
	low, _ := slices.BinarySearchFunc(rows, r[1], newer)
	high, ok := slices.BinarySearchFunc(rows, r[0], newer)
	if ok {
		high++
	}
	return rows[low:min(high, low+limit)]
}
