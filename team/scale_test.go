package team

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/store"
	"keepmum/team/pgtest"
)

// TestScale measures with as many items as MUM_TEAM_SCALE says: make bench-team ITEMS=200000.
func TestScale(t *testing.T) {
	total, _ := strconv.Atoi(os.Getenv("MUM_TEAM_SCALE"))
	if total == 0 {
		t.Skip("make bench-team")
	}
	ctx := context.Background()
	c := newCluster(t, 1, 1)
	writer, err := c.nodes[0].s.open(ctx, teamOf(t, c.nodes[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.c.close()
	batch := func(n, from int) []version {
		out := make([]version, n)
		for i := range out {
			out[i] = generated(t, c.nodes[0].gate, writer.key, from+i)
		}
		return out
	}
	var sending, sealing time.Duration
	for done := 0; done < total; done += pushBatch {
		began := time.Now()
		list := batch(pushBatch, done)
		sealing += time.Since(began)
		began = time.Now()
		if stored, err := writer.push(ctx, projectKey, list); err != nil || len(stored) != len(list) {
			t.Fatal(len(stored), err)
		}
		sending += time.Since(began)
	}
	plain := plainInsert(t, c.admin, total)
	t.Logf("push: %d items, %.0f/s (sealing and hashing beside it %.0f/s); plain INSERT of as many rows %.0f/s", total,
		float64(total)/sending.Seconds(), float64(total)/sealing.Seconds(), float64(total)/plain.Seconds())

	reader, err := c.nodes[1].s.open(ctx, teamOf(t, c.nodes[1]))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.c.close()
	join := min(total, 20_000)
	began := time.Now()
	read(t, reader, 0, 0, join)
	t.Logf("first read of %d items: %v", join, time.Since(began).Round(time.Millisecond))
	row := pgtest.Exec(t, c.admin, `SELECT xid, seq FROM mum.items ORDER BY xid DESC, seq DESC LIMIT 1`)[0]
	xid, _ := strconv.ParseInt(row[0], 10, 64)
	seq, _ := strconv.ParseInt(row[1], 10, 64)
	for i := range 4 {
		if _, err := writer.push(ctx, projectKey, batch(pushBatch, total+i*pushBatch)); err != nil {
			t.Fatal(err)
		}
	}
	began = time.Now()
	_, _, n := read(t, reader, xid, seq, 1000)
	t.Logf("read of %d new items among %d: %v", n, total, time.Since(began).Round(time.Millisecond))
	began = time.Now()
	pgtest.Exec(t, c.admin, `SELECT id, body FROM plain ORDER BY id DESC LIMIT 1000`)
	t.Logf("plain SELECT of 1000 rows: %v", time.Since(began).Round(time.Millisecond))
	size := pgtest.Exec(t, c.admin, `SELECT round(sum(pg_total_relation_size(oid)) / `+strconv.Itoa(total)+`) FROM pg_class
		WHERE relnamespace = 'mum'::regnamespace AND relkind = 'r'`)[0][0]
	t.Logf("bytes for an item with its key, search words and indexes: %s", size)
}

// generated is an item of some forty words.
func generated(t *testing.T, gate *privacy.Gate, key string, n int) version {
	t.Helper()
	title, _ := gate.Text(fmt.Sprintf("module %d answers on port %d", n%977, n))
	body := privacy.Const("the service behind the proxy was moved in spring because the queue filled up at night, and " +
		"since then every deploy waits for the migration to end; whoever changes the schema tells the others before, so " +
		"that the workers can be drained in time and nobody has to restart them by hand")
	c := Content{Form: privacy.Const("learning"), Kind: privacy.Const("insight"), Title: title, Body: body,
		State: privacy.Const("active"), Confidence: 0.9, Created: int64(n + 1), Updated: int64(n + 1)}
	id, err := newID()
	if err != nil {
		t.Fatal(err)
	}
	text, err := c.encode()
	if err != nil {
		t.Fatal(err)
	}
	sealed, k, err := seal(text, idText(id))
	if err != nil {
		t.Fatal(err)
	}
	return version{ID: idText(id), Kind: KindMemory, HLC: later(0, time.Now()), Body: hex.EncodeToString(sealed),
		Key: hex.EncodeToString(k), Terms: terms(key, store.ContentWords(c.textual()))}
}

// read pulls and opens up to some items after a mark.
func read(t *testing.T, r *remote, xid, seq int64, most int) (int64, int64, int) {
	t.Helper()
	n := 0
	for n < most {
		page, err := r.pull(context.Background(), projectKey, xid, seq)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range page {
			if _, err := contentOf(in); err != nil {
				t.Fatal(err)
			}
		}
		if len(page) == 0 {
			break
		}
		n += len(page)
		xid, seq = page[len(page)-1].xid, page[len(page)-1].seq
	}
	return xid, seq, n
}

// plainInsert is the yardstick: as many rows of the same size, in statements of the same length.
func plainInsert(t *testing.T, dsn string, total int) time.Duration {
	t.Helper()
	pgtest.Exec(t, dsn, `CREATE TABLE plain (id bigint PRIMARY KEY, body bytea)`)
	admin, err := ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	c, err := connect(context.Background(), admin)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	began := time.Now()
	for done := 0; done < total; done += pushBatch {
		if err := c.exec(context.Background(), `INSERT INTO plain SELECT i, convert_to(repeat('x', 500), 'UTF8')
			FROM generate_series($1::bigint, $2::bigint) i`, done, done+pushBatch-1); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(began)
}
