package value

import (
	"strings"
	"testing"
)

func TestPasswordsOfSeveralSortsOfCharacters(t *testing.T) {
	property{SymbolPassword,
		[]string{"Tr0ub4dor&3x", "Tulpe77feld!", "kran#hafen7", "x9Kq2vTz7LmWr3Nb8YdQ", "drei Kraene 7!"},
		[]string{"", "Kran#7", "hafenkran", "a.b.c", "12:30:45", "2026-11-23", "v1.2.3", "/etc/x9!", "f(x9!)yzk",
			"three blue 7 cranes",
			"kim7@Example.org", "Kran!!hafen", "12345678!", "${Kran7!}", strings.Repeat("Aa1!", 40), "Kran7!hafen..."},
	}.check(t)
}

func TestWordsAndNumbersJoinedByPunctuation(t *testing.T) {
	property{PunctuatedPassword,
		[]string{"Liverpool.fc", "D0ku.Ablage", "Winter*24", "moss-Heron_7", "Kiel#Nord"},
		[]string{"", "Kiel.7", "user_name", "hafenkran", "app.config.Name", "getUser.name", "kiel.nord", "Kiel--Nord7",
			"Kiel7.",
			"Kiel/Nord7", "a-b-c-d-e-F7", strings.Repeat("Kiel.Nord", 5)},
	}.check(t)
}

func TestASymbolWhereNoSentenceHasOne(t *testing.T) {
	property{WordWithSymbol,
		[]string{"Kuh!stall", "MossHeron!", "moss&heron", "kran#Hafen"},
		[]string{"", "hafenkran", "Winter*24", "Hello!", "wonderful!", "!Kuhstall", "Kuh.stall", "Kuh stall", "Kuh!st!al!l",
			"user#name",
			"Kühl!stall"},
	}.check(t)
}

func TestLettersWithDigitsAsPeopleMakeThemUp(t *testing.T) {
	property{AlnumPassword,
		[]string{"violet77rhino", "hafen4kran", "Kran2hafen9", "moss-7heron"},
		[]string{"", "kran7", "hafenkran1", "hafenkran", "12345678", "sha256sum", "utf8mb4general", "a1234567", "x.y(z)77",
			"rs256token", "66f8ec73-c22d-4671-81ba-22c60b81f161", "12 drummers", strings.Repeat("ab12", 17)},
	}.check(t)
	property{AlnumForm, // a name with a number at the end has the form, too
		[]string{"violet77rhino", "hafenkran1"}, []string{"", "kran7", "hafenkran", "base64data", "violet(77)rhino"},
	}.check(t)
	property{LettersAndDigits,
		[]string{"violet77rhino", "Kran2hafen9"}, []string{"", "violet7rhino", "violet-77-rhino", "abc77", "deadbeef77",
			"77777777"},
	}.check(t)
}

func TestLettersInNoOrderOfWords(t *testing.T) {
	property{RandomLetters,
		[]string{"qwertzuiop", "qwxzkjvbpqxz", "zxcvbnmqw"},
		[]string{"", "qwertz", "changePassword", "user_name", "qwx zkj vbp qxz", "9qwxzkjv",
			strings.Repeat("qwxzkjvb", 9)},
	}.check(t)
}

func TestPlainWordsHaveNoDigitsAndNoSigns(t *testing.T) {
	property{PlainWords,
		[]string{"", "moss", "moss heron", "user_name", "a/b.c:d,e-f"}, []string{"moss7", "moss!", "móss", "a\tb", "a\nb",
			"\xff"},
	}.check(t)
}

func TestWordsOfProgramsAreInNoPassphrase(t *testing.T) {
	property{CodeWord, []string{"password", "the", "button", "url", "config", "example"}, []string{"moss", "heron",
		"walrus", "x"}}.check(t)
	for _, c := range []struct {
		v      string
		strict bool
		want   bool
	}{
		{"moss.heron", false, false}, {"moss.server", false, true}, {"button-heron", false, true},
		{"ab.cd", false, true},      // no word is long enough for one that somebody chose
		{"mossHeron", false, false}, // but strictly, capitals inside of a part are those of a name in code
		{"mossHeron", true, true}, {"moss.heron", true, false}, {"moss.heron.", true, true},
	} {
		if got := HasCodeWord(c.v, c.strict); got != c.want {
			t.Errorf("%s, strict %v: %v", c.v, c.strict, got)
		}
	}
}
