package daemon

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"keepmum/api"
	"keepmum/config"
	"keepmum/llm/ollamatest"
	"keepmum/transcript"
)

// modelThatSays is a model that says what it is told to, and records what it is asked.
func modelThatSays(t *testing.T, answer string) (*ollamatest.Server, func(*config.Config)) {
	t.Helper()
	model := ollamatest.New(ollamatest.Options{
		Models: []ollamatest.Model{{Name: "small", Context: 8192, Capabilities: []string{"completion"}}},
		Answer: func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Text: answer} },
	})
	t.Cleanup(model.Close)
	return model, func(c *config.Config) {
		c.Compress.Provider, c.Compress.URL, c.Compress.Model = "ollama", model.URL, "small"
	}
}

func TestEachClaimOfAModelRestsOnAPassage(t *testing.T) {
	model, with := modelThatSays(t,
		`{"claims":[{"text":"Totals are rounded half to even.","from":[1]},{"text":"The moon is made of cheese.","from":[]},{"text":"So it is everywhere.","from":[99]}]}`)
	r, repo := startRig(t, t.TempDir(), with), repository(t)
	m := r.remember(t, rounding(repo)).Memory
	got := into[api.Answer](t,
		r.post(t, "/ask", api.Question{Question: "How are invoice totals rounded here?", Directory: repo}))
	if want := fmt.Sprintf("Totals are rounded half to even. [%d]", m.Entry); got.Answer != want || !got.Known ||
		got.Model == "" || !got.Citations[0].Cited {
		t.Errorf("got %+v, want %q", got, want)
	}
	if !strings.Contains(string(model.Received()), "tax office") {
		t.Error("the model was not given the passage")
	}
	if got := r.ask(t, "GET", "/ledger/egress", ""); !strings.Contains(got.body, `"purpose":"ask"`) {
		t.Errorf("the ledger holds no sending: %s", got.body)
	}
	before := len(model.Chats())
	if got := into[api.Answer](t,
		r.post(t, "/ask", api.Question{Question: "Which kubernetes ingress controller do we use?",
			Directory: repo})); got.Known || got.Answer != "" {
		t.Errorf("got %+v", got)
	}
	if got := into[api.Answer](t,
		r.post(t, "/ask", api.Question{Question: "How are invoice totals rounded here?", Directory: repo,
			NoModel: true})); got.Answer != "" || len(got.Citations) == 0 {
		t.Errorf("got %+v", got)
	}
	if n := len(model.Chats()); n != before {
		t.Errorf("the model was asked %d times for nothing", n-before)
	}
}

func TestAModelThatClaimsWithoutAPassageIsNotRepeated(t *testing.T) {
	_, with := modelThatSays(t, `{"claims":[{"text":"They are always rounded up.","from":[]}]}`)
	r, repo := startRig(t, t.TempDir(), with), repository(t)
	r.remember(t, rounding(repo))
	got := into[api.Answer](t,
		r.post(t, "/ask", api.Question{Question: "How are invoice totals rounded here?", Directory: repo}))
	if got.Known || !strings.HasPrefix(got.Answer, "I don't know") || len(got.Citations) == 0 {
		t.Errorf("got %+v", got)
	}
}

func TestAModelThatSaysNonsenseLeavesThePassages(t *testing.T) {
	_, with := modelThatSays(t, `certainly! here is your answer`)
	r, repo := startRig(t, t.TempDir(), with), repository(t)
	r.remember(t, rounding(repo))
	got := into[api.Answer](t,
		r.post(t, "/ask", api.Question{Question: "How are invoice totals rounded here?", Directory: repo}))
	if !got.Known || got.Answer != "" || got.Why == "" || len(got.Citations) == 0 {
		t.Errorf("got %+v", got)
	}
}

// TestQuestionsStayWithinTheBudget: what is asked by hand and what a sync asks
// cost the same as summaries.
func TestQuestionsStayWithinTheBudget(t *testing.T) {
	model, with := modelThatSays(t, `{"claims":[{"text":"Totals are rounded half to even.","from":[1]}]}`)
	r, repo := startReading(t, t.TempDir(), transcript.Roots{Claude: withSession(t)}, with,
		func(c *config.Config) { c.Compress.DailyTokens = 50 }), repository(t)
	r.remember(t, rounding(repo))
	q := api.Question{Question: "How are invoice totals rounded here?", Directory: repo}
	if got := into[api.Answer](t, r.post(t, "/ask", q)); got.Answer == "" {
		t.Fatalf("got %+v", got)
	}
	if got := into[api.Answer](t, r.post(t, "/ask", q)); got.Answer != "" ||
		!strings.Contains(got.Why, "compress.daily_tokens") || len(got.Citations) == 0 {
		t.Errorf("got %+v", got)
	}
	if got := r.ask(t, "POST", "/sync", `{}`); !strings.Contains(got.body, `"learnings_added":1`) {
		t.Errorf("the heuristic found nothing: %s", got.body)
	}
	if n := len(model.Chats()); n != 1 {
		t.Errorf("the model was asked %d times", n)
	}
}

func TestAQuestionIsNoPassageOfItsAnswer(t *testing.T) {
	r := startRig(t, t.TempDir())
	r.say(t, "old", "the payment webhook rejects refunds from Stripe")
	r.answer(t, "old", "It rejects refunds from Stripe because the signature is of the first payment.")
	r.say(t, "new", "Why are refunds rejected by the payment webhook?")
	got := into[api.Answer](t,
		r.post(t, "/ask", api.Question{Question: "why are refunds rejected by the payment webhook", Project: "shop"}))
	if len(got.Citations) == 0 {
		t.Fatal("nothing is told")
	}
	for _, c := range got.Citations {
		if strings.HasPrefix(c.Text, "Why are refunds") {
			t.Errorf("the question is passage %d: %q", c.Entry, c.Text)
		}
	}
}

// What an agent said is not shown as the user's words, and a question not without its answer.
func TestAnAnswerSaysWhoSaidWhat(t *testing.T) {
	r := startRig(t, t.TempDir())
	const offer = "The greenhouse pump can stop at 30 degrees or at 35 degrees. Which threshold shall the pump have?"
	r.say(t, "pump", "the greenhouse pump overheats every afternoon, what can we do")
	r.answer(t, "pump", offer)
	r.say(t, "pump", "the first")
	r.answer(t, "pump", "Done.")
	r.say(t, "valve", "what does the bypass valve do in winter? no one in the nursery can say")
	r.answer(t, "valve", "The bypass valve drains the outer pipes in winter, because frozen pipes burst.")
	r.say(t, "label", "which colour do the labels of organic tomatoes have? nobody knows")
	r.answer(t, "label", "The labels of organic tomatoes are yellow, like all others.")
	r.say(t, "label", "no, they must always be green")
	for question, want := range map[string]string{
		"what colour is on labels of organic tomatoes?": `the user: "which colour do the labels of organic tomatoes have? ` +
			`nobody knows"; api: "The labels of organic tomatoes are yellow, like all others."; the user: "no, they must ` +
			`always be green"`,
		"at which threshold does the greenhouse pump stop?": `api: "` + offer + `"; the user: "the first"`,
		"what is the bypass valve for in winter?": `the user: "what does the bypass valve do in winter? no one in the ` +
			`nursery can say"; api: "The bypass valve drains the outer pipes in winter, because frozen pipes burst."`,
	} {
		got := into[api.Answer](t, r.post(t, "/ask", api.Question{Question: question, Project: "shop"}))
		n := 0
		for _, c := range got.Citations {
			if c.Text == want {
				n++
			} else if strings.Contains(want, c.Text) && !strings.Contains(c.Text, "green") {
				t.Errorf("%s: passage %d repeats %q", question, c.Entry, c.Text)
			}
		}
		if n != 1 {
			t.Errorf("%s: %+v", question, got.Citations)
		}
	}
}

// A memory is not shown next to the statement that it was made of, unless it was written later.
func TestAMemoryInTheWordsOfAStatementIsNoFurtherPassage(t *testing.T) {
	r, dir, later := startLearning(t)
	said := r.says(t, "one", dir, "ok. "+cellar+". now fix the door list")
	r.says(t, "one", dir, "and sort it by floor")
	later()
	if n := len(r.learned(t, dir)); n != 1 {
		t.Fatalf("%d memories", n)
	}
	ask := func() (kinds []string, first int64) {
		got := into[api.Answer](t, r.post(t, "/ask", api.Question{Question: "when is the cellar locked?", Directory: dir}))
		for _, c := range got.Citations {
			if strings.Contains(c.Text, "wine was stolen") {
				kinds, first = append(kinds, c.Type), cmp.Or(first, c.Entry)
			}
		}
		return kinds, first
	}
	if kinds, first := ask(); len(kinds) != 1 || first != said {
		t.Errorf("shown: %v, first %d, want the prompt %d", kinds, first, said)
	}
	later()
	r.remember(t, api.MemoryAdd{Title: cellar, Primitive: "learning", Kind: "fact", Directory: dir, New: true})
	if kinds, _ := ask(); len(kinds) != 2 {
		t.Errorf("with a newer memory in these words: %v", kinds)
	}
}
