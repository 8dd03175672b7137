package team

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/team/pgtest"
)

// scale is what measuring a large team needs.
type scale struct {
	t              *testing.T
	v              *vocabulary
	writer, reader *remote
	admin          *conn
	dsn, owner     string // of a member who joins with a daemon; of the owner
}

// How much is measured. Each push and read is followed by its baseline, so that both see the same load.
const (
	scalePushes   = 80 // of pushBatch: 20,000 items
	scaleSearches = 200
	scaleNews     = 9
)

// TestScale measures with MUM_TEAM_SCALE items, compared with plain INSERT and SELECT on a table with as many rows:
// make bench-team ITEMS=200000.
func TestScale(t *testing.T) {
	total, _ := strconv.Atoi(os.Getenv("MUM_TEAM_SCALE"))
	if total == 0 {
		t.Skip("make bench-team")
	}
	s := newScale(t, total)
	s.push()
	s.news()
	s.join()
	s.search()
	s.size()
	s.daemon()
}

func newScale(t *testing.T, total int) *scale {
	t.Helper()
	ctx := context.Background()
	c := newCluster(t, 1, 1)
	a := c.openAdmin()
	defer a.Close()
	inv, err := a.Invite(ctx, "", "newcomer")
	if err != nil {
		t.Fatal(err)
	}
	s := &scale{t: t, dsn: inv.DSN, owner: c.admin}
	if s.writer, err = c.nodes[0].s.open(ctx, teamOf(t, c.nodes[0])); err != nil {
		t.Fatal(err)
	}
	if s.reader, err = c.nodes[1].s.open(ctx, teamOf(t, c.nodes[1])); err != nil {
		t.Fatal(err)
	}
	dsn, err := ParseDSN(c.admin)
	if err != nil {
		t.Fatal(err)
	}
	if s.admin, err = connect(ctx, dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.writer.c.close(); s.reader.c.close(); s.admin.close() })
	s.v = newVocabulary(s.writer.key, 1)
	s.sql(`ALTER SYSTEM SET max_wal_size = '8GB'`)
	s.sql(`SELECT pg_reload_conf()`)
	began := time.Now()
	fill(t, s.admin, s.writer, s.v, max(total/projectItems, 1))
	s.sql(`CREATE TABLE plain (id uuid PRIMARY KEY, body bytea)`)
	s.sql(`INSERT INTO plain SELECT i.item_id, i.body FROM mum.items i`)
	s.sql(`VACUUM ANALYZE plain`)
	s.sql(`CHECKPOINT`)
	t.Logf("%d items in projects of %d, and a plain table of as many bodies, made in %v", max(total, projectItems),
		projectItems, time.Since(began).Round(time.Second))
	return s
}

// sql runs a statement as the administrator, without a time limit.
func (s *scale) sql(text string) {
	s.t.Helper()
	if _, err := s.admin.pg.Exec(context.Background(), text).ReadAll(); err != nil {
		s.t.Fatal(text, err)
	}
}

// timed returns how long f takes; f must succeed.
func (s *scale) timed(f func() error) time.Duration {
	s.t.Helper()
	began := time.Now()
	if err := f(); err != nil {
		s.t.Fatal(err)
	}
	return time.Since(began)
}

// figures are measurements with their baselines, in the same order.
type figures struct{ ours, plain []time.Duration }

func sum(list []time.Duration) (total time.Duration) {
	for _, d := range list {
		total += d
	}
	return total
}

// at returns a quantile; it sorts the list.
func at(list []time.Duration, q float64) time.Duration {
	slices.Sort(list)
	return list[int(q*float64(len(list)-1))].Round(100 * time.Microsecond)
}

func (f figures) String() string {
	return fmt.Sprintf("median %v, p95 %v; plain %v, %v; in units of plain %.1f", at(f.ours, 0.5), at(f.ours, 0.95),
		at(f.plain, 0.5), at(f.plain, 0.95), sum(f.ours).Seconds()/sum(f.plain).Seconds())
}

// push sends batches, each followed by a plain INSERT of the same bodies.
func (s *scale) push() {
	s.t.Helper()
	ctx := context.Background()
	var f figures
	for range scalePushes {
		list := make([]version, pushBatch)
		for i := range list {
			list[i] = s.v.version(s.t)
		}
		f.ours = append(f.ours, s.timed(func() error {
			stored, err := s.writer.push(ctx, projectKey, list)
			if len(stored) != len(list) {
				s.t.Fatalf("%d of %d were stored", len(stored), len(list))
			}
			return err
		}))
		f.plain = append(f.plain, s.timed(func() error {
			return s.admin.exec(ctx, `INSERT INTO plain SELECT item_id, decode(body, 'hex')
				FROM json_to_recordset($1::json) AS x(item_id uuid, body text)`, list)
		}))
	}
	n := float64(scalePushes * pushBatch)
	s.t.Logf("push: %.0f items/s; plain INSERT of the same bodies %.0f/s; %d to a statement: %v", n/sum(f.ours).Seconds(),
		n/sum(f.plain).Seconds(), pushBatch, f)
}

// news reads 1,000 new items.
func (s *scale) news() {
	s.t.Helper()
	var f figures
	for range scaleNews {
		row := pgtest.Exec(s.t, s.owner, `SELECT xid, seq FROM mum.items WHERE project_key = '`+projectKey+
			`' ORDER BY xid DESC, seq DESC LIMIT 1`)[0]
		mark := [2]int64{number(row[0]), number(row[1])}
		for range 4 {
			list := make([]version, pushBatch)
			for i := range list {
				list[i] = s.v.version(s.t)
			}
			if _, err := s.writer.push(context.Background(), projectKey, list); err != nil {
				s.t.Fatal(err)
			}
		}
		f.ours = append(f.ours, s.timed(func() error { return s.read(projectKey, mark, 1000) }))
		f.plain = append(f.plain, s.timed(func() error { return s.plain(1000, 500) }))
	}
	s.t.Logf("1,000 new items read and opened: %v", f)
}

// join reads a project from its beginning.
func (s *scale) join() {
	s.t.Helper()
	var f figures
	for range 3 {
		f.ours = append(f.ours, s.timed(func() error { return s.read(generatedProject(0), [2]int64{}, projectItems) }))
		f.plain = append(f.plain, s.timed(func() error { return s.plain(projectItems, pullBatch) }))
	}
	s.t.Logf("first read of a project of %d items, opened: %v", projectItems, f)
}

// read pulls and opens a number of items after a mark.
func (s *scale) read(project string, mark [2]int64, want int) error {
	n := 0
	for n < want {
		page, err := s.reader.pull(context.Background(), project, mark[0], mark[1])
		if err != nil || len(page) == 0 {
			return fmt.Errorf("%d of %d items: %w", n, want, err)
		}
		for _, in := range page {
			if _, err := contentOf(in); err != nil {
				return err
			}
		}
		n += len(page)
		mark = [2]int64{page[len(page)-1].xid, page[len(page)-1].seq}
	}
	return nil
}

// plain is the baseline for reading: rows of a table by key, in pages.
func (s *scale) plain(n, page int) error {
	last := "00000000-0000-0000-0000-000000000000"
	for range n / page {
		rows, err := s.admin.query(context.Background(), `SELECT id, encode(body, 'hex') FROM plain WHERE id > $1::uuid
			ORDER BY id LIMIT $2`, last, page)
		if err != nil || len(rows) != page {
			return fmt.Errorf("%d rows: %w", len(rows), err)
		}
		last = rows[page-1][0]
	}
	return nil
}

// search asks for words, first all of them and then any, as a member's search does.
func (s *scale) search() {
	s.t.Helper()
	var f figures
	found := 0
	for range scaleSearches {
		query := s.v.query()
		var words []int64
		for w := range strings.FieldsSeq(query) {
			if term := s.v.terms[slices.Index(s.v.words, w)]; term != 0 {
				words = append(words, term)
			}
		}
		if len(words) == 0 {
			continue
		}
		f.ours = append(f.ours, s.timed(func() error {
			list, err := s.reader.search(context.Background(), "", words, true)
			if err == nil && len(list) < searchMany && len(words) > 1 {
				list, err = s.reader.search(context.Background(), "", words, false)
			}
			found += len(list)
			return err
		}))
		f.plain = append(f.plain, s.timed(func() error { return s.plain(searchMany, searchMany) }))
	}
	if found == 0 {
		s.t.Error("no search found anything")
	}
	s.t.Logf("%d searches in all projects, %d items found and opened: %v", len(f.ours), found, f)
}

func (s *scale) size() {
	s.t.Helper()
	for _, row := range pgtest.Exec(s.t, s.owner, `SELECT what, round(bytes / (SELECT count(*) FROM mum.keys)) FROM (
		SELECT 'items', sum(pg_table_size(relid)) FROM pg_partition_tree('mum.items') WHERE isleaf
		UNION ALL SELECT 'indexes of items', sum(pg_indexes_size(relid)) FROM pg_partition_tree('mum.items') WHERE isleaf
		UNION ALL SELECT 'keys', pg_total_relation_size('mum.keys')
		UNION ALL SELECT 'plain', pg_total_relation_size('plain')) x(what, bytes)`) {
		s.t.Logf("bytes an item: %s %s", row[0], row[1])
	}
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // the column contains numbers
	return n
}

// daemon joins with the program itself: the first sync of a project through the gate into the index, and searches.
func (s *scale) daemon() {
	s.t.Helper()
	m := newProgram(s.t)
	m.run("up")
	s.t.Cleanup(func() { m.run("down") })
	m.run("team", "join", s.dsn, "--as", "desk")
	m.git("https://" + generatedProject(0) + ".git")
	m.run("team", "share", "--json")
	began := time.Now()
	m.run("team", "sync", "--json") // waits for the sync that sharing started
	s.t.Logf("first sync of %d items by the program, through the gate into the index: %v", projectItems,
		time.Since(began).Round(100*time.Millisecond))
	var status struct {
		Items map[string]int `json:"items"`
	}
	err := json.Unmarshal(m.run("team", "status", "--json"), &status)
	if err != nil || status.Items["same"] != projectItems {
		s.t.Errorf("%v %v", status, err)
	}
	var took []time.Duration
	for range scaleSearches {
		var found struct {
			TookMS float64 `json:"took_ms"`
		}
		if err := json.Unmarshal(m.run("search", "--team", "--json", s.v.query()), &found); err != nil {
			s.t.Fatal(err)
		}
		took = append(took, time.Duration(found.TookMS*float64(time.Millisecond)))
	}
	s.t.Logf("mum search --team, with connection, gate and ranking: median %v, p95 %v, longest %v", at(took, 0.5),
		at(took, 0.95), at(took, 1))
}
