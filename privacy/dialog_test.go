package privacy

import (
	"fmt"
	"strings"
	"testing"

	"keepmum/privacy/pair"
	"keepmum/privacy/sessions"
)

// said is what the agent and then the user say; "«" and "»" are around the secret.
type said struct{ agent, user string }

func (s said) run(g *Gate) (kept, want, secret string) {
	want = s.user
	if strings.Contains(s.user, "«") {
		want, secret = marked(s.user)
	}
	g.Event(Raw{Session: "s", Speaker: Agent, Fields: map[string]string{"text": s.agent}})
	return g.Event(Raw{Session: "s", Speaker: User, Fields: map[string]string{"text": want}}).Fields["text"].String(),
		want, secret
}

func TestAnAnswerToAQuestionForASecretIsOne(t *testing.T) {
	for _, s := range []said{
		{"What is the password for staging?", "«Reiher372hain!»"},
		{"What is the password for staging?", "«Reiher372hain»"},
		{"I could not log in.\n\nPlease send me the database password, or run the migration yourself.",
			"its «Ginster373moor!» ok?"},
		{"Could you paste the API key of the mail service?", "sure: «Winter2024xAb»"},
		{"Which login should I use for the admin page?", "bob / «Winter2024x»"},
		{"Which login should I use for the admin page?", "root:«Winter2024x»"},
		{"Please enter the verification code that was sent to you.", "«493817»"},
		{"What's the PIN?", "«48213»"},
		{"Wie lautet das Passwort für die Datenbank?", "das ist `«Herbst19wind»`."},
		{"Bitte nenne mir die Zugangsdaten.", "«Herbst19wind»"},
		{"Quel est le mot de passe ?", "«Fasan!2024»"},
		{"I need the token of the CI to go on.", "try «nebelhorn77»"},
		{"Which passphrase should I use for the archive?", "«heron-cellar-amber-tuba»"},
		{"Wie lautet das Kennwort?", "«heron-cellar»"}, {"What is the password of the zip?", "try \"«amber-tuba»\"."},
	} {
		kept, want, secret := s.run(newGate(t, Options{}))
		if secret == "" || strings.Contains(kept, secret) {
			t.Errorf("%q: %q became %q", s.agent, want, kept)
		}
	}
}

func TestOtherAnswersAreKept(t *testing.T) {
	for _, s := range []said{
		{"I renamed the file. Shall I go on?", "yes, with report2024final"},
		{"Should I reset the password in the test?", "no, use option2"},
		{"What is the password for staging?", "I don't know, skip it"},
		{"What is the password for staging?", "staging-api"}, {"What is the password for staging?", "read-only"},
		{"Which passphrase should I use for the archive?", "none for now, see the heron-cellar ticket"},
		{"What is the password for staging?", "look into config/staging2.yml"},
		{"What is the password for staging?", "it is in the wiki, page 77"},
		{"Which token type should I use, JWT or opaque?", "JWT, signed with RS256"},
		{"Could you tell me where the secret is stored?", "in internal/auth/token2.go, line 12"},
		{"The password is stored as a hash.", "rename User2Account to Account42Test"},
		{"Please run the tests with your token.", "they pass, commit ac946dc and v1.22.3"},
		{"What is the password policy?", "at least 12 letters, 2 digits, see https://example.com/policy2024x"},
		{"Can you share the login of the CI?", "later. First fix these: " +
			strings.Repeat("the handler is slow and wrong; ", 12) + "see build2024run"},
	} {
		if kept, want, _ := s.run(newGate(t, Options{})); kept != want {
			t.Errorf("%q: %q became %q", s.agent, want, kept)
		}
	}
}

func TestAQuestionIsOfItsSessionAndPasses(t *testing.T) {
	g := newGate(t, Options{})
	ask := func(session string, who Speaker, text string) string {
		return g.Event(Raw{Session: session, Speaker: who, Fields: map[string]string{"text": text}}).Fields["text"].String()
	}
	ask("a", Agent, "What is the password?")
	if got := ask("b", User, "Reiher372hain"); got != "Reiher372hain" {
		t.Errorf("another session: %q", got)
	}
	if got := ask("a", User, "Reiher372hain"); got == "Reiher372hain" {
		t.Error("it is kept")
	}
	ask("a", Agent, "Thank you, that worked.")
	if got := ask("a", User, "Falken373moor"); got != "Falken373moor" {
		t.Errorf("long after: %q", got)
	}
	for i := range 3 * sessions.Max {
		ask(fmt.Sprint("session ", i), Agent, "What is the password?")
	}
	if n := g.dialog.byID.Len(); n != sessions.Max {
		t.Errorf("%d sessions are kept", n)
	}
}

func TestWhatIsTypedWhereAPasswordIsAskedForIsOne(t *testing.T) {
	for _, c := range []struct {
		before, tool, input, output string
	}{
		{"", "write_stdin", `{"session_id":1,"chars":"«Ginster385burg!»\n"}`, `"Password: \nLogin ok"`},
		{"", "write_stdin", `{"session_id":1,"chars":"«Ginster385burg!»\n"}`,
			`"[sudo] password for bob: \nSorry, try again.\n[sudo] password for bob: "`},
		{`{"output":"Connecting\nbob@host's password: "}`, "write_stdin", `{"chars":"«tulipfield»\n"}`,
			`{"output":"Welcome"}`},
		{`{"stdout":"Enter passphrase for key '/x/id':"}`, "mcp__tmux__send_keys", `{"keys":"«Ginster385burg»"}`, ``},
		{`[{"type":"text","text":"Token: "}]`, "mcp__term__type", `{"text":"«Ginster385burg»"}`,
			`[{"type":"text","text":"ok"}]`},
	} {
		g := newGate(t, Options{})
		if c.before != "" {
			g.Event(Raw{Session: "s", Tool: "exec_command", Output: decoded(t, c.before)})
		}
		kept, _, secrets := toolCall{c.tool, c.input, c.output}.run(t, g)
		if len(secrets) == 0 || strings.Contains(kept, secrets[0]) {
			t.Errorf("%s: %s", c.input, kept)
		}
	}
}

func TestWhatIsTypedElsewhereIsKept(t *testing.T) {
	for _, c := range []struct {
		before, tool, input, output string
	}{
		{"", "write_stdin", `{"chars":"go test ./...\n"}`, `"ok privacy 1.2s"`},
		{"", "write_stdin", `{"chars":"ssh host7\n"}`, `"bob@host7's password: "`},
		{`{"output":"Name: "}`, "write_stdin", `{"chars":"report2024\n"}`, `"ok"`},
		{`{"output":"a:\n  password:"}`, "Read", `{"text":"report2024"}`, `"ok"`},
		{`{"output":"password: "}`, "write_stdin", `{"chars":"\u0003"}`, `"^C"`},
	} {
		g := newGate(t, Options{})
		if c.before != "" {
			g.Event(Raw{Session: "s", Tool: "exec_command", Output: decoded(t, c.before)})
		}
		if kept, want, _ := (toolCall{c.tool, c.input, c.output}).run(t, g); kept != want {
			t.Errorf("%s became %s", want, kept)
		}
	}
}

func TestTheAnswerToAToolThatAsksForASecretIsOne(t *testing.T) {
	for _, c := range []toolCall{
		{"AskUserQuestion", `{"questions":[{"question":"Which password should I use for staging?","header":"Staging"}]}`,
			`{"answers":{"Which password should I use for staging?":"«Gurke88xx»"}}`},
		{"request_user_input", `{"questions":[{"id":"q1","question":"Please enter the API key."}]}`,
			`{"answers":{"q1":{"answers":["«Gurke88xxAb»"]}}}`},
		{"ask_user", `{"question":"What is the PIN of the SIM card?"}`, `"it is «Gurke88xx»"`},
	} {
		kept, _, secrets := c.run(t, newGate(t, Options{}))
		if len(secrets) == 0 || strings.Contains(kept, secrets[0]) {
			t.Errorf("%s: %s", c.input, kept)
		}
	}
	for _, c := range []toolCall{
		{"AskUserQuestion", `{"questions":[{"question":"Which branch should I use?"}]}`,
			`{"answers":{"Which branch should I use?":"release2024x"}}`},
		{"Task", `{"prompt":"Please find the token."}`, `"internal/auth/check.go, line 12, since release2024x"`},
	} {
		if kept, want, _ := c.run(t, newGate(t, Options{})); kept != want {
			t.Errorf("%s became %s", want, kept)
		}
	}
}

func TestTheAnswerToAQueryForPasswordsIsSecret(t *testing.T) {
	for _, c := range []toolCall{
		{"mcp__db__query", `{"sql":"select password from users"}`, `[["«Lerchen368horst!»"],["«tulipfield»"]]`},
		{"mcp__db__query", `{"sql":"SELECT u.id, u.name,\n u.pw FROM users u"}`,
			`{"rows":[[1,"bob","«Lerchen368horst»"]]}`},
		{"mcp__db__query", `{"query":"select distinct \"api_token\" from t"}`,
			`[{"type":"text","text":"[[\"«Lerchen368horst»\"],[\"«Gurke!88xx»\"]]"}]`},
		{"mcp__db__query", `{"statement":"select secret from oauth limit 1"}`, `"«84921347»"`},
	} {
		kept, _, secrets := c.run(t, newGate(t, Options{}))
		for _, s := range secrets {
			if strings.Contains(kept, s) {
				t.Errorf("%s: %s", c.input, kept)
			}
		}
	}
	for _, c := range []toolCall{
		{"mcp__db__query", `{"sql":"select name, password_changed_at from users"}`, `[["bob2024user","2024-05-17"]]`},
		{"mcp__db__query", `{"sql":"select count(password), name from users"}`, `[[12,"report2024x"]]`},
		{"mcp__db__query", `{"sql":"select id, name, token from t"}`,
			`{"rowCount":1,"command":"SELECT","rows":[[7,"bob2024user",null]]}`},
		{"mcp__db__query", `{"sql":"update users set active = 1"}`, `"report2024x"`},
	} {
		if kept, want, _ := c.run(t, newGate(t, Options{})); kept != want {
			t.Errorf("%s became %s", want, kept)
		}
	}
}

// A question about a secret is none for it: its answer stays.
func TestQuestionsAboutSecretsAreNoneForThem(t *testing.T) {
	for _, q := range []string{
		"What is the name of the secret in the cluster?", "What should the password field be called?",
		"Which branch has the token fix?", "What is the env variable of the password called?", "What's the token limit?",
		"I need the password policy; which one?", "Please enter the number of the issue about the token.",
		"Could you give me the URL of the token endpoint?", "Please tell me which password hash to use.",
		"Provide the key name for the cache.",
		"Which version of the secrets manager?", "How many characters must the password have?",
		"What is the primary key of this table?", "Which user's password should be reset?",
	} {
		if pair.AsksForSecret(q) {
			t.Errorf("%q asks for a secret", q)
		}
	}
	for _, q := range []string{"What is the database password?", "Could you give me the API token?",
		"Please enter the PIN of the card.", "What's the password for the staging user?",
		"Which password should I use for bob?"} {
		if !pair.AsksForSecret(q) {
			t.Errorf("%q asks for none", q)
		}
	}
}

func TestAPromptThatAnnouncesASecretIsFollowedByOne(t *testing.T) {
	g := newGate(t, Options{})
	say := func(text string) string {
		return g.Event(Raw{Session: "s", Speaker: User, Fields: map[string]string{"text": text}}).Fields["text"].String()
	}
	say("I will send you the root password in the next message")
	if got := say("f5RyPiCuK48tFySCuCNC"); strings.Contains(got, "f5RyPi") {
		t.Errorf("%q", got)
	}
	if text := "now run the tests of release2024x"; say(text) == "" {
		t.Error("nothing is left")
	}
}
