package distill_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"keepmum/distill"
	"keepmum/extract"
	"keepmum/store"
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

// A session that only hooks saw has the same answers.
func TestAnswersThatOnlyHooksSawAreTheUsersWords(t *testing.T) {
	r := newRig(t)
	r.hooked("s1", "shop", "set up the editor", r.now.Add(-2*time.Hour))
	ref := store.SessionRef{Agent: r.text("claude"), Native: r.text("s1")}
	output := r.text(`{"questions":[{"question":"Tabs or spaces?"}],"answers":{"Tabs or spaces?":"` + always + `"}}`)
	if _, err := r.db.PutObservation(t.Context(), store.Observation{Session: ref, Tool: r.text("AskUserQuestion"),
		Input: r.text(`{"questions":[{"question":"Tabs or spaces?"}]}`), Output: output,
		At: r.now.Add(-2 * time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if rep := r.sync(distill.SyncOptions{}); rep.Learnings != 1 {
		t.Errorf("%+v", rep)
	}
}
