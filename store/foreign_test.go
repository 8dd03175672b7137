package store

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jmoiron/sqlx"
)

func TestOtherToolsDatabasesAreRead(t *testing.T) {
	for _, c := range []struct {
		name, tool, schema string
		files              []string
	}{
		{"claude-mem", "claude-mem", `
			CREATE TABLE sdk_sessions (content_session_id TEXT, memory_session_id TEXT, project TEXT);
			CREATE TABLE user_prompts (content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT,
			created_at_epoch INTEGER);
			CREATE TABLE observations (memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT,
			facts TEXT, narrative TEXT, files_modified TEXT, created_at_epoch INTEGER);
			INSERT INTO sdk_sessions VALUES ('s1', 'm1', 'shop');
			INSERT INTO user_prompts VALUES ('s1', 1, 'fix the cart', 1000);
			INSERT INTO observations VALUES ('m1', 'shop', NULL, 'bugfix', 'Cart fixed', NULL, NULL, 'It lost items.',
			'["cart.go"]', 2000);`, []string{"cart.go"}},
		{"claude-mem of an older version", "claude-mem", `
			CREATE TABLE sdk_sessions (claude_session_id TEXT, sdk_session_id TEXT, project TEXT);
			CREATE TABLE user_prompts (claude_session_id TEXT, prompt_number INTEGER, prompt_text TEXT,
			created_at_epoch INTEGER);
			CREATE TABLE observations (sdk_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT,
			facts TEXT, narrative TEXT, files_modified TEXT, created_at_epoch INTEGER);
			INSERT INTO sdk_sessions VALUES ('s1', 'm1', 'shop');
			INSERT INTO user_prompts VALUES ('s1', 1, 'fix the cart', 1000);
			INSERT INTO observations VALUES ('m1', 'shop', NULL, 'bugfix', 'Cart fixed', NULL, NULL, 'It lost items.', NULL,
			2000);`, nil},
		{"engram", "engram", `
			CREATE TABLE sessions (id TEXT, project TEXT, directory TEXT);
			CREATE TABLE user_prompts (id INTEGER, session_id TEXT, content TEXT, project TEXT, created_at TEXT);
			CREATE TABLE observations (id INTEGER, session_id TEXT, type TEXT, title TEXT, content TEXT, tool_name TEXT,
			project TEXT, created_at TEXT, deleted_at TEXT);
			INSERT INTO sessions VALUES ('s1', 'shop', '');
			INSERT INTO user_prompts VALUES (1, 's1', 'fix the cart', NULL, '1970-01-01 00:00:01');
			INSERT INTO observations VALUES (1, 's1', 'bugfix', 'Cart fixed', 'It lost items.', NULL, 'shop',
			'1970-01-01 00:00:02', NULL);
			INSERT INTO observations VALUES (2, 's1', 'bugfix', 'Deleted', 'Gone.', NULL, 'shop', '1970-01-01 00:00:03',
			'1970-01-01 00:00:04');`, nil},
		{"longmem", "longmem", longMemSchema + `
			INSERT INTO sessions VALUES (7, 's1', 'shop', '');
			INSERT INTO user_prompts VALUES (1, 7, 1, 'fix the cart', '1970-01-01 00:00:01');
			INSERT INTO observations VALUES (1, 7, 'bugfix', '', 'It lost items.', 'Cart fixed', '', '1970-01-01 00:00:02');`,
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			records, tool := readOther(t, c.schema)
			type line struct {
				Kind                       Kind
				Session, Tool, Title, Text string
				Project                    string
				At                         int64
				Files                      []string
			}
			var got []line
			for _, r := range records {
				l := line{Kind: r.Kind, Session: r.Session, Tool: r.Tool, Title: r.Title, Files: r.Files}
				switch {
				case r.Meta != nil:
					l.Project, l.At = r.Meta.Project, r.Meta.Started.UnixMilli()
				case r.Text != nil:
					l.Text, l.At = *r.Text, r.At.UnixMilli()
				default:
					l.Text, l.At = jsonText(string(r.Output)), r.At.UnixMilli()
				}
				got = append(got, l)
			}
			if tool != c.tool {
				t.Errorf("it was taken for one of %s", tool)
			}
			want := []line{
				{Kind: KindSession, Session: "s1", Project: "shop", At: 1000},
				{Kind: KindPrompt, Session: "s1", Text: "fix the cart", At: 1000, Files: []string{}},
				{Kind: KindObservation, Session: "s1", Tool: "bugfix", Title: "Cart fixed", Text: "It lost items.", At: 2000,
					Files: append([]string{}, c.files...)},
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

const longMemSchema = `
	CREATE TABLE sessions (id INTEGER, opencode_session_id TEXT, project TEXT, directory TEXT);
	CREATE TABLE user_prompts (id INTEGER, session_id INTEGER, prompt_number INTEGER, prompt TEXT, created_at TEXT);
	CREATE TABLE observations (id INTEGER, session_id INTEGER, tool_name TEXT, tool_input TEXT, tool_output TEXT,
	compressed_summary TEXT, files_referenced TEXT, created_at TEXT);`

func TestALongMemDatabaseIsReadWithWhatToolsSaid(t *testing.T) {
	got, _ := readOther(t, longMemSchema+`
		CREATE TABLE summaries (session_id INTEGER, request TEXT, investigated TEXT, learned TEXT, completed TEXT,
		next_steps TEXT, created_at TEXT);
		CREATE TABLE user_observations (id INTEGER, observation_type TEXT, content TEXT, created_at TEXT);
		INSERT INTO sessions VALUES (7, 's1', 'shop', '/home/dev/shop');
		INSERT INTO observations VALUES (1, 7, 'Edit', '{"file_path":"a.go"}', 'saved', NULL, 'a.go, b.go',
		'1970-01-01 00:00:02');
		INSERT INTO summaries VALUES (7, 'the cart', NULL, 'it lost items', NULL, 'a test', '1970-01-01 00:00:03');
		INSERT INTO user_observations VALUES (1, 'preference', 'tabs, not spaces', '1970-01-01 00:00:04');`)
	at := func(sec int64) time.Time { return time.Unix(sec, 0).UTC() }
	want := []Record{
		{Kind: KindSession, Agent: "longmem", Session: "remembered",
			Meta: &SessionMeta{Source: "import of longmem", Started: at(4)}},
		{Kind: KindObservation, Agent: "longmem", Session: "remembered", At: at(4), Tool: "remember", Title: "preference",
			Text: ptr("tabs, not spaces")},
		{Kind: KindSession, Agent: "longmem", Session: "s1",
			Meta: &SessionMeta{Project: "shop", Dir: "/home/dev/shop", Source: "import of longmem", Started: at(2)}},
		{Kind: KindObservation, Agent: "longmem", Session: "s1", At: at(2), Tool: "Edit", Title: "Edit",
			Input: json.RawMessage(`{"file_path":"a.go"}`), Output: json.RawMessage(`"saved"`), Files: []string{"a.go", "b.go"}},
		{Kind: KindObservation, Agent: "longmem", Session: "s1", At: at(3), Tool: "summary", Title: "the cart",
			Text: ptr("it lost items\na test")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// readOther creates a database with these statements and reads it.
func readOther(t *testing.T, schema string) (got []Record, tool string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	conn, err := sqlx.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	conn.MustExec(schema)
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	tool, err = ReadForeign(t.Context(), path, func(r Record) error { got = append(got, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return got, tool
}

func TestADatabaseOfNoKnownToolIsRefused(t *testing.T) {
	none := func(Record) error { return nil }
	db := openTest(t)
	if _, err := ReadForeign(t.Context(), db.Path(), none); !errors.Is(err, ErrOwn) {
		t.Errorf("of our own: %v", err)
	}
	path := filepath.Join(t.TempDir(), "other.db")
	conn, err := sqlx.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	conn.MustExec(`CREATE TABLE sessions (id TEXT)`)
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadForeign(t.Context(), path, none); !errors.Is(err, ErrForeign) {
		t.Errorf("of another tool: %v", err)
	}
}
