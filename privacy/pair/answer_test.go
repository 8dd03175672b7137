package pair

import (
	"strings"
	"testing"
)

func TestAMessageAsksForASecretAtItsEnd(t *testing.T) {
	for text, want := range map[string]bool{
		"What is the database password?":                   true,
		"Could you share the API key?":                     true,
		"I need the PIN of the router.":                    true,
		"Please paste the token here.\n":                   true,
		"It failed. Please provide your login credentials": true,
		"Wie lautet das Kennwort?":                         true,
		"Bitte schick mir die Zugangsdaten.":               true,
		"Quel est le mot de passe?":                        true,
		"¿Cuál es la contraseña?":                          true,
		"какой пароль?":                                    true,
		"":                                                 false, "?": false, "password": false, "password?": false,
		"The password is wrong.":             false,
		"What is the name of the file?":      false, // about nothing that gives access
		"Where is the password stored?":      false, // about a secret, not for it
		"How long should the password be?":   false,
		"What should the token be called?":   false,
		"Which one is the primary key?":      false,
		"What does the password policy say?": false,
		"Do you like the monkey?":            false, // "key" is only a part of a word
	} {
		if got := AsksForSecret(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	const question = "What is the database password?"
	after := func(n int) string { return question + " " + strings.Repeat("é ", n/3) }
	if !AsksForSecret(strings.Repeat("\xffé",
		9000)+question) || !AsksForSecret(after(300)) || AsksForSecret(after(900)) {
		t.Error("only what a message ends with is read, and all of that")
	}
}

func TestAUserAnnouncesASecret(t *testing.T) {
	for text, want := range map[string]bool{
		"I'll paste the token in a second":      true,
		"the password is in my next message":    true,
		"Das Kennwort kommt gleich":             true,
		"":                                      false,
		"the next message is about the weather": false,
		"I changed the password":                false,
		"password " + strings.Repeat("long ", 200) + "next message": false,
	} {
		if got := Announces(text); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
}

func TestAToolAsksTheUser(t *testing.T) {
	type object = map[string]any
	const asks = "What is the database password?"
	for name, c := range map[string]struct {
		input any
		want  bool
	}{
		"a message":         {object{"message": asks}, true},
		"a question":        {object{"question": asks}, true},
		"one of several":    {object{"questions": []any{object{"question": "How old?"}, object{"question": asks}}}, true},
		"nothing":           {nil, false},
		"a text":            {asks, false},
		"no text":           {object{"question": 7, "questions": "x"}, false},
		"no questions":      {object{"questions": []any{nil, 7, "x", []any{}}}, false},
		"another member":    {object{"title": asks}, false},
		"something else":    {object{"question": "Which colour?"}, false},
		"a long text":       {object{"message": strings.Repeat("word ", 400) + asks}, false},
		"a question deeper": {object{"questions": []any{object{"questions": []any{object{"question": asks}}}}}, false},
	} {
		if got := AsksUser(c.input); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	shared := make([]any, 1, 2)
	shared[0] = object{"question": "Which colour?"}
	if AsksUser(object{"questions": shared}); shared[:2][1] != nil {
		t.Error("the list of questions was written to")
	}
}

func TestTheAnswerIsTheSecret(t *testing.T) {
	for _, want := range []string{
		"«Tulpe77#feld»", "it is «Tulpe77#feld», thanks", "`«Tulpe77#feld»`", "kim:«Tulpe77#feld»", "kim/«Tulpe77#feld».",
		"«q8Zt3LwV0yKc5RmX2nBd7HsJ»", "sure: «violet77rhino»", "«4711»", "«815302»\n", "«moss7k»", "«qwertzuiop»",
		"first «Tulpe77#feld» then «Kran9#hafen»", "\"«Tulpe77#feld»\"", "ключ «Tulpe77#feld»", "\xff «Tulpe77#feld»\r\n",
		// One word alone may be what among others is none.
		"the port is 4711", "use moss7k there", "no", "yes", "later", "changeme", "", " \n", "123", "1234567890123",
		"hafen",
		"kim@mail7.example", "see /etc/shop/key9", "${DB_PASS}", "getSecret()", "http://db7.example/x",
		"ask my colleague please",
	} {
		text := plain(want)
		spans := Answered(text)
		if got := mark(text, spans); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	if spans := Answered(strings.Repeat("x", MaxKeyed) + " " + pw); len(spans) > 0 {
		t.Errorf("behind %d bytes: %v", MaxKeyed, spans)
	}
}

func TestOnlyAShortPromptIsAnAnswer(t *testing.T) {
	three := strings.Repeat(pw+" ", 3)
	for text, want := range map[string]bool{
		"": true, pw: true, "it is " + pw: true, three: true, three + pw: false, strings.Repeat("a ", 16): true,
		strings.Repeat("a ", 17): false, strings.Repeat("x", MaxReply): true, strings.Repeat("x", MaxReply+1): false,
		strings.Repeat("é", MaxReply/2+1): false,
	} {
		if got := Reply(text); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	for _, text := range []string{"", "?", "What is the password?", "kim:" + pw, "a:/", "\"", "I'll paste the token",
		"密码?", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		AsksForSecret(text)
		Announces(text)
		end := 0
		for _, s := range Answered(text) {
			if s.Start < end || s.Start >= s.End || s.End > len(text) {
				t.Fatalf("[%d, %d) behind %d in %d bytes", s.Start, s.End, end, len(text))
			}
			if end = s.End; strings.ContainsAny(s.In(text), " \t\r\n") {
				t.Errorf("%q is more than a word", s.In(text))
			}
		}
	})
}
