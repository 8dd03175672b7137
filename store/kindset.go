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

func promptSet() *kindSet {
	return &kindSet{query: `SELECT group_concat(id) FROM docs INDEXED BY docs_prompt_ids WHERE kind = 'prompt' AND id > ?`}
}

func summarySet() *kindSet {
	return &kindSet{query: `SELECT group_concat(doc_id) FROM summaries WHERE doc_id > ?`}
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
		at := f.id >> 6
		out[i] = at < int64(len(k.bits)) && k.bits[at]>>(f.id&63)&1 != 0
	}
	return out, nil
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
