package recall_test

import (
	"strings"
	"testing"
	"time"

	"keepmum/recall"
)

// Who asks is told what is near, also where an agent that did not ask is told nothing.
func TestWhoAsksIsToldWhatIsNear(t *testing.T) {
	db, project := chats(t, said{0, ferry})
	asked := recall.Ask{Project: project, Name: "ferry", Prompt: "which passengers pay at the kiosk", Tokens: 400,
		MaxEntries: 5, Now: time.Now(), Asked: true}
	b, err := recall.Find(t.Context(), db, asked)
	if err != nil || b.Text == "" {
		t.Errorf("told %q, %v", b.Text, err)
	}
	asked.Prompt = "paint the giraffe enclosure purple"
	if b, err = recall.Find(t.Context(), db, asked); err != nil || b.Text != "" {
		t.Errorf("about something else: told %q, %v", b.Text, err)
	}
}

// What says "go ahead" asks for nothing, whatever words it shares with earlier work.
func TestARemarkIsToldNothing(t *testing.T) {
	db, project := chats(t, said{0, ferry},
		said{1, []string{"yes, go ahead", "Done.", "looks good, thanks", "You are welcome."}})
	for _, prompt := range []string{"yes, go ahead", "looks good, thanks"} {
		if text := ask(t, db, project, prompt).Text; strings.TrimSpace(text) != "" {
			t.Errorf("%q is told:\n%s", prompt, text)
		}
	}
}
