package leanctx

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"keepmum/memory"
)

func contents(t *testing.T, name string) Contents {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAKnowledgeBase(t *testing.T) {
	c := contents(t, "knowledge.json")
	if c.Root != "/home/ada/shop" || c.Automatic != 2 || c.Empty != 1 || len(c.Memories) != 6 {
		t.Fatalf("root %q, %d automatic, %d empty, %d memories", c.Root, c.Automatic, c.Empty, len(c.Memories))
	}
	old, queue, linter, naming := c.Memories[0], c.Memories[2], c.Memories[3], c.Memories[5]
	if !old.Archived || old.Key != "payments/provider" || old.ValidTo.IsZero() || old.Kind != memory.Fact ||
		!slices.Equal(old.Sources, []memory.Origin{{Session: "lean-ctx/20260110-0900"}}) {
		t.Errorf("what gave way: %+v", old)
	}
	if queue.Primitive != memory.Decision || queue.Title != "Events go over NATS streams" ||
		queue.Key != "decision/queue-choice" ||
		!strings.HasPrefix(queue.Body, "RabbitMQ lost messages") {
		t.Errorf("a decision of two sentences: %+v", queue)
	}
	if linter.Title != "linter: ruff" || linter.Confidence != 1 || linter.Sources != nil {
		t.Errorf("a word: %+v", linter)
	}
	if naming.Kind != memory.Insight || naming.Body != "- OnPaid\n- OnRefunded" || naming.Key != "" {
		t.Errorf("a pattern: %+v", naming)
	}
}

func TestGotchas(t *testing.T) {
	c := contents(t, "gotchas.json")
	if len(c.Memories) != 1 || c.Empty != 1 || c.Hash == "" {
		t.Fatalf("%+v", c)
	}
	m := c.Memories[0]
	if m.Kind != memory.Pitfall || m.Title != "error: linker `cc` not found" ||
		!strings.Contains(m.Body, "What helps: Install build-essential") || !strings.Contains(m.Body, "Seen 4 times") ||
		len(m.Sources) != 2 || !slices.Equal(m.Tags, []string{"build", "ci"}) {
		t.Errorf("%+v", m)
	}
}

func TestASession(t *testing.T) {
	c := contents(t, "session.json")
	if c.Session == nil || c.Session.ID != "20260305-1000" || c.Automatic != 1 {
		t.Fatalf("%+v", c)
	}
	var got []string
	for _, n := range c.Session.Notes {
		got = append(got, n.Type+" "+n.Text)
	}
	want := []string{"task Move payments to Adyen",
		"decision Keep Stripe for refunds until May: old charges can only be refunded there",
		"finding The webhook signs the raw body", "next Wire the webhook"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestAListAndLinesOfFacts(t *testing.T) {
	one := `{"category":"payments","key":"provider","value":"Payments use Adyen today",` +
		`"confidence":0.7,"source":"import","timestamp":"2026-03-05T10:00:00Z"}`
	for name, text := range map[string]string{"a list": "[" + one + "]", "lines": one + "\n\n" + one + "\n",
		"a line": one} {
		c, err := Read([]byte(text))
		if err != nil || len(c.Memories) == 0 ||
			c.Memories[0].Key != "payments/provider" ||
			c.Memories[0].Confidence != 0.7 ||
			c.Memories[0].Created.IsZero() {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func TestWhatIsNoneOfIt(t *testing.T) {
	for name, text := range map[string]string{"nothing": "", "a text": "hello", "another object": `{"a":1}`,
		"cut off": `{"project_root":"/x","facts":[{"category":"a"`, "numbers": `[1,2]`, "other types": `{"facts":{"a":1}}`,
		"half lines": `{"category":"a","key":"b","value":"c"}` + "\nhello"} {
		if _, err := Read([]byte(text)); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzRead checks that whatever is read can be written.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"knowledge.json", "gotchas.json", "session.json"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Read(data)
		for _, m := range c.Memories {
			if m.Title == "" || m.Confidence < 0 || m.Confidence > 1 || m.Primitive == memory.Decision && m.Kind != "" {
				t.Errorf("%+v, %v", m, err)
			}
		}
	})
}
