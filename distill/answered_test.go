package distill_test

import (
	"path/filepath"
	"strings"
	"testing"

	"keepmum/distill"
	"keepmum/extract"
)

// An answer that the user gave to a tool is a word of the user, and passes the gate with the question it answers.
func TestAnswersAreTheUsersWordsWithoutTheirSecrets(t *testing.T) {
	const value = "Gurke88xx"
	r := newRig(t)
	s := &spoken{t: t, id: "s1"}
	s.says("user", "set up staging")
	answers := map[string]any{
		"questions": []any{map[string]any{"question": "Which password should I use for staging?"},
			map[string]any{"question": "Tabs or spaces?"}},
		"answers": map[string]any{"Which password should I use for staging?": value, "Tabs or spaces?": always}}
	s.uses("AskUserQuestion", map[string]any{"questions": answers["questions"]}, "User has answered your questions",
		answers)
	s.line("attachment", map[string]any{"attachment": map[string]any{"type": "queued_command", "commandMode": "prompt",
		"prompt": "remember: the cellar of the shop is painted in a pale blue, never in white"}})
	r.write(filepath.Join(r.agents, "claude", "projects", "-x", "s1.jsonl"), strings.Join(s.lines, "\n")+"\n")
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 2 {
		t.Fatalf("%+v", rep)
	}
	r.holdsNone(value)
	for _, st := range r.seen[0].Steps {
		if strings.Contains(st.Text.String(), value) {
			t.Errorf("%s: %q", st.Role, st.Text)
		}
	}
	if last := r.seen[0].Steps[len(r.seen[0].Steps)-1]; last.Role != extract.User {
		t.Errorf("%+v", last)
	}
}
