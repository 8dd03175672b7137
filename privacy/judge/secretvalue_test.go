package judge

import (
	"encoding/base64"
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// secretAfter judges a literal after an equals sign.
func secretAfter(k value.Strength, name, v string) bool {
	text := name + ` = "` + v + `"`
	at := len(name) + len(` = "`)
	a := assign.Assignment{Sep: assign.Equals, Quoted: true, Start: at, End: at + len(v), MaxLength: scan.MaxValue}
	return SecretValue(&scan.Scanner{Text: text}, k, name, a)
}

func TestWhatIsAPasswordAfterItsName(t *testing.T) {
	for v, want := range map[string]bool{
		"Kies.grube_4": true, "hafenkran": true, "correct-horse-battery-staple": true, "qwertzuiop": true,
		"/run/secrets/db": false, "a long message for people": false, "app.config.password": false,
	} {
		if got := secretAfter(value.PasswordKey, "password", v); got != want {
			t.Errorf("%s: password %v, want %v", v, got, want)
		}
	}
}

func TestWhatIsATokenAfterItsName(t *testing.T) {
	for v, want := range map[string]bool{
		"q8Zt3LwV0yKc5RmX2nBd7HsJ": true, "4711": false, "v1.2.3": false, "$1.60": false, "/etc/shop/token": false,
	} {
		if got := secretAfter(value.TokenKey, "token", v); got != want {
			t.Errorf("%s: token %v, want %v", v, got, want)
		}
	}
}

// A generator of salts also draws blanks; a message has blanks, too, but not every sort of sign.
func TestASaltWithBlanksIsASecret(t *testing.T) {
	for v, want := range map[string]bool{
		"k7}wQE2*RA yV[r:9Y@G.K:|g1 F8KQNzs[fTf b)y)EVNQ": true, "please ask the team for it before you start": false,
	} {
		if got := secretAfter(value.TokenKey, "auth_salt", v); got != want {
			t.Errorf("%s: secret %v, want %v", v, got, want)
		}
	}
}

// TestTheStrengthOfTheNameDecides has one value under names of different strength.
func TestTheStrengthOfTheNameDecides(t *testing.T) {
	for k, want := range map[value.Strength]bool{value.PasswordKey: true, value.WeakKey: false} {
		if got := secretAfter(k, "name", "hafenkran"); got != want {
			t.Errorf("strength %d: secret %v, want %v", k, got, want)
		}
	}
}

func TestPassphrases(t *testing.T) {
	for v, want := range map[string]bool{
		"correct-horse-battery-staple": true, "moss_anvil_heron": true, "two-words": false, "the-name-of-the-user": false,
	} {
		if got := JoinedPassphrase(v); got != want {
			t.Errorf("%s: passphrase %v, want %v", v, got, want)
		}
	}
}

func TestWhatIsCertainAfterTheNameOfASecret(t *testing.T) {
	const long = "hafen-0471-kran-9983-quay-5521-moor" // longer than words, and yet not random
	words := base64.StdEncoding.EncodeToString([]byte("hafen und kran am meer"))
	for _, c := range []struct {
		k    value.Strength
		v    string
		a    assign.Assignment
		want bool
	}{
		{value.WeakKey, "Kies!grube7", assign.Assignment{Env: true}, true},
		{value.WeakKey, "Kies!grube7", assign.Assignment{}, false},
		{value.WeakKey, "hafenkran", assign.Assignment{Env: true}, false},
		{value.WeakKey, randomKey, assign.Assignment{Sep: assign.Equals}, true},
		{value.WeakKey, randomKey, assign.Assignment{Sep: assign.Blank}, true},
		{value.WeakKey, randomKey, assign.Assignment{Sep: assign.Colon}, false},
		{value.WeakKey, "hafenkran", assign.Assignment{Sep: assign.Equals},
			false},
		{value.WeakKey, hexKey, assign.Assignment{Sep: assign.Equals}, true},
		{value.WeakKey, words, assign.Assignment{Sep: assign.Equals}, false},
		{value.TokenKey, randomKey, assign.Assignment{Sep: assign.Blank}, true},
		{value.TokenKey, "hafenkran", assign.Assignment{Sep: assign.Equals},
			false},
		{value.TokenKey, words, assign.Assignment{Sep: assign.Blank}, false},
		{value.PasswordKey, "4711", assign.Assignment{Sep: assign.Equals}, true},
		{value.PasswordKey, "4711", assign.Assignment{Sep: assign.Colon}, true},
		{value.PasswordKey, "4711", assign.Assignment{Sep: assign.Blank}, false}, {value.PasswordKey, "qzxvkwpjtr",
			assign.Assignment{Sep: assign.Blank}, true},
		{value.PasswordKey, "hafenkran", assign.Assignment{Sep: assign.Equals, Quoted: true}, true},
		{value.PasswordKey, "hafenkran", assign.Assignment{Sep: assign.Equals}, false},
		{value.PasswordKey, "hafenkran",
			assign.Assignment{Sep: assign.Element}, true},
		{value.PasswordKey, "hafenkran", assign.Assignment{Sep: assign.Column, Quoted: true}, false},
		{value.PasswordKey, "the harbour", assign.Assignment{Sep: assign.Equals, Quoted: true}, false},
	} {
		if got := certainAfterName(c.k, c.v, c.a); got != c.want {
			t.Errorf("%d, %s, %+v: %v", c.k, c.v, c.a, got)
		}
	}
	for v, want := range map[string]bool{
		"xxxx4711xxxx9983xxxx5521xxxx0042": true, long[:31]: false, "/etc/4711/9983/5521/hafen/kran/quay": false,
		"xxxx4711xxxx 9983xxxx5521xxxx0042": false, " xxxx4711xxxx9983xxxx5521xxxx0042": false,
		"the-harbour-of-the-moor-and-walrus-4711": false, "471199835521004247119983552100abc": false,
		"471199835521004247119983552100abcd": true, "xxxxqqqqzzzzxxxxqqqqzzzzxxxxqqqq471": false,
	} {
		if got := longToken(v); got != want {
			t.Errorf("%s is a long token: %v", v, got)
		}
	}
}

func TestWhatFollowsANameAndIsNoValue(t *testing.T) {
	for v, want := range map[string]bool{
		"*com.quay.Harbour": true, "*hafen": false, ").Value()": true, `{"name"`: true, "--region=eu": true, "a :: b": true,
		"one\ntwo": true, `x\x1b[0m`: true, "Kies.grube_4": false, "{hafen}": false, ")hafen": false,
	} {
		if got := notAValue(v); got != want {
			t.Errorf("%q: %v", v, got)
		}
	}
	for _, c := range []struct {
		k    value.Strength
		v    string
		a    assign.Assignment
		want bool
	}{
		{value.PasswordKey, "AccessToken", assign.Assignment{}, true},
		{value.PasswordKey, "AccessToken", assign.Assignment{Quoted: true},
			false},
		{value.TokenKey, "AccessToken", assign.Assignment{Quoted: true}, true}, {value.TokenKey, "AccessToken",
			assign.Assignment{Env: true}, false},
		{value.TokenKey, "hafenkran", assign.Assignment{}, false},
	} {
		if got := namesType(c.k, c.v, c.a); got != c.want {
			t.Errorf("%d, %s, %+v names a type: %v", c.k, c.v, c.a, got)
		}
	}
	for _, a := range []assign.Assignment{{}, {Quoted: true}, {Env: true}} {
		if got := isCode("os.Getenv(name)", a); got != (a == assign.Assignment{}) {
			t.Errorf("%+v: code %v", a, got)
		}
	}
	if isCode("Kies!grube7", assign.Assignment{}) {
		t.Error("a password is an expression")
	}
}

func TestWhatIsNoSecretWhateverItsName(t *testing.T) {
	for _, c := range []struct {
		name, text string // the value is between «»
		k          value.Strength
		sep        assign.Sep
		quoted     bool
	}{
		{"five bytes", `pin = "«Kq7!x»"`, value.PasswordKey, assign.Equals, true},
		{"a label in another alphabet", `token = "«Маркер7Кq9Zt2WmB4»"`, value.TokenKey, assign.Equals, true},
		{"an id that a sentence is about", "token «" + uuid + "» is gone", value.TokenKey, assign.Blank, false},
		{"an expression", "token = «os.Getenv(name7)»", value.TokenKey, assign.Equals, false},
		{"a pattern", `token = "«\\d\\d\\w\\d+Kq7Zt»"`, value.TokenKey, assign.Equals, true},
		{"a message", `password = "«Kq7! has been Zt2»"`, value.PasswordKey, assign.Equals, true},
		{"the next option", "--password «--region7=eu-west-1»", value.PasswordKey, assign.Blank, false},
		{"a placeholder in an element", "<password>«&lt;geheim&gt;»</password>", value.PasswordKey, assign.Element, false},
		{"one in a cell", "| password | «&lt;geheim&gt;» |", value.PasswordKey, assign.Column, false},
		{"a template of a salt", `salt = "«{{ k7}wQE2*RA yV[r:9Y@G.K:|g1 F8KQNzs[fTf b)y)EV }}»"`, value.TokenKey, assign.Equals,
			true},
	} {
		s, from, to := markedPart(c.text)
		if SecretValue(s, c.k, "name", assign.Assignment{Sep: c.sep, Quoted: c.quoted, Start: from, End: to,
			MaxLength: scan.MaxValue}) {
			t.Errorf("%s: %s", c.name, c.text)
		}
	}
}

func TestASaltHasAllSortsOfSigns(t *testing.T) {
	const drawn = "k7}wQE2*RA yV[r:9Y@G.K:|g1 F8KQNzs[fTf b)y)EVNQ"
	for v, want := range map[string]bool{
		drawn: true, drawn[1:33]: true, drawn[1:32]: false, strings.ToLower(drawn): false,
		"k7}wQE2*RA yV[r:9Y@G.K:|g://F8KQNzs[fTf b)y)EVNQ": false, "k}wQE*RA yV[r:Y@G.K:|g F8KQNzs[fTf b)y)EVNQ": false,
		"Please set PATH1, PATH2, PATH3 (or 4) before you go": false, "!!##!!##!!##!!##!!##!!##!!##aB123": false,
		"k7wQE2RAyVr9YGKg1F8KQNzsfTfbyEVNQkran}": false,
	} {
		if got := salt(v); got != want {
			t.Errorf("%q: %v", v, got)
		}
	}
}
