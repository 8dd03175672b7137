package recall_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// work is one finished piece of this project's own history as a session: the request, the edited files, and the answer.
type work struct {
	At       time.Time
	Topic    string
	Asked    string
	Answered string
	Files    []string
}

// question is a prompt of a new session. Its kind is the character before it.
type question struct{ kind, text string }

const (
	related   = "+" // the history has something about it
	unrelated = "-"
	vague     = "~" // it contains nothing to search for
)

func readHistory(t *testing.T) []work {
	t.Helper()
	data, err := os.ReadFile("testdata/history.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []work
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func readQuestions(t *testing.T) []question {
	t.Helper()
	f, err := os.Open("testdata/prompts.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var all []question
	for lines := bufio.NewScanner(f); lines.Scan(); {
		sign, text, _ := strings.Cut(lines.Text(), " ")
		all = append(all, question{sign, text})
	}
	return all
}

// remember stores the history as it would be after a gate.
func remember(t *testing.T, db *store.DB, history []work) {
	t.Helper()
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	clean := func(s string) privacy.Clean { c, _ := gate.Text(s); return c }
	for i, w := range history {
		ref := store.SessionRef{Agent: privacy.Const("claude"), Native: clean(fmt.Sprintf("session %d", i)),
			Project: keepmum()}
		put := func(_ store.Receipt, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		put(db.PutPrompt(t.Context(),
			store.Prompt{Session: ref, Role: store.RoleUser, Text: clean(w.Topic + ": " + w.Asked), At: w.At}))
		for _, f := range w.Files {
			put(db.PutObservation(t.Context(),
				store.Observation{Session: ref, Tool: privacy.Const("Edit"), Title: clean("Edit " + f),
					Input: privacy.Object(privacy.Pair{Key: "file_path", Value: clean(f)}), Body: clean(f), At: w.At}))
		}
		if w.Answered != "" {
			put(db.PutPrompt(t.Context(),
				store.Prompt{Session: ref, Role: store.RoleAssistant, Text: clean(w.Answered), At: w.At}))
		}
	}
}

func keepmum() store.Project {
	return store.Project{Name: privacy.Const("keepmum"),
		Aliases: []store.Alias{{Kind: store.AliasDir, Value: privacy.Const("/home/dev/keepmum")}}}
}

// TestWhatAHundredPromptsAreTold prints the figures of docs/context.md (-v), and fails if too many unrelated prompts
// are told something.
func TestWhatAHundredPromptsAreTold(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	remember(t, db, readHistory(t))
	id, ok, err := db.FindProject(t.Context(), keepmum())
	if err != nil || !ok {
		t.Fatalf("no project: %v", err)
	}
	var tokens []int
	silent, asked := map[string]int{}, map[string]int{}
	questions := readQuestions(t)
	for i, q := range questions {
		b := ask(t, db, id, q.text)
		asked[q.kind]++
		if b.Text == "" {
			silent[q.kind]++
		} else {
			tokens = append(tokens, recall.Tokens(b.Text))
		}
		t.Logf("%d. %s\n%s", i+1, q.text, b.Text)
	}
	slices.Sort(tokens)
	t.Logf("%d prompts; a block has %d tokens (median), %d (max)", len(questions), tokens[len(tokens)/2],
		tokens[len(tokens)-1])
	for _, kind := range []string{related, unrelated, vague} {
		t.Logf("%s %d prompts, %d of them were told nothing", kind, asked[kind], silent[kind])
	}
	if tokens[len(tokens)-1] > 400 {
		t.Errorf("a block has %d tokens", tokens[len(tokens)-1])
	}
	if silent[related] > asked[related]*3/5 || silent[unrelated] < asked[unrelated]*9/10 || silent[vague] < asked[vague] {
		t.Errorf("told nothing: %v of %v", silent, asked)
	}
}

// ask answers the prompt of a session that began earlier and got its primer.
func ask(t *testing.T, db *store.DB, project int64, prompt string) recall.Block {
	t.Helper()
	b, err := recall.Find(context.Background(), db,
		recall.Ask{Project: project, Name: "keepmum", Agent: "claude", Session: "now", Prompt: prompt, Tokens: 400,
			MaxEntries: 5, Now: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	return b
}
