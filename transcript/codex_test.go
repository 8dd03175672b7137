package transcript

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forked is the rollout of a subagent: its own header, then the parent's conversation, then what the subagent did.
const forked = `{"timestamp":"2026-11-20T21:20:13Z","type":"session_meta","payload":{"id":"child","parent_thread_id":"root","forked_from_id":"root","cwd":"/home/dev/inn","cli_version":"0.169.0"}}
{"timestamp":"2026-11-20T21:20:13Z","type":"session_meta","payload":{"id":"root","cwd":"/home/dev/inn"}}
{"timestamp":"2026-11-20T21:20:13Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Said to the parent."}]}}
{"timestamp":"2026-11-20T21:20:13Z","type":"response_item","payload":{"type":"function_call","name":"spawn_agent","arguments":"{}","call_id":"c0"}}
{"timestamp":"2026-11-20T21:20:13Z","type":"event_msg","payload":{"type":"thread_settings_applied","thread_id":"child"}}
{"timestamp":"2026-11-20T21:20:14Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"There are three."}]}}
{"timestamp":"2026-11-20T21:20:14Z","type":"event_msg","payload":{"type":"task_complete","last_agent_message":"There are three."}}
`

func codexFile(t testing.TB, content string) Source {
	t.Helper()
	src := claudeFile(t, content)
	src.Agent, src.ID = Codex, "child"
	return src
}

func TestASubagentsRolloutIsReadWithoutItsParentsFromEveryOffset(t *testing.T) {
	lines := strings.SplitAfter(forked, "\n")
	for cut := range lines {
		src := codexFile(t, strings.Join(lines[:cut], ""))
		_, first, off := readFrom(t, src, Offset{})
		write(t, src.Path, forked)
		s, second, _ := readFrom(t, src, off)
		all := append(first, second...)
		if diff := cmp.Diff([]string{"There are three."}, texts(all)); diff != "" {
			t.Fatalf("cut after %d lines: %s", cut, diff)
		}
		if s.Parent != "root" || s.Dir != "/home/dev/inn" || !all[0].Sidechain {
			t.Errorf("cut after %d lines: %+v %+v", cut, s, all)
		}
	}
}

func TestAForkOfTheUserIsNoSubagent(t *testing.T) {
	s, entries := readAll(t, codexFile(t, strings.Replace(forked, `"parent_thread_id":"root",`, "", 1)))
	if len(entries) != 1 || entries[0].Sidechain || s.Parent != "root" {
		t.Errorf("%+v %+v", s, entries)
	}
}

func TestCodexToolsSayWhetherTheyFailed(t *testing.T) {
	for name, c := range map[string]struct {
		output string
		want   any
		failed bool
	}{
		"a process": {`"Chunk ID: 1\nProcess exited with code 3\nOutput:\nboom\n"`,
			"Chunk ID: 1\nProcess exited with code 3\nOutput:\nboom\n", true},
		"a process that is well": {`"Process exited with code 0\nOutput:\nok"`, "Process exited with code 0\nOutput:\nok",
			false},
		"words in its output": {`"Process exited with code 0\nOutput:\nExit code: 1"`,
			"Process exited with code 0\nOutput:\nExit code: 1", false},
		"a patch": {`"Exit code: 1\nWall time: 0 seconds\nOutput:\nno"`,
			"Exit code: 1\nWall time: 0 seconds\nOutput:\nno", true},
		"a patch that does not fit": {`"apply_patch verification failed: no such lines"`,
			"apply_patch verification failed: no such lines", true},
		"old, in JSON":    {`"{\"output\":\"boom\",\"metadata\":{\"exit_code\":127}}"`, "boom", true},
		"an object":       {`{"content":"no","success":false}`, "no", true},
		"a list of texts": {`[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]`, "a\nb", false},
		"nothing":         {`null`, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, failed := codexOutput([]byte(c.output))
			if diff := cmp.Diff(c.want, got); diff != "" || failed != c.failed {
				t.Errorf("%s failed %v, want %v", diff, failed, c.failed)
			}
		})
	}
}

func TestTextRecordedThreeTimesIsYieldedOnce(t *testing.T) {
	three := func(text string) string {
		return strings.ReplaceAll(
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"TEXT"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"TEXT"}}
{"type":"event_msg","payload":{"type":"item_completed","thread_id":"child","item":{"type":"UserMessage","content":[{"type":"text","text":"TEXT"}]}}}
`, "TEXT", text)
	}
	_, entries := readAll(t, codexFile(t, three("yes")+three("go on")+three("yes")))
	if diff := cmp.Diff([]string{"yes", "go on", "yes"}, texts(entries)); diff != "" {
		t.Error(diff)
	}
}

func TestNamesOfRollouts(t *testing.T) {
	id := "01a1fad4-c59d-7e82-baff-0576bb6a1123"
	for name, want := range map[string]string{
		"2026/11/20/rollout-2026-11-20T21-20-10-" + id + ".jsonl":     id,
		"2026/11/20/rollout-2026-11-20T21-20-10-" + id + ".jsonl.zst": id,
		"rollout-" + id + ".jsonl":                                    id,
		"2026/11/20/rollout-2026-11-20T21-20-10.jsonl":                "",
		"2026/11/20/" + id + ".jsonl":                                 "",
		"2026/11/20/rollout-2026-11-20T21-20-10-" + id + ".json":      "",
	} {
		if got, ok := codexSource(filepath.ToSlash(name)); got.ID != want || ok != (want != "") {
			t.Errorf("%s: %q", name, got.ID)
		}
	}
}
