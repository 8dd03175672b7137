package distill

import (
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/transcript"
)

// hearing returns a compactor for a session that reads everything.
func hearing(g *privacy.Gate, scope string, known repeats) *compactor {
	yes := func(string, time.Time) bool { return true }
	return &compactor{repeats: known, dir: "/src/shop", key: g.ID, a: &Admission{Gate: g, Scope: scope,
		Moved: func(string) {}, Prompt: yes, Step: yes}}
}

func ran(output string, beside any) transcript.Entry {
	return transcript.Entry{Role: transcript.Tool, Tool: "Bash", Input: map[string]any{"command": "cat notes.txt"},
		Output: output, Beside: beside}
}

// TestARepeatedOutputTeachesEachSessionItsSecrets has the same output in three sessions: what holds a secret is read in
// each of them, and what holds none only once.
func TestARepeatedOutputTeachesEachSessionItsSecrets(t *testing.T) {
	g, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const secret = "Zk7pQ2mX9vLr4TnB"
	plain := strings.Repeat("the tide table was printed again\n", 200)
	known := repeats{}
	for _, scope := range []string{"one", "two", "three"} {
		c := hearing(g, scope, known)
		for _, output := range []string{plain, plain + "DB_PASSWORD=" + secret + "\n" + plain} {
			if err := c.take(ran(output, nil)); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.take(transcript.Entry{Role: transcript.User, Text: "is it " + secret + " there?"}); err != nil {
			t.Fatal(err)
		}
		if said := c.steps[len(c.steps)-1].Text.String(); strings.Contains(said, secret) {
			t.Errorf("session %s holds the secret: %q", scope, said)
		}
		if len(known) != 1 {
			t.Errorf("session %s: %d outputs are known, want the one without a secret", scope, len(known))
		}
	}
}

func TestWhatIsInAResultIsNotHeardAgainBesideIt(t *testing.T) {
	text := strings.Repeat("a berth is priced by the metre and by the night\n", 10)
	numbers := ""
	for line := range strings.Lines(text) {
		numbers += "     1→" + line
	}
	for name, output := range map[string]string{"as it is": text, "with numbers": numbers} {
		if got := unread(ran(output, map[string]any{"type": "text", "file": map[string]any{"content": text}})); got != nil {
			t.Errorf("%s: left %v", name, got)
		}
	}
	beside := map[string]any{"password": "moorhen77", "stdout": text}
	got, _ := unread(ran("password is moorhen77", beside)).(map[string]any)
	if got["password"] != "moorhen77" || got["stdout"] != text {
		t.Errorf("what a name says about a value is lost: %v", got)
	}
}
