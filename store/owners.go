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

// ownerClass is how much a document's words say of what a session is about.
type ownerClass uint8

const (
	ownedNone  ownerClass = iota // no document of that number
	ownedTalk                    // said by somebody, or a summary of it
	ownedWork                    // what a tool was given and gave back
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
	WHEN kind IN ('prompt', 'summary') THEN 1 WHEN kind = 'observation' THEN 2 WHEN kind = 'session' THEN 1 ELSE 3 END)
	FROM (SELECT id, session_id, kind FROM docs INDEXED BY docs_owners WHERE id > ? ORDER BY id)`

// catchUp returns the owners of all documents, by id. The slice only grows: what a
// search holds of it stays as it is.
func (o *ownerSet) catchUp(ctx context.Context, ix *index) ([]owner, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list *string
	if err := ix.get(ctx, &list, ownersQuery, o.upto); err != nil || list == nil {
		return o.of, err
	}
	for row := range strings.SplitSeq(*list, ",") {
		id, rest, _ := strings.Cut(row, " ")
		session, class, _ := strings.Cut(rest, " ")
		n, err1 := strconv.ParseInt(id, 10, 64)
		s, err2 := strconv.ParseUint(session, 10, 32)
		c, err3 := strconv.ParseUint(class, 10, 8)
		if err1 != nil || err2 != nil || err3 != nil {
			continue // no number of ours
		}
		for int64(len(o.of)) <= n {
			o.of = append(o.of, owner{})
		}
		o.of[n] = owner{uint32(s), ownerClass(c)}
		o.upto = n
	}
	return o.of, nil
}
