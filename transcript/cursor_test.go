package transcript

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
)

// cursorUser creates Cursor's directory as version 3 and older versions leave it.
func cursorUser(t testing.TB) string {
	t.Helper()
	user := t.TempDir()
	kv := `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
		CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);`
	makeDB(t, filepath.Join(user, "globalStorage", "state.vscdb"), kv,
		// the order is that of the headers; keys sort the other way round
		insert("cursorDiskKV", "composerData:comp-1",
			`{"_v":10,"composerId":"comp-1","name":"Discount","createdAt":1766000000000,"lastUpdatedAt":1766000100000,"status":"completed",
			"fullConversationHeadersOnly":[
			{"bubbleId":"z","type":1},{"bubbleId":"y","type":2},{"bubbleId":"gone","type":2},
			{"bubbleId":"b","type":2},{"bubbleId":"a","type":2}]}`),
		insert("cursorDiskKV", "bubbleId:comp-1:z",
			`{"_v":3,"type":1,"bubbleId":"z","text":"Add a discount.","createdAt":"2025-12-17T19:33:21.000Z"}`),
		insert("cursorDiskKV", "bubbleId:comp-1:y",
			`{"_v":3,"type":2,"bubbleId":"y","text":"","thinking":{"text":"hm"},"toolFormerData":{"tool":15,"toolCallId":"t1","name":"run_terminal_cmd","rawArgs":"{\"command\":\"go test\"}","result":"{\"output\":\"FAIL\",\"exitCode\":1}","status":"completed"}}`), insert("cursorDiskKV", "bubbleId:comp-1:b", `not json`),
		insert("cursorDiskKV", "bubbleId:comp-1:a", `{"_v":3,"type":2,"bubbleId":"a","text":"Added."}`),
		insert("cursorDiskKV", "bubbleId:comp-10:z", `{"type":1,"text":"of another conversation"}`),
		insert("cursorDiskKV", "composerData:comp-2",
			`{"_v":1,"composerId":"comp-2","name":"Inline","createdAt":1730000000000,"conversation":[{"type":1,"bubbleId":"q","text":"Which port?"},{"type":2,"bubbleId":"r","text":"8080."}]}`), insert("cursorDiskKV", "composerData:comp-3",
			`{"_v":2,"composerId":"comp-3","createdAt":1730000000,"fullConversationHeadersOnly":[{"bubbleId":"m"}],"conversationMap":{"m":{"type":1,"text":"In a map."}}}`), insert("cursorDiskKV", "composerData:empty",
			`{"_v":10,"composerId":"empty","createdAt":1766000000000,"fullConversationHeadersOnly":[]}`),
		insert("cursorDiskKV", "composerData:broken", `{"_v":`),
		insert("cursorDiskKV", "checkpointId:comp-1:x", `{"files":["secret"]}`))
	space := filepath.Join(user, "workspaceStorage", "9a1f")
	makeDB(t, filepath.Join(space, "state.vscdb"), kv,
		insert("ItemTable", "composer.composerData", `{"allComposers":[{"composerId":"comp-1","lastUpdatedAt":1766000100000},
			{"composerId":"comp-0","name":"Oldest","createdAt":1720000000000,
			"conversation":[{"type":1,"bubbleId":"o","text":"Kept in the workspace."}]}]}`),
		insert("ItemTable", "workbench.panel.aichat.view.aichat.chatdata",
			`{"tabs":[{"tabId":"tab-1","chatTitle":"Chat","lastSendTime":1710000000000,"bubbles":[{"type":"user","id":"u","rawText":"An old chat."},{"type":"ai","rawText":"An old answer."}]}]}`))
	write(t, filepath.Join(space, "workspace.json"), `{"folder":"file:///home/dev/my%20inn"}`)
	return user
}

func insert(table, key, value string) string {
	q := func(s string) string { return "'" + quoteSQL(s) + "'" }
	return "INSERT INTO " + table + " VALUES (" + q(key) + ", CAST(" + q(value) + " AS BLOB));"
}

func quoteSQL(s string) string {
	var out []rune
	for _, r := range s {
		if out = append(out, r); r == '\'' {
			out = append(out, r)
		}
	}
	return string(out)
}

func makeDB(t testing.TB, path string, statements ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
