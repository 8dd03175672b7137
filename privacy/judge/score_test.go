package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// spoken are what people write; the value is what the learned judge is sure of.
var spoken = []string{
	"the wifi password for the guests is «Heron-Lantern7»",
	"Das Passwort für den Drucker lautet «Tulpe77-Feld», bitte ändern",
	"le mot de passe du routeur est «Grenouille-88»",
	"password: «Moss!Heron_42»",
	"new password for the staging box = «Kiel-Nord-48»\r\n",
	"login kim, password «Heron-Lantern7» since monday",
}

func TestTheJudgeReadsSentences(t *testing.T) {
	checkMarked(t, spoken...)
	for _, want := range spoken {
		checkMarked(t, "see you at noon\n\n"+want, want+"\n\nsee you at noon", strings.Repeat("and so on, as before\n",
			500)+want)
	}
}

func TestTheJudgeKeepsWhatIsNoSecret(t *testing.T) {
	checkMarked(t,
		"", "password", "password ", "the password is wrong", "the password is required",
		"please reset your password today",
		"the password must have at least eight letters", "see the wiki for the password", "password policy of 2024",
		"Heron-Lantern7", "the ship Heron-Lantern7 arrives at noon", // nothing speaks of a secret
		"the password is in /etc/shop/config.yaml", "the password page is https://shop.example/password/reset",
		"password\n\n\n\n\n\n"+strings.Repeat("some other words here\n", 60)+"Heron-Lantern7", // far away
	)
}

// The header of a column, and the heading above, are about what stands below them.
func TestTheJudgeReadsTablesAndPhrases(t *testing.T) {
	checkMarked(t,
		"| name | password | note |\n|---|---|---|\n| kim | «Heron-Lantern7» | old |\n| lea | «Moss!Heron_42» | new |",
		"name;password;note\nkim;«Heron-Lantern7»;old\n", "name\tpassword\tnote\r\nkim\t«Heron-Lantern7»\told\r\n",
		"Passwords:\n- router «Heron-Lantern7»\n- printer «Moss!Heron_42»\n",
		"| name | password | note |\n|---|---|---|\n| kim | see the wiki | old |",
	)
}

// The letter of a flag that a value is glued to stays.
func TestAGluedFlagIsNoPartOfAValue(t *testing.T) {
	checkMarked(t, "az acr login -u kim -p«Hafen.Moor82»",
		"docker --config x login -u kim -p«Hafen.Moor82» reg.example.org")
}

func TestAClosingTagIsNoPartOfAValue(t *testing.T) {
	checkMarked(t, "text: <password>«Wert4You!»</password>", "the password: Heron<")
}

func TestWordsNearACueAreJudgedOnce(t *testing.T) {
	text := strings.NewReplacer("«", "", "»", "").Replace(spoken[0])
	above := &scan.Scanner{Set: readers()}
	if spans := scan.Reread(above, text); len(spans) > 0 {
		t.Errorf("in another reading of a text: %v", spans)
	}
	if spans := scan.Decoded(above, text); len(spans) != 1 {
		t.Errorf("in a text that was encoded: %v", spans)
	}
}

// A higher sensitivity takes out more, never something else.
func TestAHigherSensitivityTakesOutMore(t *testing.T) {
	bytes := func(text, sensitivity string) (covered []bool) {
		covered = make([]bool, len(text))
		for _, s := range readers().Read(text, scan.Options{Sensitivity: sensitivity}) {
			for i := s.Start; i < s.End; i++ {
				covered[i] = true
			}
		}
		return covered
	}
	texts := []string{"wifi upstairs heron-lantern7 since may", "the code of the gate is 4821",
		"the password is sunflower"}
	for _, text := range append(texts, spoken...) {
		text = strings.NewReplacer("«", "", "»", "").Replace(text)
		levels := Sensitivities()
		for n := 1; n < len(levels); n++ {
			less, more := bytes(text, levels[n-1]), bytes(text, levels[n])
			for i := range less {
				if less[i] && !more[i] {
					t.Errorf("%q: byte %d is taken out at %s, not at %s", text, i, levels[n-1], levels[n])
					break
				}
			}
		}
		if !slices.Equal(bytes(text, ""), bytes(text, Normal)) || !slices.Equal(bytes(text, "loud"), bytes(text, Normal)) {
			t.Errorf("%q: no sensitivity, or one that nobody knows, is not the normal one", text)
		}
	}
}

// TestWhoWatchesChangesNothing reads texts with and without a watcher, who sees each candidate with its reasons.
func TestWhoWatchesChangesNothing(t *testing.T) {
	for _, text := range spoken {
		text = strings.NewReplacer("«", "", "»", "").Replace(text)
		var seen []scan.Judged
		watched := marked(t, text, scan.Options{Watch: func(j scan.Judged) { seen = append(seen, j) }})
		if plain := marked(t, text, scan.Options{}); watched != plain {
			t.Errorf("watched %q\nelse    %q", watched, plain)
		}
		best := scan.Judged{Score: -100}
		for _, j := range seen {
			if v := text[j.Start:j.End]; v == "" || len(j.Features) == 0 || len(j.Features) != len(j.Weights) {
				t.Errorf("%q: %+v", text, j)
			}
			if !j.RuledOut && !j.Vetoed && j.Score > best.Score {
				best = j
			}
		}
		if at := text[max(best.Start, 0):max(best.End, 0)]; best.Score < best.Bar || !strings.Contains(watched,
			"«"+at+"»") {
			t.Errorf("%q: the best candidate is %q, %v of %v", text, at, best.Score, best.Bar)
		}
	}
}

func TestTheValueOfANameIsWeighed(t *testing.T) {
	for _, c := range []struct {
		k       value.Strength
		name, v string
		want    bool
	}{
		{value.PasswordKey, "password", "Kies.grube_4", true}, {value.PasswordKey, "db_password", "Tulpe77#feld", true},
		{value.TokenKey, "api_token", randomKey, true}, {value.TokenKey, "api_token", hexKey, true},
		{value.TokenKey, "token", "getHarbourName", false}, {value.WeakKey, "key", "harbour name", false},
		{value.TokenKey, "token_kind", "bearer", false}, {value.WeakKey, "key", "title", false},
	} {
		if got := SecretMember(c.k, c.name, c.v); got != c.want {
			t.Errorf("%s, %s: %v", c.name, c.v, got)
		}
	}
}

// TestWhatNeedsNoWeights has values that are decided by their form, whatever the weights say.
func TestWhatNeedsNoWeights(t *testing.T) {
	for _, v := range []string{"", "short", "--region=eu", "a\nb is no value", "*Foo.bar", ").then(x)", "0x7f3a9b",
		"<password>", "${DB_PASSWORD}",
		"changeme", "********", `a\b\c\d`, "#add-password", "three or more words"} {
		for _, k := range []value.Strength{value.WeakKey, value.TokenKey, value.PasswordKey} {
			if secretAfter(k, "password", v) {
				t.Errorf("%q is a secret of strength %d", v, k)
			}
		}
	}
	if secretAfter(value.TokenKey, "token", "Жетон-гавань77") {
		t.Error("no generator of tokens writes letters beyond ASCII")
	}
	if !secretAfter(value.PasswordKey, "password", "hafenkran") || !secretAfter(value.PasswordKey, "password",
		"48210377") {
		t.Error("one word in quotes, or a number, after the name of a password is one")
	}
}

// A flood of cues and candidates is read once: each candidate is weighed a few times at most.
func TestAFloodOfCuesIsReadInLinearWork(t *testing.T) {
	for _, unit := range []string{"password Moss-7! ", "password\n", "password: ", "pw|", "Moss-7! ", "password «",
		"token: \"a b c\" ", "пароль Бобр-7 "} {
		weighed := func(times int) (n int) {
			readers().Read(strings.Repeat(unit, times), scan.Options{Watch: func(scan.Judged) { n++ }})
			return n
		}
		if few, many := weighed(500), weighed(4000); many > 10*few+100 {
			t.Errorf("%q: %d candidates, and %d in eight times the text", unit, few, many)
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, text := range append([]string{"", "\xff", "secret", "password \xc3", "token: «»", "pw|pin|\n|", "пароль"},
		spoken...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			return
		}
		plain := marked(t, text, scan.Options{})
		if again := marked(t, text, scan.Options{Watch: func(j scan.Judged) { _ = text[j.Start:j.End] }}); again != plain {
			t.Errorf("%q, and %q for who watches", plain, again)
		}
	})
}

func FuzzValueOfAName(f *testing.F) {
	for _, v := range []string{"", "x", "Kies.grube_4", "\"", "\xff", "a\\", "&quot;", "[-a-]{+b+}", "|\n  x", "&a b"} {
		f.Add(v, uint8(assign.Equals), false)
	}
	f.Fuzz(func(t *testing.T, text string, sep uint8, quoted bool) {
		a := assign.Assignment{Sep: assign.Sep(sep) % (assign.Compare + 1), Quoted: quoted, MaxLength: scan.MaxValue}
		a, ok := a.Value(text, 0)
		if !ok {
			return
		}
		if a.Start < 0 || a.Start >= a.End || a.End > len(text) || a.End-a.Start > scan.MaxValue {
			t.Fatalf("[%d, %d) of %d bytes", a.Start, a.End, len(text))
		}
		said := ""
		for _, k := range []value.Strength{value.WeakKey, value.TokenKey, value.PasswordKey} {
			said += fmt.Sprint(SecretValue(&scan.Scanner{Text: text}, k, "name", a))
			said += fmt.Sprint(SecretValue(&scan.Scanner{Text: text}, k, "name", a))
		}
		if r := strings.NewReplacer("truetrue", "", "falsefalse", "").Replace(said); r != "" {
			t.Errorf("not twice the same: %s", said)
		}
	})
}
