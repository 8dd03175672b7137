package team

import (
	"context"
	"encoding/hex"
	"time"

	"keepmum/store"
)

// Match is an item of the team that contains words of a query, as received: it has passed no gate here.
type Match struct {
	Project, Kind, Author, Machine string
	ID                             string
	At                             time.Time
	Content                        Raw
}

// searchMany is how many items are read: first those with every word of a query, then those with any.
const searchMany = 300

// Search asks the shared place for items with the words of a query, in all projects of the team or in one. It compares
// keyed hashes of stems, so the database sees no words.
func (s *Syncer) Search(ctx context.Context, query, project string) ([]Match, error) {
	stems := store.ContentWords(query)
	if len(stems) == 0 {
		return nil, fault("mum search --team WORDS", "the query has no word that says what it is about")
	}
	muted, err := s.o.DB.MutedAuthors(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, m := range muted {
		seen["author "+m] = true
	}
	var out []Match
	err = s.reading(ctx, func(r *remote) error {
		for _, every := range []bool{true, false} {
			found, err := r.search(ctx, project, terms(r.key, stems), every)
			if err != nil {
				return err
			}
			for _, m := range found {
				if !seen["author "+m.Author] && !seen[m.ID] {
					seen[m.ID] = true
					out = append(out, m)
				}
			}
			if len(found) >= searchMany || len(stems) == 1 {
				return nil
			}
		}
		return nil
	})
	return out, err
}

func (r *remote) search(ctx context.Context, project string, words []int64, every bool) ([]Match, error) {
	rows, err := r.c.query(ctx, `SELECT project_key, item_id, kind, author, machine, hlc, encode(body, 'hex'), encode(key, 'hex')
		FROM mum.search($1, $2, ARRAY(SELECT json_array_elements_text($3::json)::bigint), $4, $5)`, r.team, project, words,
		every, searchMany)
	var out []Match
	for _, row := range rows {
		body, err1 := hex.DecodeString(row[6])
		key, err2 := hex.DecodeString(row[7])
		if err1 != nil || err2 != nil { // PostgreSQL's own encoding
			continue
		}
		content, err := contentOf(received{id: parseID(row[1]), body: body, key: key})
		if err != nil || content.State != "active" || !isName(row[3]) {
			continue // made by hand, or out of use
		}
		out = append(out, Match{row[0], row[2], row[3], row[4], row[1], StampTime(row.int(5)), content})
	}
	return out, err
}
