package store

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
)

// The versions of FTS5's files that this package can read: 4, and 5, which is 4 with deletions that leave no trace.
const formatQuery = `SELECT count(*) FROM docs_fts_config WHERE k = 'version' AND v NOT IN (4, 5)`

type getter interface {
	GetContext(ctx context.Context, dest any, query string, args ...any) error
}

// checkFormat leaves the pages to FTS5 if their version is unknown.
func (db *DB) checkFormat(ctx context.Context, conn getter) error {
	var other int
	if err := conn.GetContext(ctx, &other, formatQuery); err != nil || other > 0 {
		db.pagesOff.Store(true)
		return err
	}
	return nil
}

// VerifyPages compares what this package reads from the pages with what FTS5 returns, for the words of some documents.
// If they differ, only FTS5 is used from then on.
func (db *DB) VerifyPages(ctx context.Context) error {
	if db.pagesOff.Load() {
		return nil
	}
	ix, err := db.openIndex(ctx)
	if err != nil {
		return translate(err)
	}
	defer ix.close(ctx)
	const sample = `SELECT coalesce(title, '') || ' ' || coalesce(substr(body, 1, 500), substr(output, 1, 500), '')
		FROM docs
		WHERE id IN (SELECT abs(random()) % (SELECT max(id) + 1 FROM docs) FROM json_each('[1,2,3,4,5,6,7,8]'))`
	var texts []string
	if err := ix.list(ctx, &texts, sample); err != nil {
		return translate(err)
	}
	terms := parseWords(strings.Join(texts, " "))
	for _, t := range terms[:min(len(terms), maxTerms)] {
		if same, err := ix.samePages(ctx, t); err != nil || !same {
			db.pagesOff.Store(true)
			return errors.Join(translate(err), errPages)
		}
	}
	return nil
}

var errPages = errors.New("the pages of the index differ from what FTS5 returns: only FTS5 is used from now on")

// samePages looks a word up in both ways and reports whether the results agree.
func (ix *index) samePages(ctx context.Context, t term) (bool, error) {
	const enough = 1_000
	all := [2]int64{0, math.MaxInt64}
	mine, ok, err := ix.rows(ctx, t, all, enough)
	if err != nil || !ok {
		return err == nil, err
	}
	var list *string
	if err := ix.get(ctx, &list, postingsQuery, match(t), all[0], all[1], enough); err != nil {
		return false, err
	}
	var theirs []int64
	if list != nil {
		if theirs, err = parseIDs(*list); err != nil {
			return false, err
		}
	}
	return slices.Equal(mine, theirs), nil
}
