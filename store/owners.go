package store

import (
	"context"
	"strconv"
	"strings"
	"sync"
)

// owner is the session a document belongs to and the class of the document. Neither ever changes.
type owner struct {
	session uint32 // row id; 0 = none
	class   ownerClass
}

// ownerClass is how much a document says about the subject of its session.
type ownerClass uint8

const (
	ownedNone  ownerClass = iota // no document with this id
	ownedTalk                    // a prompt or an answer
	ownedWork                    // input and output of a tool, or a summary, which repeats them
	ownedAlone                   // a memory or a commit: a subject of its own
)

// ownerSet holds the owner of each document. Ids are never reused, so it only has to be extended with newer ones.
type ownerSet struct {
	mu   sync.Mutex
	of   []owner // by id
	upto int64
}

// ownersQuery is answered from an index alone. Returning a row for each document takes three times as long as one
// string.
const ownersQuery = `SELECT group_concat(id || ' ' || session_id || ' ' || CASE
	WHEN kind IN ('prompt', 'note') THEN 1 WHEN kind IN ('observation', 'summary') THEN 2
	WHEN kind = 'session' THEN 1 ELSE 3 END)
	FROM (SELECT id, session_id, kind FROM docs INDEXED BY docs_owners WHERE id > ? ORDER BY id LIMIT ?)`

// ownersBatch is how many owners are read at a time. If a caller gives up, those already read stay for the next one.
const ownersBatch = 20_000

// catchUp returns the owners of all documents, by id. The slice only grows, so the part that a search holds does not
// change.
func (o *ownerSet) catchUp(ctx context.Context, ix *index) ([]owner, error) {
	for {
		of, done, err := o.next(ctx, ix)
		if done || err != nil {
			return of, err
		}
	}
}

// next reads one batch. Another caller may read the batch after it.
func (o *ownerSet) next(ctx context.Context, ix *index) (of []owner, done bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list *string
	if err := ix.get(ctx, &list, ownersQuery, o.upto, ownersBatch); err != nil || list == nil {
		return o.of, true, err
	}
	n := o.add(*list)
	return o.of, n < ownersBatch, nil
}

// add parses what the database returned, and returns how many owners it contains.
func (o *ownerSet) add(list string) (n int) {
	for row := range strings.SplitSeq(list, ",") {
		n++
		id, rest, _ := strings.Cut(row, " ")
		session, class, _ := strings.Cut(rest, " ")
		doc, err1 := strconv.ParseInt(id, 10, 64)
		s, err2 := strconv.ParseUint(session, 10, 32)
		c, err3 := strconv.ParseUint(class, 10, 8)
		if err1 != nil || err2 != nil || err3 != nil {
			continue // not an id of this store
		}
		for int64(len(o.of)) <= doc {
			o.of = append(o.of, owner{})
		}
		o.of[doc] = owner{uint32(s), ownerClass(c)}
		o.upto = doc
	}
	return n
}

// LearnOwners reads the owner of every document, so that the first question after a start need not wait for it.
func (db *DB) LearnOwners(ctx context.Context) error {
	ix, err := db.openIndex(ctx)
	if err != nil {
		return translate(err)
	}
	defer ix.close(ctx)
	_, err = db.owners.catchUp(ctx, ix)
	return translate(err)
}
