package hooks

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// payloads returns the recorded payloads of an agent: ours, and those in
// MUM_FIXTURES_DIR when it is set.
func payloads(t testing.TB, agent string) [][]byte {
	t.Helper()
	files := []string{filepath.Join("..", "testdata", "hooks", agent+".jsonl")}
	if dir := os.Getenv("MUM_FIXTURES_DIR"); dir != "" {
		more, err := filepath.Glob(filepath.Join(dir, "hooks", agent+"-*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	var all [][]byte
	for _, f := range files {
		all = append(all, lines(t, f)...)
	}
	return all
}

func lines(t testing.TB, file string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		all = append(all, bytes.Clone(s.Bytes()))
	}
	if s.Err() != nil || len(all) == 0 {
		t.Fatalf("%s: %d lines, %v", file, len(all), s.Err())
	}
	return all
}

func TestEveryEventOfEachAgentDecodesAsTheGoldenFileSays(t *testing.T) {
	for _, agent := range Agents() {
		t.Run(agent, func(t *testing.T) {
			var got bytes.Buffer
			for _, p := range lines(t, filepath.Join("..", "testdata", "hooks", agent+".jsonl")) {
				events, err := Decode(agent, p)
				if err != nil {
					t.Fatalf("%v in %s", err, p)
				}
				for _, e := range events {
					line, _ := json.Marshal(e)
					fmt.Fprintf(&got, "%s\n", line)
				}
			}
			golden(t, filepath.Join("..", "testdata", "hooks", agent+".golden"), got.Bytes())
		})
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestPayloadsOfTheRealAgentsDecode(t *testing.T) {
	if os.Getenv("MUM_FIXTURES_DIR") == "" {
		t.Skip("MUM_FIXTURES_DIR is not set")
	}
	want := map[string]map[Kind]int{
		Claude:   {SessionStart: 4, SessionEnd: 3, Prompt: 2, Answer: 2, Observation: 11, Subagent: 2, Compaction: 1},
		Codex:    {SessionStart: 5, SessionEnd: 4, Prompt: 4, Answer: 4, Observation: 12, Subagent: 2, Compaction: 1},
		OpenCode: {SessionStart: 2, Prompt: 4, Observation: 13, Subagent: 1, Compaction: 1},
	}
	for agent, want := range want {
		t.Run(agent, func(t *testing.T) {
			got := map[Kind]int{}
			own := len(lines(t, filepath.Join("..", "testdata", "hooks", agent+".jsonl")))
			for _, p := range payloads(t, agent)[own:] {
				events, err := Decode(agent, p)
				if err != nil {
					t.Fatalf("%v in %.200s", err, p)
				}
				for _, e := range events {
					got[e.Kind]++
				}
			}
			delete(got, Ignored)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEachCallIDOfASessionOccursOnce(t *testing.T) {
	for _, agent := range Agents() {
		seen := map[string]bool{}
		for _, p := range lines(t, filepath.Join("..", "testdata", "hooks", agent+".jsonl")) {
			events, _ := Decode(agent, p)
			for _, e := range events {
				key := fmt.Sprint(e.Session, e.Kind, e.CallID)
				if e.CallID != "" && seen[key] {
					t.Errorf("%s: %s twice", agent, key)
				}
				seen[key] = true
			}
		}
	}
}

func TestMalformedPayloadsAreErrorsThatDoNotQuoteThem(t *testing.T) {
	const planted = "hunter2"
	deep := strings.Repeat("[", 20_000)
	tests := []struct{ name, agent, payload, reason string }{
		{"empty", Claude, "", "claude: empty"},
		{"text", Claude, planted, "claude: not JSON at byte 1"},
		{"cut", Claude, `{"session_id":"` + planted, "claude: JSON ends too early"},
		{"array", Claude, `["` + planted + `"]`, "claude: not a JSON object"},
		{"string", Codex, `"` + planted + `"`, "codex: not a JSON object"},
		{"two values", Claude, `{} {"a":"` + planted + `"}`, "claude: more than one JSON value"},
		{"deep", Claude, `{"a":` + deep, "claude: not JSON at byte"},
		{"no event", Claude, `{"session_id":"s","x":"` + planted + `"}`, "claude: hook_event_name is missing"},
		{"no session", Claude, `{"hook_event_name":"Stop","x":"` + planted + `"}`, "claude: session_id is missing"},
		{"odd session", Claude, `{"hook_event_name":"Stop","session_id":["` + planted + `"]}`,
			"claude: session_id is not a string"},
		{"long session", Claude, `{"hook_event_name":"Stop","session_id":"` + strings.Repeat(planted, 1e5) + `"}`,
			"claude: session_id is longer than 512 bytes"},
		{"upper case", Claude, `{"HOOK_EVENT_NAME":"Stop","session_id":"` + planted + `"}`,
			"claude: hook_event_name is missing"},
		{"odd prompt", Claude, `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":{"a":"` + planted + `"}}`,
			"claude: prompt is not a text"},
		{"no tool", Codex, `{"hook_event_name":"PostToolUse","session_id":"s","tool_response":"` + planted + `"}`,
			"codex: tool_name is missing"},
		{"no hook", OpenCode, `{"input":"` + planted + `"}`, "opencode: hook is missing"},
		{"no session id", OpenCode, `{"hook":"chat.message","output":"` + planted + `"}`, "opencode: sessionID is missing"},
		{"idle without session", OpenCode,
			`{"hook":"event","input":{"type":"session.idle"},"output":{"text":"` + planted + `"}}`,
			"opencode: sessionID is missing"},
		{"no conversation", Cursor, `{"hook_event_name":"stop","user_email":"` + planted + `"}`,
			"cursor: conversation_id is missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode(tt.agent, []byte(tt.payload))
			if !errors.Is(err, ErrPayload) {
				t.Fatalf("got %v, want ErrPayload", err)
			}
			if !strings.Contains(err.Error(), tt.reason) || strings.Contains(err.Error(), planted) {
				t.Errorf("got %q, want %q and nothing of the payload", err, tt.reason)
			}
		})
	}
}

func TestAByteOrderMarkIsNoReasonToLoseAnEvent(t *testing.T) {
	got, err := Decode(Claude, []byte("\ufeff"+`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"hello"}`))
	if err != nil || len(got) != 1 || got[0].Text != "hello" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAnUnknownAgentIsAnErrorThatNamesTheKnown(t *testing.T) {
	_, err := Decode("vi", []byte(`{}`))
	if !errors.Is(err, ErrAgent) || !strings.Contains(err.Error(), "claude, opencode, codex, cursor") {
		t.Errorf("got %v", err)
	}
}

func TestFieldsOfAnotherTypeReadAsAbsent(t *testing.T) {
	events, err := Decode(Claude,
		[]byte(`{"hook_event_name":"SessionStart","session_id":"s","cwd":7,"source":null,"duration_ms":"x","model":["m"]}`))
	want := []Event{{Agent: Claude, Kind: SessionStart, Name: "SessionStart", Session: "s"}}
	if diff := cmp.Diff(want, events); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestWhatWeInjectedNeverComesBack(t *testing.T) {
	const block = `<mum-context project=\"inn\">\nolder work\n</mum-context>`
	for _, p := range []string{
		`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"` + block + `go on"}`,
		`{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"` + block + `done"}`,
		`{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Read","tool_input":{"a":["` + block +
			`"]},"tool_response":{"file":{"content":"` + block + `"}}}`,
		`{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Read","error":"` + block + `"}`,
	} {
		events, err := Decode(Claude, []byte(p))
		if err != nil || len(events) != 1 || events[0].Kind == Ignored {
			t.Fatalf("%v, %v", events, err)
		}
		if out, _ := json.Marshal(events); bytes.Contains(out, []byte("older work")) {
			t.Errorf("still there: %s", out)
		}
	}
}

func TestStripWrappers(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", " fix it \n", "fix it"},
		{"a question about a tag", "what is <system-reminder>?", "what is <system-reminder>?"},
		{"code stays", "why does Map<string, T> fail & what of <div>x</div>",
			"why does Map<string, T> fail & what of <div>x</div>"},
		{"reminder", "a<system-reminder>\nx\n</system-reminder>b", "ab"},
		{"command", "<command-name>/x</command-name>\n<command-args>only y</command-args>", "only y"},
		{"only output", "<local-command-stdout>secret</local-command-stdout>", ""},
		{"own", "<mum-context>\nx\n</mum-context>\nhello", "hello"},
		{"permissions", "<permissions instructions>all</permissions instructions>hi", "hi"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := StripWrappers(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestATimeThatCannotBeWrittenDownIsDroppedAndTheEventStays(t *testing.T) {
	for given, want := range map[string]int64{"1795209621304": 1795209621304, "253402300799999": 253402300799999,
		"253402300800000": 0, "9007199254740992": 0, "1e40": 0, "-1": 0, `"soon"`: 0} {
		events, err := Decode(OpenCode, []byte(`{"hook":"event","directory":"/home/dev/inn","input":{"type":"session.created",
			"properties":{"sessionID":"ses_1","info":{"time":{"created":`+given+`}}}}}`))
		if err != nil || len(events) != 1 || events[0].Kind != SessionStart {
			t.Fatalf("%s: %+v, %v", given, events, err)
		}
		at := int64(0)
		if !events[0].At.IsZero() {
			at = events[0].At.UnixMilli()
		}
		if _, err := json.Marshal(events[0]); err != nil || at != want {
			t.Errorf("%s: %d, want %d; %v", given, at, want, err)
		}
	}
}

func FuzzDecodeClaude(f *testing.F)   { fuzzDecode(f, Claude) }
func FuzzDecodeCodex(f *testing.F)    { fuzzDecode(f, Codex) }
func FuzzDecodeCursor(f *testing.F)   { fuzzDecode(f, Cursor) }
func FuzzDecodeOpenCode(f *testing.F) { fuzzDecode(f, OpenCode) }

// fuzzDecode: no input panics; what decodes has a kind, has a session unless it
// is ignored, is encodable, and holds neither our block nor an e-mail address
// from Cursor's user_email; what does not decode is one of our errors.
func fuzzDecode(f *testing.F, agent string) {
	for _, p := range payloads(f, agent) {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		events, err := Decode(agent, payload)
		if err != nil {
			if !errors.Is(err, ErrPayload) || len(err.Error()) > 200 {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, e := range events {
			if e.Kind == "" || e.Agent != agent || (e.Kind != Ignored && e.Session == "") {
				t.Fatalf("%+v", e)
			}
			if e.Kind == Observation && e.Tool == "" {
				t.Fatalf("no tool: %+v", e)
			}
			out, err := json.Marshal(e)
			if err != nil || ownBlock.Match(out) {
				t.Fatalf("%v %s", err, out)
			}
		}
	})
}

func TestWhatIsTooLongForItsFieldIsDroppedAndTheEventStays(t *testing.T) {
	long := strings.Repeat("x", maxPath+1)
	events, err := Decode(Claude,
		[]byte(`{"hook_event_name":"SessionStart","session_id":"s","cwd":"/`+long+`","source":"`+long+
			`","model":"m","transcript_path":"/`+long+`"}`))
	want := []Event{{Agent: Claude, Kind: SessionStart, Name: "SessionStart", Session: "s", Model: "m"}}
	if diff := cmp.Diff(want, events); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func TestOfACompactionTheSummaryIsKept(t *testing.T) {
	for given, want := range map[string]string{
		"<analysis>Short session.</analysis>\n<summary>Prices are cents.</summary>": "Prices are cents.",
		"<analysis>It said <summary> once.</analysis> Prices are cents.":            "Prices are cents.",
		"Prices are cents.": "Prices are cents.",
	} {
		payload, err := json.Marshal(map[string]string{"hook_event_name": "PostCompact", "session_id": "s",
			"cwd": "/home/dev", "compact_summary": given})
		if err != nil {
			t.Fatal(err)
		}
		events, err := Decode("claude", payload)
		if err != nil || len(events) != 1 || events[0].Text != want {
			t.Errorf("%q: got %+v, %v", given, events, err)
		}
	}
}
