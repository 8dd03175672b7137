package store

import (
	"context"
	"strconv"
	"strings"
)

// nearBytes are read of each prompt around one with it.
const nearBytes = 200

// talk is the order of the prompts in the sessions of some candidates.
type talk struct {
	place map[int64]place // by document
	docs  map[int64]*candidate
}

type place struct {
	session int64
	order   []int64 // the prompts of the session
	at      int
}

// neighbour returns the prompt that is n places away, 0 when there is none.
func (t *talk) neighbour(id int64, n int) int64 {
	p, ok := t.place[id]
	if !ok || p.at+n < 0 || p.at+n >= len(p.order) {
		return 0
	}
	return p.order[p.at+n]
}

// around is the beginning of what was said before and after a prompt.
func (t *talk) around(id int64) [][]lexeme {
	var out [][]lexeme
	for _, n := range []int{-2, -1, 1} {
		if other := t.docs[t.neighbour(id, n)]; other != nil {
			out = append(out, other.body[:other.near])
		}
	}
	return out
}

// talkOf reads what stands around the prompts among the documents.
func (ix *index) talkOf(ctx context.Context, docs []*candidate) (*talk, error) {
	t := &talk{map[int64]place{}, map[int64]*candidate{}}
	sessions := map[int64]bool{}
	for _, d := range docs {
		if d.Kind == KindPrompt {
			sessions[d.Session] = true
			t.docs[d.ID] = d
		}
	}
	if len(sessions) == 0 {
		return t, nil
	}
	if err := ix.order(ctx, t, keys(sessions)); err != nil {
		return nil, err
	}
	return t, ix.missing(ctx, t, docs)
}

// order reads the order of the prompts of the sessions, over an index that has
// nothing else.
func (ix *index) order(ctx context.Context, t *talk, sessions []int64) error {
	const query = `SELECT session_id, group_concat(id) AS ids FROM
		(SELECT session_id, id FROM docs WHERE kind = 'prompt' AND session_id IN (SELECT value FROM json_each(?)) ORDER BY session_id, at, id) GROUP BY session_id`
	var rows []struct {
		Session int64 `db:"session_id"`
		IDs     string
	}
	if err := ix.list(ctx, &rows, query, jsonIDs(sessions)); err != nil {
		return err
	}
	for _, r := range rows {
		order, err := parseIDs(r.IDs)
		if err != nil {
			return err
		}
		for i, id := range order {
			t.place[id] = place{r.Session, order, i}
		}
	}
	return nil
}

// missing reads the prompts around the documents that are not candidates themselves.
func (ix *index) missing(ctx context.Context, t *talk, docs []*candidate) error {
	want := map[int64]bool{}
	for _, d := range docs {
		for _, n := range []int{-2, -1, 1} {
			if other := t.neighbour(d.ID, n); other != 0 && t.docs[other] == nil {
				want[other] = true
			}
		}
	}
	others, err := ix.read(ctx, keys(want))
	for _, d := range others {
		t.docs[d.ID] = d
	}
	return err
}

func parseIDs(list string) ([]int64, error) {
	ids := make([]int64, 0, strings.Count(list, ",")+1)
	for part := range strings.SplitSeq(list, ",") {
		id, err := strconv.ParseInt(part, 10, 64)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func keys[K comparable](set map[K]bool) []K {
	out := make([]K, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	return out
}
