package distill_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
)

// spoken is a session in which a value is seen somewhere and named later.
type spoken struct {
	t     *testing.T
	id    string
	lines []string
}

func (s *spoken) line(kind string, more map[string]any) {
	rec := map[string]any{"type": kind, "sessionId": s.id, "cwd": "/home/dev/shop", "gitBranch": "main",
		"version":   "2.1.0",
		"timestamp": time.Date(2026, 3, 1, 10, len(s.lines), 0, 0, time.UTC).Format(time.RFC3339)}
	for k, v := range more {
		rec[k] = v
	}
	b, err := json.Marshal(rec)
	if err != nil {
		s.t.Fatal(err)
	}
	s.lines = append(s.lines, string(b))
}

func (s *spoken) says(role string, content any, more ...map[string]any) {
	all := map[string]any{"message": map[string]any{"role": role, "id": fmt.Sprint(s.id, len(s.lines)),
		"content": content}}
	for _, m := range more {
		for k, v := range m {
			all[k] = v
		}
	}
	s.line(role, all)
}

func (s *spoken) uses(tool string, input map[string]any, output string, beside any) {
	call := fmt.Sprint(s.id, "-", len(s.lines))
	s.says("assistant", []any{map[string]any{"type": "tool_use", "id": call, "name": tool, "input": input}})
	s.says("user", []any{map[string]any{"type": "tool_result", "tool_use_id": call, "content": output}},
		map[string]any{"toolUseResult": beside})
}

// TestWhatIsSeenAnywhereInATranscriptIsKnownWhenItIsNamed plants a value that no pattern recognises in each place where
// a transcript has text.
func TestWhatIsSeenAnywhereInATranscriptIsKnownWhenItIsNamed(t *testing.T) {
	read := map[string]any{"file_path": "/home/dev/shop/.env"}
	pad := strings.Repeat("# a line of comments about nothing\n", 90)
	for name, seen := range map[string]func(s *spoken, v string){
		"the middle of a denied file": func(s *spoken, v string) { s.uses("Read", read, pad+"APP_THING="+v+"\n"+pad, nil) },
		"the middle of an environment": func(s *spoken, v string) {
			s.uses("Bash", map[string]any{"command": "printenv"},
				strings.Repeat("LANG_A=C\n", 300)+"APP_THING="+v+strings.Repeat("\nLANG_B=C", 300), nil)
		},
		"the middle of a log": func(s *spoken, v string) {
			s.uses("Bash", map[string]any{"command": "cat app.log"},
				strings.Repeat("a line of the log\n", 300)+"DB_PASSWORD="+v+strings.Repeat("\na line of the log", 300), nil)
		},
		"what stands beside a result": func(s *spoken, v string) {
			s.uses("Read", read, "ok",
				map[string]any{"type": "text",
					"file": map[string]any{"filePath": "/home/dev/shop/.env", "content": "APP_THING=" + v}})
		},
		"an attachment": func(s *spoken, v string) {
			s.line("attachment", map[string]any{"attachment": map[string]any{"type": "file", "filename": "/home/dev/shop/.env",
				"content": map[string]any{"type": "text",
					"file": map[string]any{"filePath": "/home/dev/shop/.env", "content": "APP_THING=" + v}}}})
		},
		"a thought": func(s *spoken, v string) {
			s.says("assistant",
				[]any{map[string]any{"type": "thinking", "thinking": "The password is " + v + ".", "signature": "x"}})
		},
		"the answer of the user's shell": func(s *spoken, v string) {
			s.says("user", "<bash-input>cat .env</bash-input>")
			s.says("user", "<bash-stdout>APP_THING="+v+"</bash-stdout><bash-stderr></bash-stderr>")
		},
		"what a program put into a prompt": func(s *spoken, v string) {
			s.says("user", "<system-reminder>DB_PASSWORD="+v+"</system-reminder>go on")
		},
		"a tool that is skipped": func(s *spoken, v string) {
			s.uses("TaskOutput", map[string]any{"task_id": "b1"}, "DB_PASSWORD="+v, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			const value = "hV7nD2sKq9XwB4mTcP"
			r := newRig(t)
			s := &spoken{t: t, id: "s1"}
			s.says("user", "look around")
			seen(s, value)
			s.says("user", "remember: the tenant of the shop is called "+value+" because the old tenant lost data")
			r.write(filepath.Join(r.agents, "claude", "projects", "-x", "s1.jsonl"), strings.Join(s.lines, "\n")+"\n")
			if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
				t.Fatalf("%+v", rep)
			}
			r.holdsNone(value)
		})
	}
}

func TestAValueThatIsCalledAPasswordLaterIsTakenOutOfWhatWasSaidBefore(t *testing.T) {
	const value = "hV7nD2sKq9XwB4mTcP"
	r := newRig(t)
	r.claude("shop", "s1", user("remember: the tenant of the shop is called "+value+" because the old tenant lost data"),
		said{tool: "Bash", input: map[string]any{"command": "ls " + value}, output: "no such file: " + value, failed: true},
		user("by the way, the password for staging is "+value))
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Fatalf("%+v", rep)
	}
	r.holdsNone(value)
}
