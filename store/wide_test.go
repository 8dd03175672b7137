package store

import (
	"slices"
	"strings"
	"testing"
)

func TestWordsAndCharactersInsideASentenceAreFound(t *testing.T) {
	db := openTest(t)
	redis := put(t, db, "p", "s", "使用Redis作为缓存,版本7支持parseURL函数")
	server := put(t, db, "p", "s", "これは犬のサーバーです。")
	put(t, db, "p", "s", "データベースの接続数を増やした")
	house := put(t, db, "p", "s", "우리 집 고양이")
	for query, c := range map[string]struct {
		want   int64
		marked string
	}{
		"Redis": {redis, "使用<mark>Redis</mark>作为缓存"}, "redis缓存": {redis, "<mark>Redis</mark>作为<mark>缓存</mark>"},
		"犬": {server, "これは<mark>犬</mark>の"}, "サーバー": {server, "<mark>サーバー</mark>です"}, "집": {house, "<mark>집</mark>"},
		"函": {redis, "<mark>函</mark>数"}, "作为缓存": {redis, "<mark>作为缓存</mark>"}, "url": {redis, "parse<mark>URL</mark>函数"},
		"parseURL": {redis, "<mark>parseURL</mark>函数"},
	} {
		res := search(t, db, Query{Text: query})
		if !slices.Equal(ids(res), []int64{c.want}) {
			t.Errorf("%s: found %v, want %d", query, ids(res), c.want)
			continue
		}
		if !strings.Contains(res.Hits[0].Snippet, c.marked) {
			t.Errorf("%s: %s", query, res.Hits[0].Snippet)
		}
		plan, err := db.PlanForget(t.Context(), Selection{Words: query})
		if err != nil || !slices.Equal(plan.Docs, []int64{c.want}) {
			t.Errorf("%s: to be forgotten are %v, %v", query, plan.Docs, err)
		}
	}
	checkIndex(t, db)
	if _, err := db.Replace(t.Context(), "使用Redis作为"); err != nil {
		t.Fatal(err)
	}
	checkIndex(t, db)
}

// A sentence that is longer than a snippet is shown where the words of the query are.
func TestASnippetOfALongSentenceShowsTheWords(t *testing.T) {
	db := openTest(t)
	put(t, db, "p", "s", strings.Repeat("データベースの接続数を増やした", 20)+"犬が走る"+strings.Repeat("キャッシュを消した", 20))
	got := search(t, db, Query{Text: "犬が走る"}).Hits
	if len(got) != 1 || !strings.Contains(got[0].Snippet, "<mark>犬が走る</mark>") {
		t.Errorf("got %+v", got)
	}
}

func TestAnOlderIndexIsMadeAgain(t *testing.T) {
	db := openTest(t)
	want := put(t, db, "p", "s", "使用Redis作为缓存")
	db.settle(t.Context())
	err := db.writer.do(t.Context(), func(s *txState) error {
		for _, q := range []string{`INSERT INTO docs_fts (docs_fts) VALUES ('delete-all')`,
			`INSERT INTO docs_fts (rowid, text) SELECT project_id << 40 | id, body FROM docs`,
			`UPDATE sessions SET docs = 0`, `DROP TABLE own_memories`, `ALTER TABLE memories DROP COLUMN own`,
			`ALTER TABLE docs DROP COLUMN branch`, `ALTER TABLE sessions DROP COLUMN branches`,
			`DELETE FROM goose_db_version WHERE version_id >= 25`, `PRAGMA user_version = 24`} {
			if err := s.exec(q); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	db = crashed(t, db)
	put(t, db, "p", "s", "another one")
	if rows, err := db.RecentSessions(t.Context(), 0, 5); err != nil || len(rows) != 1 || rows[0].Docs != 2 {
		t.Errorf("got %+v, %v", rows, err)
	}
	if !db.Rebuilding() {
		t.Fatal("the index is not rebuilt")
	}
	if err := db.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := ids(search(t, db, Query{Text: "Redis"})); !slices.Equal(got, []int64{want}) {
		t.Errorf("found %v", got)
	}
	checkIndex(t, db)
}

func TestAnExactTextIsFoundInUpperAndLowerCase(t *testing.T) {
	db := openTest(t)
	want := put(t, db, "p", "s", "Großer Ärger mit der Übersicht, файл НАСТРОЙКИ")
	for _, text := range []string{"ÄRGER MIT", "файл настройки", "Übersicht,", "größer"} {
		found := text != "größer"
		if got := ids(search(t, db, Query{Text: text, Exact: true})); slices.Contains(got, want) != found {
			t.Errorf("%s: found %v", text, got)
		}
	}
}
