package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// nearBytes is how much of a neighbouring prompt is scored with a prompt.
const nearBytes = 200

// talk holds the prompts around those among some candidates.
type talk struct {
	docs []*candidate  // the candidates, then neighbouring prompts that are not candidates
	near []nearPrompts // per candidate
}

// nearPrompts holds the positions of the two prompts before a prompt and the two after it, in order; -1 = none.
type nearPrompts [4]int

// around returns the beginnings of the two prompts before a prompt and of the one after it.
func (t *talk) around(i int) [][]lexeme {
	var out [][]lexeme
	for _, at := range t.near[i][:3] {
		if at >= 0 {
			out = append(out, t.docs[at].body[:t.docs[at].near])
		}
	}
	return out
}

// talkOf reads the prompts around those among the documents.
func (ix *index) talkOf(ctx context.Context, docs []*candidate) (*talk, error) {
	t := &talk{slices.Clone(docs), make([]nearPrompts, len(docs))}
	place := map[int64]int{}
	var sessions []int64
	for i, d := range docs {
		t.near[i] = nearPrompts{-1, -1, -1, -1}
		if d.Kind == KindPrompt {
			place[d.ID] = i
			sessions = append(sessions, d.Session)
		}
	}
	if len(sessions) == 0 {
		return t, nil
	}
	slices.Sort(sessions)
	orders, err := ix.orders(ctx, slices.Compact(sessions))
	if err != nil {
		return nil, err
	}
	ids := t.neighbours(orders)
	others, err := ix.read(ctx, unplaced(ids, place))
	if err != nil {
		return nil, err
	}
	for _, d := range others {
		place[d.ID] = len(t.docs)
		t.docs = append(t.docs, d)
	}
	for i := range ids {
		for n, id := range ids[i] {
			if at, ok := place[id]; ok {
				t.near[i][n] = at
			}
		}
	}
	return t, nil
}

// unplaced returns the neighbours that must be read and have no position yet, and sets their position to -1.
func unplaced(ids [][4]int64, place map[int64]int) (missing []int64) {
	for i := range ids {
		for _, id := range ids[i][:3] {
			if _, ok := place[id]; !ok && id != 0 {
				place[id] = -1
				missing = append(missing, id)
			}
		}
	}
	return missing
}

// neighbours returns the ids of the prompts around each document, 0 where there is none.
func (t *talk) neighbours(orders map[int64][]int64) [][4]int64 {
	out := make([][4]int64, len(t.docs))
	for i, d := range t.docs {
		order := orders[d.Session]
		at := slices.Index(order, d.ID)
		if d.Kind != KindPrompt || at < 0 {
			continue
		}
		for n, by := range []int{-2, -1, 1, 2} {
			if at+by >= 0 && at+by < len(order) {
				out[i][n] = order[at+by]
			}
		}
	}
	return out
}

// orders returns the prompts of some sessions in order, from a covering index.
func (ix *index) orders(ctx context.Context, sessions []int64) (map[int64][]int64, error) {
	const query = `SELECT session_id, group_concat(id) AS ids FROM
		(SELECT session_id, id FROM docs WHERE kind = 'prompt' AND session_id IN (SELECT value FROM json_each(?))
		ORDER BY session_id, at, id) GROUP BY session_id`
	out, missing := ix.db.orders.get(sessions)
	if len(missing) == 0 {
		return out, nil
	}
	var rows []struct {
		Session int64 `db:"session_id"`
		IDs     string
	}
	if err := ix.list(ctx, &rows, query, jsonIDs(missing)); err != nil {
		return nil, err
	}
	for _, r := range rows {
		order, err := parseIDs(r.IDs)
		if err != nil {
			return nil, err
		}
		out[r.Session] = order
		ix.db.orders.put(ix.orderEpoch, r.Session, order)
	}
	return out, nil
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
