package main

import (
	"os"
	"path/filepath"
	"testing"

	"keepmum/tools/sessions/judged"
	"keepmum/transcript"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestEachFormIsLaidOutAsAnAgentKeepsIt checks that the readers of `mum sync` find sessions in each format, with what
// the user said.
func TestEachFormIsLaidOutAsAnAgentKeepsIt(t *testing.T) {
	raw, home := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"a+claude/1.jsonl": `{"type":"user","sessionId":"1","cwd":"/else\"where","message":{"content":"close the till at six"}}` + "\n",
		"a+codex/019ed50c-2fb3-7002-a384-360bea6e7f04.jsonl": `{"type":"session_meta","payload":{"id":"019ed50c-2fb3-7002-a384-360bea6e7f04","cwd":"/x"}}` + "\n" + `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"close the till at six"}]}}` + "\n",
		"a+open/ses_3.json": `{"info":{"id":"ses_3","directory":"/x"},"messages":[{"info":{"role":"user","time":{"created":1}},"parts":[{"type":"text","text":"close the till at six"}]}]}`,
		"a+copilot/4.jsonl": `{"type":"session.start","data":{}}` + "\n" +
			`{"type":"user.message","data":{"content":"close the till at six"}}` + "\n",
		"a+spec/5.md": "# Chat\n\n_**User**_\n\nclose the till at six\n\n---\n\n_**Assistant**_\n\nClosed.\n",
	} {
		put(t, filepath.Join(raw, name), text)
	}
	if err := layout([]string{raw, home}); err != nil {
		t.Fatal(err)
	}
	found, err := transcript.Discover(t.Context(),
		transcript.DefaultRoots(home, "linux", func(string) string { return "" }))
	if err != nil || len(found) != 5 {
		t.Fatalf("%d sessions, %v", len(found), err)
	}
	for _, src := range found {
		said := ""
		about, _, err := transcript.Read(t.Context(), src, transcript.Offset{}, func(e transcript.Entry) error {
			if e.Role == transcript.User {
				said += e.Text
			}
			return nil
		})
		if err != nil || said != "close the till at six" {
			t.Errorf("%s: %q, %v", src.Path, said, err)
		}
		if _, err := os.Stat(about.Dir); err != nil {
			t.Errorf("%s: no directory: %v", src.Path, err)
		}
	}
	if layout([]string{t.TempDir(), home}) == nil {
		t.Error("nothing was there to be laid out, and nobody was told")
	}
}

func TestTranscriptsAreTakenOutOfRepositories(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	repo := filepath.Join(from, "some", "shop")
	put(t, filepath.Join(repo, "ab", "1", "full.jsonl"), "short\n")
	put(t, filepath.Join(repo, "ab", "1", "metadata.json"), `{"session_id":"s1"}`)
	put(t, filepath.Join(repo, "cd", "1", "full.jsonl"), "longer than that\n")
	put(t, filepath.Join(repo, "cd", "1", "metadata.json"), `{"session_id":"s1"}`)
	put(t, filepath.Join(repo, ".specstory", "history", "one.md"), "_**User**_\n\nhello\n")
	for _, args := range [][]string{{"init", "-q", "-b", "checks"}, {"add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "one"}} {
		if _, err := git("", append([]string{"-C", repo}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
	if err := fetchOne(dir, from+"/", place{"dev", "some/shop", "checks", ""}); err != nil {
		t.Fatal(err)
	}
	if err := fetchOne(dir, from+"/", place{"blind", "some/shop", history, ""}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "dev", "raw", "some+shop",
		"s1.jsonl")); string(got) != "longer than that\n" {
		t.Errorf("the longest form of a session is %q", got)
	}
	if list, _ := filepath.Glob(filepath.Join(dir, "blind", "raw", "some+shop", "*.md")); len(list) != 1 {
		t.Errorf("%d chats", len(list))
	}
	if fetchOne(dir, from+"/", place{"dev", "some/other", "checks", ""}) == nil {
		t.Error("a repository that is gone is no error")
	}
}

func TestLabelsHoldNoWordsAndStillTellWhatMatches(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "raw", "a+shop", "s1.jsonl"), "{}\n")
	const line = `{"session":"a+shop/s1","items":[{"turn":1,"kind":"rule","who":"user","said":"never close before six ... the last tram","statement":"The till stays open until six.","worth":"keep"}]}` + "\n"
	put(t, filepath.Join(dir, "one"), line)
	put(t, filepath.Join(dir, "two"), `{"session":"a+shop/s1","items":[]}`+"\n")
	out := filepath.Join(dir, "labels")
	if err := hide([]string{filepath.Join(dir, "raw"), out, filepath.Join(dir, "one"),
		filepath.Join(dir, "two")}); err != nil {
		t.Fatal(err)
	}
	labels, err := judged.Read(out)
	if err != nil || len(labels) != 1 || len(labels[0].Labels) != 2 || labels[0].Text != judged.Digest([]byte("{}\n")) {
		t.Fatalf("%+v, %v", labels, err)
	}
	items := labels[0].Labels[0]
	for text, want := range map[string]int{
		"So never close before six. I mean it": 2, "the till has to stay open until six": 2, "six is a number": 0, "": 0,
	} {
		if got, _ := judged.Worth(items, text); got != want {
			t.Errorf("%q is worth %d, want %d", text, got, want)
		}
	}
	put(t, filepath.Join(dir, "data", "memory", "learnings", "x.md"),
		"---\ntitle: x\nsources:\n  - {from: claude/s1, ref: \"3\"}\n---\n\nNever close before six.\n\n"+
			"Came up while working on: the till.\n")
	found, err := written(filepath.Join(dir, "data"))
	if err != nil || len(found["s1"]) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	var s judged.Score
	s.Add(labels[0], found["s1"])
	if s.Strict != .5 || s.Keep != .5 || s.Met != .5 || s.Quiet != 0 { // one of two labellers says so
		t.Errorf("%+v", s)
	}
}
