package transcript

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const openCodeSchema = `
	CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text,
	time_created integer, time_updated integer);
	CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
	CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer,
	data text);
	INSERT INTO session VALUES ('ses_1', 'p', NULL, '/home/dev/inn', 'Rounding', '1.18.33', 1766000000000, 1766000009000);
	INSERT INTO message VALUES ('msg_1', 'ses_1', 1766000001000, 1766000001000, '{"role":"user","summary":{"diffs":[]}}');
	INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 1, '{"type":"text","text":"\"Round half to even?\""}');
	INSERT INTO message VALUES ('msg_2', 'ses_1', 1766000002000, 1766000002000,
	'{"role":"assistant","time":{"created":1766000002000}}');
	INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', 1, 1, '{"type":"text","text":"Yes"}');`

func openCodeDB(t testing.TB) (Source, *sql.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a %20?#dir", "opencode.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite",
		"file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)+"?_pragma=journal_mode(wal)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(openCodeSchema); err != nil {
		t.Fatal(err)
	}
	return Source{Agent: OpenCode, Path: path}, db
}

func exec(t testing.TB, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func one(t *testing.T, src Source) Source {
	t.Helper()
	list, err := Sessions(t.Context(), src)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0]
}

func TestADatabaseIsReadAsOneWhateverItsDirectoryIsCalled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.json", "opencode.db")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, db, openCodeSchema)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, entries, _ := readFrom(t, one(t, Source{Agent: OpenCode, Path: path}), Offset{})
	if diff := cmp.Diff([]string{"Round half to even?"}, texts(entries)); diff != "" {
		t.Error(diff)
	}
}

func TestAnOpenCodeSessionIsContinuedWhereItsAnswersWereFinished(t *testing.T) {
	src, db := openCodeDB(t)
	s, entries, off := readFrom(t, one(t, src), Offset{})
	if diff := cmp.Diff([]string{"Round half to even?"}, texts(entries)); diff != "" || !s.Fresh {
		t.Fatal(diff) // the answer is still being written
	}
	exec(t, db, `UPDATE part SET data = '{"type":"text","text":"Yes: banks do."}' WHERE id = 'prt_2'`)
	exec(t, db,
		`UPDATE message SET data = '{"role":"assistant","time":{"created":1,"completed":1766000003000}}' WHERE id = 'msg_2'`)
	s, entries, off = readFrom(t, one(t, src), off)
	if diff := cmp.Diff([]string{"Yes: banks do."}, texts(entries)); diff != "" || s.Fresh {
		t.Error(diff)
	}
	if _, entries, _ = readFrom(t, one(t, src), off); len(entries) != 0 {
		t.Errorf("read twice: %+v", entries)
	}
	exec(t, db, `DELETE FROM message WHERE id = 'msg_2'`) // the user went back one step
	if s, _, _ = readFrom(t, one(t, src), off); !s.Fresh {
		t.Error("a session whose last message is gone must be read from the start")
	}
}

func TestBrokenRowsAreSkippedAndCounted(t *testing.T) {
	src, db := openCodeDB(t)
	exec(t, db,
		`INSERT INTO part VALUES ('prt_1b', 'msg_1', 'ses_1', 1, 1, '{"type":'), ('prt_1c', 'msg_1', 'ses_1', 1, 1, '[]')`)
	s, entries := readAll(t, one(t, src))
	if len(entries) != 1 || s.Stats.Skipped != 2 {
		t.Errorf("%d entries, %+v", len(entries), s.Stats)
	}
}

func TestALockedDatabaseIsSaidToBeLocked(t *testing.T) {
	src, db := openCodeDB(t)
	exec(t, db, `PRAGMA journal_mode = delete`)
	exec(t, db, `BEGIN EXCLUSIVE`)
	_, err := Sessions(t.Context(), src)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), src.Path) {
		t.Errorf("error %v, want ErrLocked with the path", err)
	}
	exec(t, db, `ROLLBACK`)
	one(t, src)
}

func TestADamagedDatabaseIsAnErrorThatNamesIt(t *testing.T) {
	whole, db := openCodeDB(t)
	exec(t, db, `PRAGMA wal_checkpoint(truncate)`)
	data, err := os.ReadFile(whole.Path)
	if err != nil {
		t.Fatal(err)
	}
	zeroed := append([]byte{}, data...)
	clear(zeroed[100:])
	for name, content := range map[string]string{
		"text": strings.Repeat("not a database ", 100), "cut": string(data[:len(data)/2]), "zeroed": string(zeroed),
		"empty": "",
	} {
		for _, agent := range []string{OpenCode, Cursor} {
			src := Source{Agent: agent, Path: filepath.Join(t.TempDir(), "state.vscdb")}
			write(t, src.Path, content)
			list, err := Sessions(t.Context(), src)
			if agent == Cursor && name == "empty" {
				continue // a database without tables has no conversations
			}
			if err == nil || !strings.Contains(err.Error(), src.Path) {
				t.Errorf("%s %s: sessions %v, error %v", agent, name, list, err)
			}
			src.ID = "x"
			if _, _, err := Read(t.Context(), src, Offset{}, nil); err == nil || !strings.Contains(err.Error(), src.Path) {
				t.Errorf("%s %s: read error %v", agent, name, err)
			}
		}
	}
}

func TestNothingIsWrittenToAnotherProgramsDatabase(t *testing.T) {
	src, _ := openCodeDB(t)
	err := withDB(src, func(db *sql.DB) error {
		_, err := db.Exec(`UPDATE session SET title = 'x'`)
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "readonly") && !strings.Contains(err.Error(), "read-only") {
		t.Errorf("error %v", err)
	}
}

// This checks the text of the queries: what they do not name cannot leave the database.
func TestNoQueryReachesTheCredentials(t *testing.T) {
	for _, file := range []string{"opencode.go", "opencode_files.go", "sqlite.go"} {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"SELECT *", "account", "credential", "session_share", "secret"} {
			if strings.Contains(strings.ToLower(string(code)), strings.ToLower(word)) {
				t.Errorf("%s names %q", file, word)
			}
		}
	}
}

func TestACursorConversationIsContinuedInItsOrder(t *testing.T) {
	user := cursorUser(t)
	path := filepath.Join(user, "globalStorage", "state.vscdb")
	src := Source{Agent: Cursor, Path: path, ID: "comp-1"}
	_, first, off := readFrom(t, src, Offset{})
	makeDB(t, path,
		insert("cursorDiskKV", "composerData:comp-1",
			`{"createdAt":1766000000000,"fullConversationHeadersOnly":[{"bubbleId":"z"},{"bubbleId":"y"},{"bubbleId":"gone"},{"bubbleId":"b"},{"bubbleId":"a"},{"bubbleId":"0"},{"bubbleId":"1"}]}`), insert("cursorDiskKV", "bubbleId:comp-1:0", `{"type":1,"text":"And a test."}`),
		insert("cursorDiskKV", "bubbleId:comp-1:1", `{"type":2,"toolFormerData":{"name":"edit","status":"loading"}}`))
	s, second, off2 := readFrom(t, src, off)
	if len(first) != 4 || s.Fresh || off2.Pos != 6 {
		t.Fatalf("%d entries, fresh %v, offset %+v", len(first), s.Fresh, off2)
	}
	if diff := cmp.Diff([]string{"And a test."}, texts(second)); diff != "" {
		t.Error(diff)
	}
	makeDB(t, path, insert("cursorDiskKV", "composerData:comp-1",
		`{"createdAt":1766000000000,"fullConversationHeadersOnly":[{"bubbleId":"z"},{"bubbleId":"0"}]}`))
	if s, entries, _ := readFrom(t, src, off2); !s.Fresh || len(entries) != 2 {
		t.Errorf("a conversation that went back must be read from the start: %+v", entries)
	}
}
