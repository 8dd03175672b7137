package store

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jmoiron/sqlx"
)

func TestOtherToolsDatabasesAreRead(t *testing.T) {
	for _, c := range []struct {
		name, tool, schema string
		files              []string
	}{
		{"claude-mem", "claude-mem", `
			CREATE TABLE sdk_sessions (content_session_id TEXT, memory_session_id TEXT, project TEXT);
			CREATE TABLE user_prompts (content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT, created_at_epoch INTEGER);
			CREATE TABLE observations (memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, files_modified TEXT, created_at_epoch INTEGER);
			INSERT INTO sdk_sessions VALUES ('s1', 'm1', 'shop');
			INSERT INTO user_prompts VALUES ('s1', 1, 'fix the cart', 1000);
			INSERT INTO observations VALUES ('m1', 'shop', NULL, 'bugfix', 'Cart fixed', NULL, NULL, 'It lost items.', '["cart.go"]', 2000);`, []string{"cart.go"}},
		{"claude-mem of an older version", "claude-mem", `
			CREATE TABLE sdk_sessions (claude_session_id TEXT, sdk_session_id TEXT, project TEXT);
			CREATE TABLE user_prompts (claude_session_id TEXT, prompt_number INTEGER, prompt_text TEXT, created_at_epoch INTEGER);
			CREATE TABLE observations (sdk_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, files_modified TEXT, created_at_epoch INTEGER);
			INSERT INTO sdk_sessions VALUES ('s1', 'm1', 'shop');
			INSERT INTO user_prompts VALUES ('s1', 1, 'fix the cart', 1000);
			INSERT INTO observations VALUES ('m1', 'shop', NULL, 'bugfix', 'Cart fixed', NULL, NULL, 'It lost items.', NULL, 2000);`, nil},
		{"engram", "engram", `
			CREATE TABLE sessions (id TEXT, project TEXT, directory TEXT);
			CREATE TABLE user_prompts (id INTEGER, session_id TEXT, content TEXT, project TEXT, created_at TEXT);
			CREATE TABLE observations (id INTEGER, session_id TEXT, type TEXT, title TEXT, content TEXT, tool_name TEXT, project TEXT, created_at TEXT, deleted_at TEXT);
			INSERT INTO sessions VALUES ('s1', 'shop', '');
			INSERT INTO user_prompts VALUES (1, 's1', 'fix the cart', NULL, '1970-01-01 00:00:01');
			INSERT INTO observations VALUES (1, 's1', 'bugfix', 'Cart fixed', 'It lost items.', NULL, 'shop', '1970-01-01 00:00:02', NULL);
			INSERT INTO observations VALUES (2, 's1', 'bugfix', 'Deleted', 'Gone.', NULL, 'shop', '1970-01-01 00:00:03', '1970-01-01 00:00:04');`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "other.db")
			conn, err := sqlx.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			conn.MustExec(c.schema)
			if err := conn.Close(); err != nil {
				t.Fatal(err)
			}
			type line struct {
				Kind                       Kind
				Session, Tool, Title, Text string
				Project                    string
				At                         int64
				Files                      []string
			}
			var got []line
			tool, err := ReadForeign(t.Context(), path, func(r Record) error {
				l := line{Kind: r.Kind, Session: r.Session, Tool: r.Tool, Title: r.Title, Files: r.Files}
				if r.Meta != nil {
					l.Project, l.At = r.Meta.Project, r.Meta.Started.UnixMilli()
				} else {
					l.Text, l.At = *r.Text, r.At.UnixMilli()
				}
				got = append(got, l)
				return nil
			})
			if err != nil || tool != c.tool {
				t.Fatalf("got %q, %v", tool, err)
			}
			want := []line{
				{Kind: KindSession, Session: "s1", Project: "shop", At: 1000},
				{Kind: KindPrompt, Session: "s1", Text: "fix the cart", At: 1000, Files: []string{}},
				{Kind: KindObservation, Session: "s1", Tool: "bugfix", Title: "Cart fixed", Text: "It lost items.", At: 2000, Files: append([]string{}, c.files...)},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestADatabaseOfNoKnownToolIsRefused(t *testing.T) {
	db := openTest(t)
	if _, err := ReadForeign(t.Context(), db.Path(), func(Record) error { return nil }); !errors.Is(err, ErrForeign) {
		t.Errorf("got %v", err)
	}
}
