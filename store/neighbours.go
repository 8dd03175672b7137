package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
)

const nearBytes = 200 // of each prompt around one that are read with it

// talk is the order of the prompts in the sessions of some candidates.
type talk struct {
	place map[int64]place // by document
	text  map[int64]string
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
func (t *talk) around(id int64) string {
	var b strings.Builder
	for _, n := range []int{-2, -1, 1} {
		if other := t.neighbour(id, n); other != 0 {
			b.WriteString(t.text[other])
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// talkOf reads what stands around the prompts among the documents.
func (ix *index) talkOf(ctx context.Context, docs []candidate) (*talk, error) {
	t := &talk{map[int64]place{}, map[int64]string{}}
	sessions := map[int64]bool{}
	for i := range docs {
		if docs[i].Kind == KindPrompt {
			sessions[docs[i].Session] = true
			t.text[docs[i].ID] = head(docs[i].Text, nearBytes)
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
	query, args, err := sqlx.In(`SELECT session_id, group_concat(id) AS ids FROM
		(SELECT session_id, id FROM docs WHERE kind = 'prompt' AND session_id IN (?) ORDER BY session_id, at, id) GROUP BY session_id`, sessions)
	if err != nil {
		return err
	}
	var rows []struct {
		Session int64 `db:"session_id"`
		IDs     string
	}
	if err := ix.conn.SelectContext(ctx, &rows, query, args...); err != nil {
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

// missing reads the texts around the documents that are not candidates themselves.
func (ix *index) missing(ctx context.Context, t *talk, docs []candidate) error {
	want := map[int64]bool{}
	for i := range docs {
		for _, n := range []int{-2, -1, 1, 2} {
			other := t.neighbour(docs[i].ID, n)
			if _, ok := t.text[other]; other != 0 && !ok {
				want[other] = true
			}
		}
	}
	if len(want) == 0 {
		return nil
	}
	query, args, err := sqlx.In(`SELECT id, substr(coalesce(body, ''), 1, ?) AS text FROM docs WHERE id IN (?)`, nearBytes, keys(want))
	if err != nil {
		return err
	}
	var rows []struct {
		ID   int64
		Text string
	}
	if err := ix.conn.SelectContext(ctx, &rows, query, args...); err != nil {
		return err
	}
	for _, r := range rows {
		t.text[r.ID] = r.Text
	}
	return nil
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

func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

func keys[K comparable](set map[K]bool) []K {
	out := make([]K, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	return out
}
