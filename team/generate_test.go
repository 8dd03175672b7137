package team

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/store"
)

// vocabulary is the words of generated items: word n is as common as the word of rank n in a language.
type vocabulary struct {
	words []string
	terms []int64 // for each word; 0 = not searched for
	rng   *rand.Rand
}

// vocabularySize is about how many words the projects of a large team use.
const vocabularySize = 50_000

func newVocabulary(key string, seed uint64) *vocabulary {
	v := &vocabulary{rng: rand.New(rand.NewPCG(seed, 23))}
	for i := range vocabularySize {
		w := ""
		for n := i + 200; n > 0; n /= 105 {
			w += string("bcdfghjklmnprstvwxyz+"[n%105/5]) + string("aeiou"[n%5])
		}
		w = strings.ReplaceAll(w, "+", "qu") + "n" // so that no suffix is stemmed
		v.words = append(v.words, w)
		stems := terms(key, store.ContentWords(w))
		v.terms = append(v.terms, append(stems, 0)[0])
	}
	return v
}

// common is how many stop words are more common than the first word here. So the most common word is in seven of a
// hundred items.
const common = 100

// some returns n words with natural frequencies: the r-th most common one in proportion to 1/r.
func (v *vocabulary) some(n int) (text string, found []int64) {
	var b strings.Builder
	for i := range n {
		rank := int(common*math.Pow(float64(common+vocabularySize)/common, v.rng.Float64())) - common
		b.WriteString(v.words[rank])
		if i < n-1 {
			b.WriteString([]string{" ", " of the ", " ", " and "}[i%4])
		}
		if v.terms[rank] != 0 {
			found = append(found, v.terms[rank])
		}
	}
	return b.String(), found
}

// The content words of a title and a body: with stop words, a paragraph of forty words, like most memories.
const titleWords, bodyWords = 4, 24

// item returns a sealed item of generated words.
func (v *vocabulary) item() (id store.TeamID, sealed, key []byte, words []int64, err error) {
	title, in := v.some(titleWords)
	body, more := v.some(bodyWords)
	now := time.Now().UnixMilli()
	text := fmt.Appendf(nil, `{"form":"learning","kind":"insight","title":%q,"body":%q,"key":"","tags":null,`+
		`"state":"active","confidence":0.9,"created":%d,"updated":%d}`, title, body, now, now)
	if id, err = newID(); err == nil {
		sealed, key, err = seal(text, idText(id))
	}
	words = append(in, more...)
	slices.Sort(words)
	return id, sealed, key, slices.Compact(words), err
}

// version returns such an item, ready to be sent.
func (v *vocabulary) version(t *testing.T) version {
	t.Helper()
	id, sealed, key, words, err := v.item()
	if err != nil {
		t.Fatal(err)
	}
	return version{ID: idText(id), Kind: KindMemory, HLC: later(0, time.Now()), Body: fmt.Sprintf("%x", sealed),
		Key: fmt.Sprintf("%x", key), Terms: words}
}

// copier writes rows in the binary format of COPY.
type copier struct{ b []byte }

func newCopier() *copier {
	c := &copier{make([]byte, 0, projectItems*800)}
	c.b = append(c.b, "PGCOPY\n\xff\r\n\x00"...)
	c.b = append(c.b, make([]byte, 8)...)
	return c
}

func (c *copier) columns(n uint16) { c.b = binary.BigEndian.AppendUint16(c.b, n) }
func (c *copier) size(n int)       { c.b = binary.BigEndian.AppendUint32(c.b, uint32(n)) }
func (c *copier) bytes(v []byte)   { c.size(len(v)); c.b = append(c.b, v...) }
func (c *copier) text(list ...string) {
	for _, v := range list {
		c.size(len(v))
		c.b = append(c.b, v...)
	}
}

func (c *copier) int(n int64) { c.size(8); c.b = binary.BigEndian.AppendUint64(c.b, uint64(n)) }

// ints writes a one-dimensional array of int8 without NULL.
func (c *copier) ints(list []int64) {
	c.size(20 + 12*len(list))
	for _, n := range []int{1, 0, 20, len(list), 1} {
		c.size(n)
	}
	for _, n := range list {
		c.int(n)
	}
}

func (c *copier) send(t *testing.T, to *conn, into string) {
	t.Helper()
	c.b = append(c.b, 0xff, 0xff)
	_, err := to.pg.CopyFrom(context.Background(), bytes.NewReader(c.b), "COPY "+into+" FROM STDIN (FORMAT binary)")
	if err != nil {
		t.Fatal(err)
	}
}

// oldXID is the id of a transaction long ago.
const oldXID = int64(3)

// projectItems is how many items a generated project has.
const projectItems = 20_000

func generatedProject(n int) string { return fmt.Sprintf("git.example/acme/service-%d", n) }

// fill writes sealed items into the shared place, as projects of [projectItems] each. It disables the triggers and
// drops the index of words meanwhile: otherwise ten million items would take hours.
func fill(t *testing.T, c *conn, r *remote, v *vocabulary, projects int) {
	t.Helper()
	ctx := context.Background()
	definition := prepareFill(t, c, r.team, projects)
	type batch struct {
		items, keys *copier
		err         error
	}
	columns := map[bool]uint16{true: 11, false: 5} // of mum.items and mum.keys
	ready, team := make(chan batch, 1), parseID(r.team)
	go func() {
		defer close(ready)
		for p := range projects {
			b := batch{items: newCopier(), keys: newCopier()}
			for i := range projectItems {
				id, sealed, key, words, err := v.item()
				b.err = errors.Join(b.err, err)
				for _, to := range []*copier{b.items, b.keys} {
					to.columns(columns[to == b.items])
					to.bytes(team[:])
					to.text(generatedProject(p))
					to.bytes(id[:])
				}
				b.items.text(KindMemory, r.member, r.machine)
				b.items.int(later(0, time.Now()))
				b.items.bytes(sealed)
				b.items.ints(words)
				b.items.int(oldXID)
				b.items.int(int64(p*projectItems + i + 1))
				b.keys.text(r.member)
				b.keys.bytes(key)
			}
			ready <- b
		}
	}()
	for b := range ready {
		if b.err != nil {
			t.Fatal(b.err)
		}
		b.items.send(t, c, `mum.items (team_id, project_key, item_id, kind, author, machine, hlc, body, terms, xid, seq)`)
		b.keys.send(t, c, `mum.keys (team_id, project_key, item_id, author, key)`)
	}
	for _, sql := range []string{fmt.Sprintf(`SELECT setval('mum.items_seq', %d)`, projects*projectItems+1),
		`ALTER TABLE mum.items ENABLE TRIGGER items_stamp`, `SET maintenance_work_mem = '1GB'`, definition} {
		if _, err := c.pg.Exec(ctx, sql).ReadAll(); err != nil {
			t.Fatal(sql, err)
		}
	}
	if _, err := c.pg.Exec(ctx, `VACUUM ANALYZE mum.items, mum.keys`).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

// prepareFill creates the projects, and returns how to create the index of words again.
func prepareFill(t *testing.T, c *conn, team string, projects int) (index string) {
	t.Helper()
	ctx := context.Background()
	for p := range projects {
		if err := c.exec(ctx, `INSERT INTO mum.projects (team_id, project_key, added_by) VALUES ($1, $2, 'member0')`, team,
			generatedProject(p)); err != nil {
			t.Fatal(err)
		}
	}
	row, err := c.one(ctx, `SELECT pg_get_indexdef('mum.items_terms'::regclass)`)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.script(ctx, `ALTER TABLE mum.items DISABLE TRIGGER items_stamp; DROP INDEX mum.items_terms`); err != nil {
		t.Fatal(err)
	}
	return strings.Replace(row[0], " ON ONLY ", " ON ", 1)
}

// query returns words of a text to search for.
func (v *vocabulary) query() string {
	text := make([]string, 1+v.rng.IntN(4))
	for i := range text {
		text[i], _ = v.some(1)
	}
	return strings.Join(text, " ")
}
