package extract

import (
	"strings"
	"testing"

	"keepmum/memory"
	"keepmum/privacy"
)

// remark is something a user says after the assistant said or did something.
type remark struct {
	before string // the assistant's message; "" = the user speaks first
	ran    string // a command that the assistant ran before
	user   string
	want   memory.Primitive // "" = nothing
	has    string           // in title or body
}

func (r remark) session(t *testing.T, g *privacy.Gate) Session {
	t.Helper()
	clean := func(s string) privacy.Clean { c, _ := g.Text(s); return c }
	s := Session{Agent: clean("claude"), ID: clean("one")}
	if r.before != "" {
		s.Steps = append(s.Steps, Step{Role: User, Text: clean("have a look at the importer and make it read the new files")})
		s.Steps = append(s.Steps,
			Step{Role: Tool, Tool: clean("Edit"), Files: []privacy.Clean{clean("src/importer.go")}, Edit: true})
		if r.ran != "" {
			s.Steps = append(s.Steps, Step{Role: Tool, Tool: clean("Bash"), Command: clean(r.ran)})
		}
		s.Steps = append(s.Steps, Step{Role: Assistant, Text: clean(r.before)})
	}
	s.Steps = append(s.Steps, Step{Role: User, Text: clean(r.user), Ref: clean("7")},
		Step{Role: Assistant, Text: clean("Understood.")},
		Step{Role: Tool, Tool: clean("Edit"), Files: []privacy.Clean{clean("src/other.go")}, Edit: true},
		Step{Role: Assistant, Text: clean("Done.")})
	return s
}

func checkRemarks(t *testing.T, all []remark) {
	h, g := heuristic(), testGate(t)
	for _, r := range all {
		var got []memory.Candidate
		for _, c := range h.Extract(t.Context(), r.session(t, g), nil).Candidates {
			if _, ok := memory.Check(c); ok {
				got = append(got, c)
			}
		}
		switch {
		case r.want == "" && len(got) > 0:
			t.Errorf("%q\n\tgave %s %q", r.user, got[0].Primitive, got[0].Title)
		case r.want == "":
		case len(got) != 1:
			t.Errorf("%q\n\tgave %d candidates, want a %s", r.user, len(got), r.want)
		case got[0].Primitive != r.want && r.want != "any":
			t.Errorf("%q\n\tgave a %s, want a %s", r.user, got[0].Primitive, r.want)
		case !strings.Contains(strings.ToLower(got[0].Title.String()+" "+got[0].Body.String()), r.has):
			t.Errorf("%q\n\tdoes not mention %q: %q %q", r.user, r.has, got[0].Title, got[0].Body)
		}
	}
}

func TestWhatIsWorthRemembering(t *testing.T) {
	const done = "I added the client and a test for it. Everything is green."
	const ways = "There are two options. We can keep the sessions in Redis, or we store them in the database. Which do " +
		"you prefer?"
	checkRemarks(t, []remark{
		// Stated explicitly.
		{"", "", "please remember that the staging cluster only accepts images from our own registry", memory.Learning,
			"registry"},
		{done, "", "from now on run the linter before you commit anything", memory.Learning, "linter"},
		{done, "", "Always squash before merging, the release script reads one commit per change.", memory.Learning,
			"squash"},
		{done, "", "going forward I want error messages without a trailing dot", memory.Learning, "trailing"},
		{done, "", "note for the future: the sandbox of the payment provider is down every sunday", memory.Learning,
			"sunday"},
		{"", "", "we agreed yesterday to use protobuf for the events because the mobile team needs the schema. please " +
			"start with the order event", memory.Decision, "protobuf"},
		{done, "", "from now on please answer in German", memory.Learning, "german"},
		{done, "", "never push to main because the hook deploys it", memory.Learning, "push"},
		{"", "", "Write a commit message. From now on, always write commit messages in the imperative mood",
			memory.Learning, "imperative"},
		{"", "", "write a test for the importer\n\nremember that we never mock the database", memory.Learning, "mock"},
		// Choices with a reason.
		{ways, "", "let's go with redis, because the database is already under load and sessions may get lost anyway",
			memory.Decision, "redis"},
		{ways, "", "we stick with the database, a second store means a second backup", memory.Decision, "database"},
		{ways, "", "I decided for redis after all since the ops team runs one for us", memory.Decision, "redis"},
		{ways, "", "neither, we drop server sessions altogether and use signed cookies instead, that way nothing has to " +
			"be stored", memory.Decision, "cookies"},
		{"Shall I write the worker in Go or in Python?", "", "Python", memory.Decision,
			"shall i write the worker in go or in python"},
		// Other languages.
		{done, "", "ab jetzt bitte alle Commits auf Englisch", memory.Learning, "englisch"},
		{done, "", "denk dran: die Tests laufen nur mit make test", memory.Learning, "make test"},
		{done, "", "记住：我们使用 pnpm", memory.Learning, "pnpm"},
		{done, "", "no, en este proyecto nunca usamos clases para eso, todos los módulos son funciones", memory.Learning,
			"funciones"},
		{done, "", "a partir de ahora los mensajes de commit en inglés por favor", memory.Learning, "commit"},
	})
}

func TestWhatIsNotWorthRemembering(t *testing.T) {
	const done = "I added the client and a test for it. Everything is green."
	const lecture = "In general, always validate input at the border and never trust the client. Many teams decided to " +
		"use a schema library because it is declarative. You should prefer small functions."
	checkRemarks(t, []remark{
		// About one document only.
		{"", "", "Write a mail to the customers. Never mention prices, always say beta, and keep it under 100 words.", "",
			""},
		{"", "", "Draft the release notes. Don't use emoji, always start with a verb.", "", ""},
		{"", "", "translate this page to english, never translate product names in this text", "", ""},
		{done, "", "in this table always use two decimals please", "", ""},
		{done, "", "use british spelling in this document, and never the oxford comma", "", ""},
		// The beginning was pasted.
		{"", "", "the panel says `reloading`, for ever and never stops if I run the query", "", ""},
		// Somebody else's words.
		{"", "", "what does this mean?\n\n" +
			"> Always use the pool. Never open a connection by hand. From now on all clients must authenticate.", "", ""},
		{"", "", "explain this:\n```\n# Remember: always run make clean, never commit bin/\nfrom now on use tabs\n```", "",
			""},
		{"", "", "the docs say:\n\nFrom now on all plugins must be signed. Never load unsigned plugins. We decided to drop " +
			"v1 because of that.", "", ""},
		{"", "", "my colleague wrote \"from now on we always use the new cluster, never the old one\", what did he mean?", "",
			""},
		{"", "", "log:\n2026-01-02 10:00:00 ERROR never retry, always fail\n2026-01-02 10:00:01 WARN from now on degraded",
			"", ""},
		{lecture, "", "ok interesting, thanks", "", ""},
		{lecture, "", "makes sense. and how does the library handle nested lists", "", ""},
	})
}

func TestHowAMemoryReads(t *testing.T) {
	h, g := heuristic(), testGate(t)
	clean := func(s string) privacy.Clean { c, _ := g.Text(s); return c }
	ask := "Prices must be integer cents from now on, never floats: we lost money to rounding. The token is ghp_" +
		strings.Repeat("aB3dE6gH9", 4) + " by the way."
	s := Session{Agent: clean("claude"), ID: clean("one"),
		Steps: []Step{{Role: User, Text: clean(ask)}, {Role: Assistant, Text: clean("Done.")}}}
	got := h.Extract(t.Context(), s, nil).Candidates
	if len(got) != 1 {
		t.Fatalf("%d candidates", len(got))
	}
	if title := got[0].Title.String(); title != "Prices must be integer cents from now on, never floats: we lost money "+
		"to rounding" {
		t.Errorf("title %q", title)
	}
	if body := got[0].Body.String(); strings.Count(body, "integer cents") != 1 {
		t.Errorf("the body says it twice: %q", body)
	}
	if strings.Contains(got[0].Body.String(), "REDACTED") {
		t.Errorf("the body holds a mark of the gate: %q", got[0].Body)
	}
	for _, tag := range got[0].Tags {
		if strings.Contains(strings.ToLower(tag.String()), "redacted") {
			t.Errorf("tag %q", tag)
		}
	}
}

func TestASentenceWithAHoleIsNoMemory(t *testing.T) {
	h, g := heuristic(), testGate(t)
	clean := func(s string) privacy.Clean { c, _ := g.Text(s); return c }
	key := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	for name, ask := range map[string]string{
		"inside":           "Always push releases with the token " + key + " from now on, never with the bot's account.",
		"at its end":       "From now on always push the releases of the shop with the token " + key,
		"at its beginning": key + " is what we must always use for the releases of the shop from now on.",
		"pasted":           "From now on the releases must always be pushed with this:\n\n    " + key + "\n",
		"too long": strings.Repeat("It is a long story. ", maxMessage/20-3) + "Prices must be integer cents from now on, " +
			"never floats, because we lost money to rounding in the last two years of the shop.",
	} {
		s := Session{Agent: clean("claude"), ID: clean("one"),
			Steps: []Step{{Role: User, Text: clean(ask)}, {Role: Assistant, Text: clean("Done.")}}}
		got := h.Extract(t.Context(), s, nil)
		if len(got.Candidates)+len(got.Below)+len(h.Rules(s)) > 0 {
			t.Errorf("%s: %+v %+v %+v", name, got.Candidates, got.Below, h.Rules(s))
		}
	}
}

func TestAMemoryIsTheStatementItself(t *testing.T) {
	low := New()
	low.bar, low.least = 0, 0 // whatever the weights are
	checks := []struct{ user, title, not string }{
		{"ok, let's rename to run_manifest, spawn a worker then", "Let's rename to run_manifest", "spawn"},
		{"nevermind, i decided to stick with the tasks of the editor, now explain to me how they are run",
			"I decided to stick with the tasks of the editor", "explain"},
		{"please fix. i no longer use prek", "I no longer use prek", ""},
		{"so for future reference this is the command I have to run:\nmake ship ENV=prod",
			"For future reference this is the command I have to run: make ship ENV=prod", ""},
		{"hmm, from now on never write to the old bucket, because the auditors read it",
			"From now on never write to the old bucket, because the auditors read it", ""},
	}
	for _, c := range checks {
		s := remark{before: "I changed the importer. Everything is green.", user: c.user}.session(t, testGate(t))
		got := low.Extract(t.Context(), s, nil).Candidates
		if len(got) != 1 || got[0].Title.String() != c.title {
			t.Errorf("%q gave %v", c.user, got)
			continue
		}
		if c.not != "" && strings.Contains(got[0].Body.String(), c.not) {
			t.Errorf("an order of the day is in %q", got[0].Body)
		}
	}
}

func TestCandidatesBelowTheThresholdSayWhy(t *testing.T) {
	for user, why := range map[string]Why{
		"never push to main directly pls, the hook deploys it at once":                            Unsure,
		"dont ever touch the files under gen/, they are overwritten by the generator":             Unsure,
		"non, chez nous on n'utilise jamais de requêtes brutes, il faut passer par le repository": Unsure,
		"from now on always use that": NoObject,
	} {
		s := remark{before: "I changed the importer. Everything is green.", user: user}.session(t, testGate(t))
		got := heuristic().Extract(t.Context(), s, nil)
		if len(got.Candidates) != 0 || len(got.Below) != 1 || got.Below[0].Why != why || got.Below[0].Confidence < floor {
			t.Errorf("%q gave %v and %v, want a proposal: %s", user, got.Candidates, got.Below, why)
		}
	}
}
