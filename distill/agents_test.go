package distill_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"keepmum/capture"
	"keepmum/distill"
	"keepmum/privacy/leak"
	"keepmum/store"
)

// quoted returns a text as it is inside a JSON string.
func quoted(s string) string {
	b, _ := json.Marshal(s) // strings always encode
	return string(b[1 : len(b)-1])
}

// write creates a file that was last changed an hour ago.
func (r *rig) write(path, content string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.age(path)
}

func (r *rig) age(path string) {
	r.t.Helper()
	at := r.now.Add(-time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		r.t.Fatal(err)
	}
}

// database creates a SQLite file with some statements.
func (r *rig) database(path string, statements ...string) *sql.DB {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		r.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	r.t.Cleanup(func() { _ = db.Close() })
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			r.t.Fatalf("%s: %v", s, err)
		}
	}
	r.age(path)
	return db
}

// codex writes a rollout of Codex.
func (r *rig) codex(id, dir, branch, prompt, command, output, answer string) {
	line := func(kind, payload string) string {
		return fmt.Sprintf(`{"timestamp":%q,"type":%q,"payload":%s}`+"\n", r.now.Add(-2*time.Hour).Format(time.RFC3339), kind,
			payload)
	}
	args, _ := json.Marshal(map[string]string{"command": command})
	r.write(filepath.Join(r.agents, "codex", "sessions", "2026", "03", "01", "rollout-2026-03-01T10-00-00-"+id+".jsonl"),
		line("session_meta", fmt.Sprintf(`{"id":%q,"cwd":%q,"git":{"branch":%q}}`, id, dir, branch))+
			line("event_msg", fmt.Sprintf(`{"type":"user_message","message":"%s"}`, quoted(prompt)))+
			line("response_item",
				fmt.Sprintf(`{"type":"function_call","name":"exec_command","arguments":"%s","call_id":"c1"}`,
					quoted(string(args))))+
			line("response_item",
				fmt.Sprintf(`{"type":"function_call_output","call_id":"c1","output":"Process exited with code 1\n%s"}`,
					quoted(output)))+
			line("response_item",
				fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"%s"}]}`,
					quoted(answer))))
}

const openCodeTables = `CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text,
	title text, version text, time_created integer, time_updated integer);
	CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
	CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, time_updated integer,
	data text);`

// openCode creates OpenCode's database with one session.
func (r *rig) openCode(dir, title, prompt, command, output, answer string) *sql.DB {
	at := r.now.Add(-2 * time.Hour).UnixMilli()
	row := func(format string, args ...any) string { return fmt.Sprintf(format, args...) }
	q := func(s string) string { return strings.ReplaceAll(s, "'", "''") }
	return r.database(filepath.Join(r.agents, "opencode", "opencode.db"), openCodeTables,
		row(`INSERT INTO session VALUES ('ses_1', 'p', NULL, '%s', '%s', '1.18.33', %d, %d)`, q(dir), q(title), at, at+3000),
		row(`INSERT INTO message VALUES ('m1', 'ses_1', %d, %d, '{"role":"user"}')`, at, at),
		row(`INSERT INTO part VALUES ('p1', 'm1', 'ses_1', %d, %d, '{"type":"text","text":"%s"}')`, at, at,
			q(quoted(prompt))),
		row(`INSERT INTO message VALUES ('m2', 'ses_1', %d, %d, '{"role":"assistant","time":{"created":%d,"completed":%d}}')`,
			at+1, at+1, at+1, at+2), row(`INSERT INTO part VALUES ('p2', 'm2', 'ses_1', %d, %d,
			'{"type":"tool","tool":"bash","callID":"c1","state":{"status":"error","input":{"command":"%s"},"error":"%s"}}')`,
			at+1, at+1, q(quoted(command)), q(quoted(output))),
		row(`INSERT INTO part VALUES ('p3', 'm2', 'ses_1', %d, %d, '{"type":"text","text":"%s"}')`, at+2, at+2,
			q(quoted(answer))))
}

// cursor creates Cursor's database with one conversation.
func (r *rig) cursor(name, prompt, command, output, answer string) {
	at := r.now.Add(-2 * time.Hour).UnixMilli()
	kv := func(key, value string) string {
		return fmt.Sprintf(`INSERT INTO cursorDiskKV VALUES ('%s', '%s')`, key, strings.ReplaceAll(value, "'", "''"))
	}
	args, _ := json.Marshal(map[string]string{"command": command})
	result, _ := json.Marshal(map[string]any{"output": output, "exitCode": 1})
	r.database(filepath.Join(r.agents, "cursor", "globalStorage", "state.vscdb"),
		`CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`,
		`CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)`, kv("composerData:comp-1",
			fmt.Sprintf(
				`{"_v":10,"composerId":"comp-1","name":"%s","createdAt":%d,"lastUpdatedAt":%d,"fullConversationHeadersOnly":[{"bubbleId":"a","type":1},{"bubbleId":"b","type":2},{"bubbleId":"c","type":2}]}`, quoted(name), at, at+1000)), kv("bubbleId:comp-1:a", fmt.Sprintf(`{"_v":3,"type":1,"bubbleId":"a","text":"%s"}`, quoted(prompt))),
		kv("bubbleId:comp-1:b",
			fmt.Sprintf(
				`{"_v":3,"type":2,"bubbleId":"b","text":"","toolFormerData":{"toolCallId":"t1","name":"run_terminal_cmd","rawArgs":"%s","result":"%s","status":"completed"}}`, quoted(string(args)), quoted(string(result)))), kv("bubbleId:comp-1:c", fmt.Sprintf(`{"_v":3,"type":2,"bubbleId":"c","text":"%s"}`, quoted(answer))))
}

// planted returns made-up secrets, one for each place in each agent's files.
func planted(agent string) (secrets map[string]string) {
	secrets = map[string]string{}
	for i, place := range []string{"prompt", "command", "output", "answer", "title", "branch", "dir"} {
		n := len(agent)*31 + i*7
		secrets[place] = "ghp_" +
			fmt.Sprintf("%s%02dQ7xK2vB9nM4sD6fG1hJ3kL5pZ8rT0wYcUe", strings.ToUpper(agent[:2]), n%100)[:36]
	}
	return secrets
}

func TestSecretsInTranscriptsAreWrittenNowhere(t *testing.T) {
	r := newRig(t)
	tell := func(s map[string]string) (prompt, command, output, answer string) {
		return "remember: the token of the build server is " + s["prompt"] + " and it must never be put into a config file",
			"curl -H 'Authorization: Bearer " + s["command"] + "' https://ci.example/build",
			"error: the token " + s["output"] + " has expired",
			"The token " + s["answer"] + " works, and so would " + s["output"]
	}
	c := planted("claude")
	prompt, command, output, answer := tell(c)
	path := filepath.Join(r.agents, "claude", "projects", "-x", "s1.jsonl")
	var lines strings.Builder
	for _, rec := range (said{role: "user", text: prompt}).records("x", "s1", 0, r.now.Add(-2*time.Hour)) {
		rec["cwd"], rec["gitBranch"] = "/home/dev/"+c["dir"], "fix/"+c["branch"]
		b, _ := json.Marshal(rec)
		lines.Write(append(b, '\n'))
	}
	fmt.Fprintf(&lines, `{"type":"custom-title","customTitle":"About %s","sessionId":"s1"}`+"\n", c["title"])
	r.write(path, lines.String())
	r.append(path, "x", "s1", 1,
		said{tool: "Bash", input: map[string]any{"command": command}, output: output, failed: true}, assistant(answer))

	x := planted("xcodex")
	prompt, command, output, answer = tell(x)
	r.codex("01997c11-9a3b-7d10-8f2e-4b1f0c9d2e77", "/home/dev/"+x["dir"], "fix/"+x["branch"], prompt, command, output,
		answer)
	o := planted("opencode")
	prompt, command, output, answer = tell(o)
	r.openCode("/home/dev/"+o["dir"], "About "+o["title"], prompt, command, output, answer)
	u := planted("ucursor")
	prompt, command, output, answer = tell(u)
	r.cursor("About "+u["title"], prompt, command, output, answer)

	rep := r.sync(distill.SyncOptions{})
	if rep.Extracted != 4 || rep.Failed != 0 || rep.Learnings == 0 {
		t.Fatalf("%+v", rep)
	}
	var secrets []leak.Secret
	for agent, all := range map[string]map[string]string{"claude": c, "codex": x, "opencode": o, "cursor": u} {
		for place, value := range all {
			secrets = append(secrets, leak.Secret{Name: agent + " " + place, Value: value})
		}
	}
	scan := leak.NewScanner(secrets)
	tree, err := scan.Dir(r.home)
	if err != nil || tree.Files < 8 {
		t.Fatalf("%d files, %v", tree.Files, err)
	}
	given, _ := json.Marshal(r.seen)
	for _, hit := range append(tree.Hits, scan.Bytes("what was extracted from", given)...) {
		t.Error(hit)
	}
	if !strings.Contains(string(given), "has expired") {
		t.Error("the line that says why a command failed is gone with the secret")
	}
}

func TestAllAgentsAreRead(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user("from claude"))
	r.codex("01997c11-9a3b-7d10-8f2e-4b1f0c9d2e77", "/home/dev/shop", "main", "from codex", "make",
		"FAIL: one test failed", "done")
	r.openCode("/home/dev/shop", "t", "from opencode", "make", "error: no rule", "done")
	r.cursor("t", "from cursor", "make", "error: no rule", "done")
	rep := r.sync(distill.SyncOptions{})
	if rep.Extracted != 4 {
		t.Fatalf("%+v", rep)
	}
	for _, s := range r.seen {
		if s.Steps[0].Text.String() != "from "+s.Agent.String() {
			t.Errorf("%s: %+v", s.Agent, s.Steps)
		}
	}
	for _, s := range r.seen {
		if s.Agent.String() == "codex" &&
			(len(s.Steps) != 3 || s.Steps[1].Command.String() != "make" || !s.Steps[1].Failed ||
				s.Steps[1].Error.String() != "FAIL: one test failed") {
			t.Errorf("the failed command: %+v", s.Steps)
		}
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Indexed+rep.Extracted != 0 || rep.Scanned != 4 {
		t.Errorf("again: %+v", rep)
	}
}

func TestOutputsAndOurOwnWordsAreDropped(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1",
		user("<system-reminder>be nice</system-reminder>why is the bill wrong"),
		said{tool: "Bash", input: map[string]any{"command": "cat bill.txt"},
			output: strings.Repeat("a very long bill\n", 500)},
		said{tool: "mcp__mum__memory_search", input: map[string]any{"query": "bill"}, output: "an old memory"},
		said{tool: "Write",
			input:  map[string]any{"file_path": "/home/dev/shop/bill.go", "content": "package bill // the whole file"},
			output: "ok"},
		assistant("<mum-context>an injected memory</mum-context>It rounds."))
	r.sync(distill.SyncOptions{})
	given, _ := json.Marshal(r.seen)
	for _, gone := range []string{"be nice", "very long bill", "memory_search", "an old memory", "whole file",
		"injected memory"} {
		if strings.Contains(string(given), gone) {
			t.Errorf("%q was kept", gone)
		}
	}
	steps := r.seen[0].Steps
	if len(steps) != 4 || steps[1].Command.String() != "cat bill.txt" || !steps[2].Edit || len(steps[2].Files) != 1 ||
		steps[3].Text.String() != "It rounds." {
		t.Errorf("steps %+v", steps)
	}
}

func TestAFileOnTheDenylistIsNeverKept(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user("look at the settings"),
		said{tool: "Read", input: map[string]any{"file_path": "/home/dev/shop/.env"}, output: "error: MODE=unusualword",
			failed: true})
	r.sync(distill.SyncOptions{})
	r.holdsNone("unusualword")
	if len(r.seen) != 1 || len(r.seen[0].Steps) != 2 {
		t.Errorf("%+v", r.seen)
	}
}

func TestWhatWasSaidDuringAPauseIsNotReadLater(t *testing.T) {
	r := newRig(t)
	if err := capture.Pause(r.home, time.Time{}); err != nil {
		t.Fatal(err)
	}
	began := r.now.Add(-2*time.Hour + 30*time.Second) // between the first prompt and the second
	if err := os.Chtimes(filepath.Join(r.home, "pause.json"), began, began); err != nil {
		t.Fatal(err)
	}
	r.claude("shop", "s1", user(always),
		user("remember: the second line was said while nobody was to listen to any of it"))
	if rep := r.sync(distill.SyncOptions{}); rep.Why["paused"] != 1 || len(r.memories("shop")) != 0 {
		t.Errorf("while paused: %+v", rep)
	}
	if err := capture.Resume(r.home); err != nil {
		t.Fatal(err)
	}
	r.sync(distill.SyncOptions{})
	if got := r.memories("shop"); len(got) != 1 {
		t.Errorf("memories %v", got)
	}
	r.holdsNone("nobody was to listen")
}

func TestALockedOrDamagedDatabaseFailsAlone(t *testing.T) {
	r := newRig(t)
	r.claude("shop", "s1", user(always))
	db := r.openCode("/home/dev/shop", "t",
		"remember: the menu of the week is printed on Mondays before the kitchen opens", "make", "no", "done")
	for _, s := range []string{`PRAGMA journal_mode = delete`, `BEGIN EXCLUSIVE`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	r.write(filepath.Join(r.agents, "cursor", "globalStorage", "state.vscdb"), strings.Repeat("not a database ", 200))
	rep := r.sync(distill.SyncOptions{})
	if rep.Failed != 2 || rep.Learnings != 1 || len(rep.Problems) != 2 {
		t.Fatalf("%+v", rep)
	}
	if _, err := db.Exec(`ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	if rep = r.sync(distill.SyncOptions{}); rep.Failed != 1 || rep.Learnings != 1 {
		t.Errorf("after the lock: %+v", rep)
	}
}

func TestASessionWhoseFileIsGoneLeavesTheQueue(t *testing.T) {
	r := newRig(t)
	path := r.claude("shop", "s1", user(always))
	r.sync(distill.SyncOptions{NoExtract: true})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Failed != 0 || rep.Why["its file is gone"] != 1 {
		t.Errorf("%+v", rep)
	}
	if rows := r.jobs(store.SyncSkipped); len(rows) != 1 {
		t.Errorf("queue %+v", r.jobs())
	}
}

func TestOddTimesAndNamesDoNotStopARun(t *testing.T) {
	r := newRig(t)
	for i, at := range []string{`"2026-03-01T10:00:00"`, `"-5"`, `1772359200000`, `null`, `"yesterday"`} {
		id := fmt.Sprintf("odd-%d", i)
		r.write(filepath.Join(r.agents, "claude", "projects", "-x", id+".jsonl"),
			fmt.Sprintf(
				`{"type":"user","sessionId":%q,"cwd":"/home/dev/../../etc/x: \"#[a]","gitBranch":"../../b","timestamp":%s,"message":{"role":"user","content":"remember: %d: titles like ../../evil and \"yaml: [specials]\" are harmless here, %s"}}`+"\n", id, at, i, id))
	}
	rep := r.sync(distill.SyncOptions{})
	if rep.Failed != 0 || rep.Extracted != 5 {
		t.Errorf("%+v", rep)
	}
	for name := range r.files() {
		if strings.Contains(name, "..") {
			t.Errorf("written to %s", name)
		}
	}
}

func TestFilesAreNamedAsTheProjectNamesThem(t *testing.T) {
	r := newRig(t)
	edit := func(path string) said {
		return said{tool: "Edit", input: map[string]any{"file_path": path, "old_string": "a", "new_string": "b"},
			output: "ok"}
	}
	r.claude("shop", "s1", user("count in cents"), edit("/home/dev/shop/till/money.go"),
		edit("/home/dev/shopping/list.go"), edit("/etc/till.conf"))
	r.sync(distill.SyncOptions{})
	var got []string
	for _, s := range r.seen[0].Steps {
		for _, f := range s.Files {
			got = append(got, f.String())
		}
	}
	if want := []string{"till/money.go", "/home/dev/shopping/list.go", "/etc/till.conf"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
