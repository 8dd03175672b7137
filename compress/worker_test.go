package compress

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/longtest"
	"keepmum/privacy"
	"keepmum/store"
)

// bench is a worker with real components except the model.
type bench struct {
	t    *testing.T
	db   *store.DB
	gate *privacy.Gate
	srv  *ollamatest.Server
	w    *Worker
	now  time.Time
}

func newBench(t *testing.T, srv ollamatest.Options, change func(*Options)) *bench {
	t.Helper()
	b := &bench{t: t, now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return b.now }
	var err error
	if b.db, err = store.Open(t.Context(),
		store.Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: clock}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.db.Close(); err != nil {
			t.Error(err)
		}
	})
	if b.gate, err = privacy.New(privacy.Options{Key: []byte("a key for tests")}); err != nil {
		t.Fatal(err)
	}
	if srv.Models == nil {
		srv.Models = []ollamatest.Model{{Name: "tiny:latest"}}
	}
	b.srv = ollamatest.New(srv)
	t.Cleanup(b.srv.Close)
	o := Options{DB: b.db, Gate: b.gate, Now: clock, PerMinute: 1000, Idle: time.Nanosecond,
		Model: func(ctx context.Context, name string) (llm.Provider, error) {
			return llm.Open(ctx, llm.Options{URL: b.srv.URL, Model: name, Timeout: 10 * time.Second})
		}}
	if change != nil {
		change(&o)
	}
	b.w = New(o)
	b.later(time.Minute) // the machine has been idle
	return b
}

func (b *bench) later(d time.Duration) { b.now = b.now.Add(d) }

func (b *bench) clean(s string) privacy.Clean {
	c, _ := b.gate.Text(s)
	return c
}

// turn stores a prompt, a command and an answer, and returns the prompt's id.
func (b *bench) turn(session, prompt, output string) int64 {
	b.t.Helper()
	ref := store.SessionRef{Agent: b.clean("claude"), Native: b.clean(session),
		Project: store.Project{Name: b.clean("inn")}}
	p, err := b.db.PutPrompt(b.t.Context(), store.Prompt{Session: ref, Text: b.clean(prompt)})
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = b.db.PutObservation(b.t.Context(),
		store.Observation{Session: ref, Tool: privacy.Const("Bash"), Title: privacy.Const("Bash make"),
			Input: privacy.Const(`{"command":"make"}`), Output: b.clean(output), Failed: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return p.ID
}

func (b *bench) batch() { b.w.batch(b.t.Context()) }

func (b *bench) jobs(state store.JobState) int {
	b.t.Helper()
	jobs, err := b.db.Jobs(b.t.Context(), 1000, state)
	if err != nil {
		b.t.Fatal(err)
	}
	return len(jobs)
}

// summaries returns the stored summaries of a session.
func (b *bench) summaries(session string) []store.SummaryRow {
	b.t.Helper()
	ses, err := b.db.FindSession(b.t.Context(), b.clean("claude"), b.clean(session))
	if err != nil {
		b.t.Fatal(err)
	}
	rows, err := b.db.Summaries(b.t.Context(), ses.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return rows
}

func TestASearchNeverWaitsForAModel(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	b.srv.Close() // the model is gone
	b.turn("s", "Why does the build stop at the linker?", "error: undefined symbol deflate")
	b.batch()
	res, err := b.db.Search(t.Context(), store.Query{Text: "linker deflate", Type: store.KindSummary})
	if err != nil || len(res.Hits) != 1 {
		t.Fatalf("got %+v, %v", res, err)
	}
	if s := b.w.Status(); s.State != stateWaiting || !strings.Contains(s.Reason, "does not answer") || s.Drafts != 1 {
		t.Errorf("status %+v", s)
	}
	if b.jobs(store.JobDone) != 1 {
		t.Error("the heuristic did not work the queue off")
	}
}

// TestAMissingModelIsNotAFailure: without a model, no failures are reported and nothing waits. When one appears,
// it summarises the latest jobs again.
func TestAMissingModelIsNotAFailure(t *testing.T) {
	var there *bench
	for name, srv := range map[string]ollamatest.Options{
		"no server": {},
		"no model":  {Models: []ollamatest.Model{{Name: "stub:cloud"}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, srv, func(o *Options) {
				opened := o.Model
				o.Model = func(ctx context.Context, name string) (llm.Provider, error) {
					if there != nil {
						return llm.Open(ctx, llm.Options{URL: there.srv.URL})
					}
					return opened(ctx, name)
				}
			})
			if srv.Models == nil {
				b.srv.Close()
			}
			for range 2 * breakAfter {
				b.turn("s", "Why does the build stop at the linker?", "error: undefined symbol deflate")
				b.later(time.Minute)
				b.batch()
				b.w.judge(fmt.Errorf("a question of sync: %w", b.w.openFails(t)))
			}
			if s := b.w.Status(); s.State != stateWaiting || strings.Contains(s.Reason, "failed") ||
				b.jobs(store.JobDone) != 2*breakAfter {
				t.Errorf("%+v, %d jobs done", s, b.jobs(store.JobDone))
			}
			there = newBench(t, ollamatest.Options{}, nil)
			defer func() { there = nil }()
			b.batch()
			if n := len(there.srv.Chats()); n != 2*breakAfter || b.jobs(store.JobDone) != 2*breakAfter {
				t.Errorf("a model that came was asked %d questions, %d jobs are done", n, b.jobs(store.JobDone))
			}
			b.batch()
			if n := len(there.srv.Chats()); n != 2*breakAfter {
				t.Errorf("it was asked again: %d questions", n)
			}
		})
	}
}

// openFails returns the error of a model that cannot be opened.
func (w *Worker) openFails(t *testing.T) error {
	t.Helper()
	_, err := w.o.Model(t.Context(), "")
	if err == nil {
		t.Fatal("there is a model")
	}
	return err
}

func TestWithoutAModelNothingStaysInTheQueue(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.Model = nil })
	b.turn("s", "Why does the build stop?", "error: undefined symbol")
	b.batch()
	if b.jobs(store.JobDone) != 1 || len(b.srv.Received()) > 0 {
		t.Errorf("%d jobs done, %d bytes sent", b.jobs(store.JobDone), len(b.srv.Received()))
	}
}

func TestAModelsWordingReplacesTheHeuristics(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	b.turn("s", "Round the prices", "error: 3 != 4")
	b.batch()
	got := b.summaries("s")
	if len(got) != 1 || got[0].Provider != "ollama" || got[0].Model != "tiny:latest" || got[0].Digest == "" ||
		got[0].Tokens == 0 || got[0].Type != "bugfix" || len(got[0].InputHash) != 64 {
		t.Fatalf("got %+v", got)
	}
	if !strings.HasPrefix(got[0].Text, "Changed the rounding") {
		t.Errorf("text %q", got[0].Text)
	}
	if len(b.srv.Unloaded()) != 1 {
		t.Error("the model was not unloaded after the batch")
	}
}

func TestTheNewestJobComesFirst(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, nil)
	for i := range 4 {
		b.turn("s", fmt.Sprintf("Question number %d of the day", i), "error: x")
	}
	b.batch()
	for i, c := range b.srv.Chats() {
		if want := fmt.Sprintf("Question number %d", 3-i); !strings.Contains(c.Messages[1].Content, want) {
			t.Errorf("question %d is not about %q", i, want)
		}
	}
}

func TestAnEventStopsTheNextJob(t *testing.T) {
	var b *bench
	b = newBench(t, ollamatest.Options{Answer: func(c ollamatest.Chat) ollamatest.Reply {
		b.w.Touch() // the user types while the model thinks
		return ollamatest.Summary(c)
	}}, nil)
	for range 3 {
		b.turn("s", "Round the prices again", "error: x")
	}
	b.batch()
	if n := len(b.srv.Chats()); n != 1 {
		t.Errorf("%d questions were asked, want the one that was under way", n)
	}
	if b.jobs(store.JobDone) != 1 || b.jobs(store.JobPending) != 2 {
		t.Errorf("%d done, %d pending", b.jobs(store.JobDone), b.jobs(store.JobPending))
	}
	b.later(time.Minute)
	b.batch()
	if n := len(b.srv.Chats()); n != 2 {
		t.Errorf("%d questions after it was quiet again, want one more", n)
	}
}

func TestJunkIsRefusedAndTheHeuristicStays(t *testing.T) {
	long := strings.Repeat("The user asked to round the prices again and the build failed. ", 4)
	answers := map[string]string{
		"empty":         `{"summary":"","type":"note","files":[],"concepts":[]}`,
		"placeholder":   `{"summary":"string","type":"note","files":[],"concepts":[]}`,
		"refusal":       `{"summary":"I'm sorry, but I cannot help with that.","type":"note","files":[],"concepts":[]}`,
		"unknown type":  `{"summary":"Rounded the prices to cents.","type":"poem","files":[],"concepts":[]}`,
		"extra members": `{"summary":"Rounded the prices to cents.","type":"note","files":[],"concepts":[],"system":"x"}`,
		"no JSON":       `Rounded the prices.`,
		"two answers":   `{"summary":"Rounded the prices to cents.","type":"note"} {"summary":"x"}`,
		"noise":         `{"summary":"\u0001)(*&^%$#@!)(*&^ %$#@!)(*&abcdefgh","type":"note","files":[],"concepts":[]}`,
		"instructions":  `{"summary":"You write one entry of a work log.","type":"note","files":[],"concepts":[]}`,
		"echo":          `{"summary":"` + long + `","type":"note","files":[],"concepts":[]}`,
	}
	for i, name := range slices.Sorted(maps.Keys(answers)) {
		if !longtest.Every(3, i) {
			continue
		}
		answer := answers[name]
		t.Run(name, func(t *testing.T) {
			b := newBench(
				t, ollamatest.Options{Answer: func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Text: answer} }},
				nil)
			b.turn("s", long, "error: x")
			for range 5 {
				b.batch()
				b.later(time.Hour)
			}
			if got := b.summaries("s"); len(got) != 1 || got[0].Provider != "heuristic" {
				t.Errorf("kept %+v", got)
			}
			if n := len(b.srv.Chats()); n != 3 || b.jobs(store.JobDead) != 1 {
				t.Errorf("%d tries, %d dead", n, b.jobs(store.JobDead))
			}
		})
	}
}

// long adds steps with long outputs to the last turn of a session.
func (b *bench) long(session string, steps int) {
	b.t.Helper()
	ref := store.SessionRef{Agent: b.clean("claude"), Native: b.clean(session),
		Project: store.Project{Name: b.clean("inn")}}
	for i := range steps {
		out := fmt.Sprintf("step %d of the checks\n%s", i, strings.Repeat("a line of what was printed\n", 40))
		if _, err := b.db.PutObservation(b.t.Context(),
			store.Observation{Session: ref, Tool: privacy.Const("Bash"), Title: privacy.Const("Bash make"),
				Input: privacy.Const(`{"command":"make"}`), Output: b.clean(out)}); err != nil {
			b.t.Fatal(err)
		}
	}
}

func TestWhatDoesNotFitIsSplitAndNothingIsCutInSilence(t *testing.T) {
	b := newBench(t, ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest", Context: 1500}}}, nil)
	b.turn("s", "Run all the checks", "error: x")
	b.long("s", 12)
	b.batch()
	if got := b.summaries("s"); len(got) != 1 || got[0].Provider != "ollama" {
		t.Fatalf("kept %+v", got)
	}
	all := ""
	for _, c := range b.srv.Chats() {
		all += c.Messages[1].Content
	}
	for i := range 12 {
		if !strings.Contains(all, fmt.Sprintf("step %d of the checks", i)) {
			t.Errorf("the model never saw step %d", i)
		}
	}
	if len(b.srv.Chats()) < 3 {
		t.Errorf("%d questions", len(b.srv.Chats()))
	}
}

func TestASessionOfOneTurnSaysWhatCameOfIt(t *testing.T) {
	prompt := store.ObservationRow{ID: 1, Type: store.KindPrompt, Role: string(store.RoleUser),
		Text: "Why does the staging deploy fail?"}
	answer := store.ObservationRow{ID: 2, Type: store.KindPrompt, Role: string(store.RoleAssistant),
		Text: "Migration 0042 is not applied on staging.", Turn: 1}
	compaction := store.ObservationRow{ID: 3, Type: store.KindPrompt, Role: string(store.RoleAssistant), Who: "compaction",
		Text: "The user asked about staging.", Turn: 1}
	turn := heuristic(readTurn([]store.ObservationRow{prompt, answer, compaction}))
	if !strings.Contains(turn.Text, "Migration 0042") || strings.Contains(turn.Text, "The user asked") {
		t.Errorf("a compaction is no answer: got %q", turn.Text)
	}
	summary := store.ObservationRow{ID: 4, Type: store.KindSummary, Turn: 1, Text: turn.Text + "\nstaging, deploy"}
	earlier := store.ObservationRow{ID: 5, Type: store.KindSummary, Text: "Worked on something."}
	if got := heuristicSession([]store.ObservationRow{prompt, answer, compaction, summary,
		earlier}); got.Text != turn.Text {
		t.Errorf("got %q, want %q", got.Text, turn.Text)
	}
	var rows []store.ObservationRow
	for i := range int64(5) {
		rows = append(rows,
			store.ObservationRow{ID: 10 + i, Type: store.KindPrompt, Role: string(store.RoleUser),
				Text: fmt.Sprintf("Look into problem number %d of the importer", i)},
			store.ObservationRow{Type: store.KindSummary, Turn: 10 + i,
				Text: fmt.Sprintf("Read importer.go. Found: cause %d. Asked: Look into problem number %d of the importer", i, i)})
	}
	want := "5 requests. Look into problem number 0 of the importer: cause 0; Look into problem number 3 of the " +
		"importer: cause 3; Look into problem number 4 of the importer: cause 4"
	if got := heuristicSession(rows); got.Text != want {
		t.Errorf("got %q", got.Text)
	}
}

func TestASessionHasASummaryOfItsTurns(t *testing.T) {
	b := newBench(t, ollamatest.Options{}, func(o *Options) { o.Model = nil })
	b.turn("s", "Round the prices to cents", "error: x")
	b.turn("s", "Add a discount function", "error: y")
	ref := store.SessionRef{Agent: b.clean("claude"), Native: b.clean("s"), Project: store.Project{Name: b.clean("inn")}}
	if _, err := b.db.EndSession(t.Context(), ref, privacy.Const("exit"), b.now); err != nil {
		t.Fatal(err)
	}
	b.batch()
	got := b.summaries("s")
	if len(got) != 3 || got[2].Scope != store.JobSession || !strings.Contains(got[2].Text, "Round the prices") ||
		!strings.Contains(got[2].Text, "discount") {
		t.Errorf("got %+v", got)
	}
}
