package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// The index is in tables of its own: pages of terms, each with the rows that contain it. Reading the rows through SQL
// takes far longer than reading the pages. Their format is that of FTS5's files, which is stable; anything in another
// format is left to FTS5 itself.
const (
	structureID  = 10 // id of the page that lists the segments
	segmentShift = 37 // position of the segment in a page id
	fewPages     = 4  // up to this many pages are read directly; in more, a binary search finds the right one
)

// segment is a part of the index, sorted by term.
type segment struct{ id, first, last int64 }

// start is where the rows of a term begin in a segment.
type start struct {
	segment
	page int64
	list []byte
	more bool // the next pages may have more
}

// rows returns the newest rows in a range that contain a term, newest first. It returns false if only FTS5 can answer.
func (ix *index) rows(ctx context.Context, t term, r [2]int64, limit int) ([]int64, bool, error) {
	word, ok := indexed(t.word)
	if !ok {
		return nil, false, nil
	}
	starts, ok, err := ix.starts(ctx, word)
	if err != nil || !ok {
		return nil, false, err
	}
	var all []int64
	for _, st := range starts {
		if all, ok, err = ix.rowsFrom(ctx, all, st, word, r, len(all)+limit); err != nil || !ok {
			return nil, false, err
		}
	}
	if !newestFirst(all) { // a changed row is in a newer segment than the rows after it
		slices.SortFunc(all, newer)
		all = slices.Compact(all)
	}
	return all[:min(limit, len(all))], true, nil
}

func newestFirst(rows []int64) bool {
	for i := 1; i < len(rows); i++ {
		if rows[i-1] <= rows[i] {
			return false
		}
	}
	return true
}

func newer(row, than int64) int { return cmp.Compare(than, row) }

// indexed returns the form of a word in the index. It returns false for words that only FTS5's own tokenizer can read.
func indexed(w string) (string, bool) {
	if w == "" || len(w) > 64 {
		return "", false
	}
	letters := 0
	for i := 0; i < len(w); i++ {
		switch class(w[i]) {
		case lower:
			letters++
		case digit:
		default:
			return "", false
		}
	}
	if letters < len(w) && class(w[len(w)-1]) != digit { // a word that ends in a digit has no stem
		return "", false
	}
	return "0" + stem(w), true
}

const startsQuery = `SELECT d.id, d.block FROM json_each(?1) s CROSS JOIN docs_fts_data d
	WHERE d.id = (s.key << 37) + max(s.value, coalesce((SELECT pgno >> 1 FROM docs_fts_idx WHERE segid = s.key + 0
	AND term <= CAST(?2 AS BLOB)
	ORDER BY term DESC LIMIT 1), 0))`

// starts finds a word in each segment, newest segment first.
func (ix *index) starts(ctx context.Context, word string) ([]start, bool, error) {
	if ok, err := ix.readSegments(ctx); err != nil || !ok {
		return nil, false, err
	}
	rows, err := ix.query(ctx, startsQuery, ix.firsts, word)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	var out []start
	for rows.Next() {
		var id int64
		var block sql.RawBytes
		if err := rows.Scan(&id, &block); err != nil {
			return nil, false, err
		}
		i := slices.IndexFunc(ix.segments, func(s segment) bool { return s.id == id>>segmentShift })
		st := start{segment: ix.segments[i], page: id & (1<<segmentShift - 1)}
		from, to, ok := find(block, word)
		if !ok {
			return nil, false, nil
		}
		if from > 0 && st.page <= st.last {
			st.list, st.more = slices.Clone(block[from:to]), to == sizeOf(block) && st.page < st.last
			out = append(out, st)
		}
	}
	return out, true, rows.Err()
}

// known returns which of many words with the same first letter are in the index. It returns false if only FTS5 can
// answer.
func (ix *index) known(ctx context.Context, letter string, words []string) ([]string, bool, error) {
	if ok, err := ix.readSegments(ctx); err != nil || !ok {
		return nil, false, err
	}
	seen := map[string]bool{}
	terms := make([]string, len(words))
	for i, w := range words {
		terms[i] = "0" + stem(w)
	}
	for _, s := range ix.segments {
		pages, err := ix.pagesWith(ctx, s, letter)
		if err != nil {
			return nil, false, err
		}
		on := map[int64][]string{}
		for _, term := range terms {
			i := sort.Search(len(pages), func(i int) bool { return pages[i].Term > term })
			if i > 0 && !seen[term] {
				on[pages[i-1].ID] = append(on[pages[i-1].ID], term)
			}
		}
		if ok, err := ix.see(ctx, on, seen); err != nil || !ok {
			return nil, false, err
		}
	}
	var found []string
	for i, w := range words {
		if seen[terms[i]] {
			found = append(found, w)
		}
	}
	return found, true, nil
}

// termPage is a page with a lower bound for the terms that begin on it.
type termPage struct {
	ID   int64
	Term string
}

// pagesWith returns, in order, the pages of a segment on which a word with that first letter may begin.
func (ix *index) pagesWith(ctx context.Context, s segment, letter string) ([]termPage, error) {
	const query = `SELECT (?1 << 37) + max(?2, coalesce((SELECT pgno >> 1 FROM docs_fts_idx WHERE segid = ?1
		AND term <= CAST(?3 AS BLOB) ORDER BY term DESC LIMIT 1), 0)) AS id,
		'' AS term UNION ALL SELECT (?1 << 37) + (pgno >> 1), CAST(term AS TEXT) FROM docs_fts_idx
		WHERE segid = ?1 AND term > CAST(?3 AS BLOB) AND term < CAST(?4 AS BLOB) AND pgno >> 1 >= ?2`
	var pages []termPage
	err := ix.list(ctx, &pages, query, s.id, s.first, "0"+letter, "0"+letter+"~")
	slices.SortFunc(pages, func(a, b termPage) int { return cmp.Compare(a.Term, b.Term) })
	return pages, err
}

// see records which of the terms that may begin on the given pages are there.
func (ix *index) see(ctx context.Context, on map[int64][]string, seen map[string]bool) (bool, error) {
	rows, err := ix.query(ctx, `SELECT id, block FROM docs_fts_data WHERE id IN (SELECT value FROM json_each(?))`,
		jsonIDs(slices.Collect(maps.Keys(on))))
	if err != nil {
		return false, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var block sql.RawBytes
		if err := rows.Scan(&id, &block); err != nil {
			return false, err
		}
		for _, term := range on[id] {
			from, _, ok := find(block, term)
			if !ok {
				return false, nil
			}
			seen[term] = seen[term] || from > 0
		}
	}
	return true, rows.Err()
}

// readSegments reads the list of segments, once per search.
func (ix *index) readSegments(ctx context.Context) (bool, error) {
	if ix.db.pagesOff.Load() {
		return false, nil
	}
	if ix.firsts != "" {
		return true, nil
	}
	var block []byte
	if err := ix.get(ctx, &block, `SELECT block FROM docs_fts_data WHERE id = ?`, structureID); err != nil {
		return false, err
	}
	var ok bool
	if ix.segments, ok = segmentsIn(block); ok {
		ix.firsts = firstPages(ix.segments)
	}
	return ok, nil
}

// segmentsIn parses the list of segments, newest first. It returns false for another format.
func segmentsIn(block []byte) (out []segment, ok bool) {
	if len(block) < 7 || block[4] == 0xFF { // 0xFF: the format of an index that deletes by tombstones
		return nil, false
	}
	d := &decoder{b: block, at: 4} // after the version number
	levels := d.varint()
	d.varint() // number of segments
	d.varint() // number of pages written
	for ; levels > 0 && !d.bad; levels-- {
		d.varint() // number of segments being merged
		from := len(out)
		for n := d.varint(); n > 0 && !d.bad; n-- {
			out = append(out, segment{d.varint(), d.varint(), d.varint()})
		}
		slices.Reverse(out[from:])
	}
	out = slices.DeleteFunc(out, func(s segment) bool { return s.first == 0 }) // fully merged
	return out, !d.bad && d.at == len(block)
}

// firstPages returns the first page of each segment, as a JSON object.
func firstPages(segments []segment) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, s := range segments {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + strconv.FormatInt(s.id, 10) + `":` + strconv.FormatInt(s.first, 10))
	}
	b.WriteByte('}')
	return b.String()
}

// rowsFrom appends the newest rows of a word in one segment, until there are enough.
func (ix *index) rowsFrom(ctx context.Context, out []int64, st start, word string, r [2]int64,
	most int) (_ []int64, ok bool, err error) {
	if st.more {
		out, ok, err = ix.rowsBehind(ctx, out, st, word, r, most)
		if err != nil || !ok || len(out) == most {
			return out, ok, err
		}
	}
	ix.decoded, ok = decode(ix.decoded[:0], st.list)
	return appendNewest(out, ix.decoded, r, most), ok, nil
}

// rowsBehind appends the newest rows of a word from the pages after its first one.
func (ix *index) rowsBehind(ctx context.Context, out []int64, st start, word string, r [2]int64,
	most int) (_ []int64, ok bool, err error) {
	const nextQuery = `SELECT coalesce((SELECT pgno >> 1 FROM docs_fts_idx WHERE segid = ? AND term > CAST(? AS BLOB)
		ORDER BY term LIMIT 1), ?)`
	var next int64 // the page where the next word begins, or the last page
	if err := ix.get(ctx, &next, nextQuery, st.id, word, st.last); err != nil {
		return nil, false, err
	}
	low, high := st.id<<segmentShift+st.page+1, st.id<<segmentShift+min(next, st.last)
	if high, err = ix.lastPage(ctx, low, high, r[1]); err != nil {
		return nil, false, err
	}
	rows, err := ix.query(ctx, `SELECT block FROM docs_fts_data WHERE id BETWEEN ? AND ? ORDER BY id DESC`, low, high)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() && len(out) < most {
		var block sql.RawBytes
		if err := rows.Scan(&block); err != nil {
			return nil, false, err
		}
		end := firstTerm(block)
		if end < pageHead || end > len(block) {
			return nil, false, nil
		}
		if ix.decoded, ok = decode(ix.decoded[:0], block[pageHead:end]); !ok {
			return nil, false, nil
		}
		if out = appendNewest(out, ix.decoded, r, most); len(ix.decoded) > 0 && ix.decoded[0] < r[0] {
			break
		}
	}
	return out, true, rows.Err()
}

// lastPage returns the last of some pages of one word that may contain rows up to a given one.
func (ix *index) lastPage(ctx context.Context, low, high, row int64) (int64, error) {
	if high-low < fewPages {
		return high, nil
	}
	if first, err := ix.firstRow(ctx, high-1); err != nil || first <= row {
		return high, err // the last page may also begin with rows of this word
	}
	for high--; high-low > 1; {
		middle := low + (high-low)/2
		first, err := ix.firstRow(ctx, middle)
		if err != nil {
			return 0, err
		}
		if first > row {
			high = middle
		} else {
			low = middle
		}
	}
	return high - 1, nil
}

// firstRow returns the first row of a page on which no word begins, or 0 if unknown.
func (ix *index) firstRow(ctx context.Context, id int64) (int64, error) {
	var head []byte
	if err := ix.get(ctx, &head, `SELECT substr(block, 1, 14) FROM docs_fts_data WHERE id = ?`, id); err != nil {
		return 0, err
	}
	if len(head) < pageHead || binary.BigEndian.Uint16(head) != pageHead {
		return 0, nil
	}
	return (&decoder{b: head, at: pageHead}).varint(), nil
}

// appendNewest appends the rows of a list that are in a range, newest first, until there are enough.
func appendNewest(out, list []int64, r [2]int64, most int) []int64 {
	out = slices.Grow(out, min(len(list), most-len(out)))
	for i := len(list) - 1; i >= 0 && len(out) < most && list[i] >= r[0]; i-- {
		if list[i] <= r[1] {
			out = append(out, list[i])
		}
	}
	return out
}
