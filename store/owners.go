package store

import (
	"context"
	"strconv"
	"strings"
	"sync"
)

// owner is what a document belongs to. Neither ever changes.
type owner struct {
	session uint32 // its row; 0 = none
	class   ownerClass
}

// ownerClass is how much a document's words say about what a session is about.
type ownerClass uint8

const (
	ownedNone  ownerClass = iota // no document of that number
	ownedTalk                    // said by somebody
	ownedWork                    // what a tool was given and gave back, and a summary, which repeats that
	ownedAlone                   // a memory, a commit: it stands for itself
)

// ownerSet knows what each document belongs to. Numbers are never used again, so
// it only has to be told of newer ones.
type ownerSet struct {
	mu   sync.Mutex
	of   []owner // by id
	upto int64
}

// ownersQuery is answered from an index alone. A row for each document takes
// three times as long as one text.
const ownersQuery = `SELECT group_concat(id || ' ' || session_id || ' ' || CASE
	WHEN kind IN ('prompt', 'note') THEN 1 WHEN kind IN ('observation', 'summary') THEN 2
	WHEN kind = 'session' THEN 1 ELSE 3 END)
	FROM (SELECT id, session_id, kind FROM docs INDEXED BY docs_owners WHERE id > ? ORDER BY id LIMIT ?)`

// ownersBatch is how many are read at a time: whoever gives up meanwhile leaves
// those that were read to the next.
const ownersBatch = 20_000

// catchUp returns the owners of all documents, by id. The slice only grows: what a
// search holds of it stays as it is.
func (o *ownerSet) catchUp(ctx context.Context, ix *index) ([]owner, error) {
	for {
		of, done, err := o.next(ctx, ix)
		if done || err != nil {
			return of, err
		}
	}
}

// next reads one batch; others may read the next.
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

// add takes what the database listed, and says how many they are.
func (o *ownerSet) add(list string) (n int) {
	for row := range strings.SplitSeq(list, ",") {
		n++
		id, rest, _ := strings.Cut(row, " ")
		session, class, _ := strings.Cut(rest, " ")
		doc, err1 := strconv.ParseInt(id, 10, 64)
		s, err2 := strconv.ParseUint(session, 10, 32)
		c, err3 := strconv.ParseUint(class, 10, 8)
		if err1 != nil || err2 != nil || err3 != nil {
			continue // no number of ours
		}
		for int64(len(o.of)) <= doc {
			o.of = append(o.of, owner{})
		}
		o.of[doc] = owner{uint32(s), ownerClass(c)}
		o.upto = doc
	}
	return n
}

// LearnOwners reads what every document belongs to, which the first question after a
// start would otherwise wait for.
func (db *DB) LearnOwners(ctx context.Context) error {
	ix, err := db.openIndex(ctx)
	if err != nil {
		return translate(err)
	}
	defer ix.close(ctx)
	_, err = db.owners.catchUp(ctx, ix)
	return translate(err)
}
