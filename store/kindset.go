package store

import (
	"context"
	"sync"
)

// kindSet holds a bit for each document: whether it is of one kind. Documents never change their kind and ids are never
// reused, so the set only has to be extended with newer ones.
type kindSet struct {
	query string // lists the documents of the kind above an id

	mu   sync.Mutex
	bits []uint64
	upto int64
}

// newKindSets returns a set for each kind that few documents are of, or whose ids an index lists.
func newKindSets() map[Kind]*kindSet {
	return map[Kind]*kindSet{
		KindPrompt: {query: `SELECT group_concat(id) FROM docs INDEXED BY docs_prompt_ids
			WHERE kind = 'prompt' AND id > ?`},
		KindSummary: {query: `SELECT group_concat(doc_id) FROM summaries WHERE doc_id > ?`},
		KindMemory:  {query: `SELECT group_concat(doc_id) FROM memories WHERE doc_id > ?`},
		KindCommit:  {query: `SELECT group_concat(doc_id) FROM commits WHERE doc_id > ?`},
	}
}

// among reports for each document whether it is of the kind.
func (k *kindSet) among(ctx context.Context, ix *index, docs []found) ([]bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.catchUp(ctx, ix); err != nil {
		return nil, err
	}
	out := make([]bool, len(docs))
	for i, f := range docs {
		out[i] = k.has(f.id)
	}
	return out, nil
}

// pick returns the postings of documents that are of the kind.
func (k *kindSet) pick(ctx context.Context, ix *index, all [][]postings) ([][]postings, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.catchUp(ctx, ix); err != nil {
		return nil, err
	}
	out := make([][]postings, len(all))
	for i, lists := range all {
		for _, l := range lists {
			var rows []int64 // searches share the others
			for _, row := range l.rows {
				if k.has(docID(row)) {
					rows = append(rows, row)
				}
			}
			out[i] = append(out[i], postings{rows, l.idf, l.term})
		}
	}
	return out, nil
}

func (k *kindSet) has(id int64) bool {
	at := id >> 6
	return at < int64(len(k.bits)) && k.bits[at]>>(id&63)&1 != 0
}

func (k *kindSet) catchUp(ctx context.Context, ix *index) error {
	var list *string
	if err := ix.get(ctx, &list, k.query, k.upto); err != nil || list == nil {
		return err
	}
	ids, err := parseIDs(*list)
	if err != nil {
		return err
	}
	for _, id := range ids {
		for int64(len(k.bits)) <= id>>6 {
			k.bits = append(k.bits, 0)
		}
		k.bits[id>>6] |= 1 << (id & 63)
		k.upto = max(k.upto, id)
	}
	return nil
}
