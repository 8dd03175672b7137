package judge

import (
	"strings"
	"testing"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

func TestKindsOfWords(t *testing.T) {
	for name, c := range map[string]struct {
		is      func(string) bool
		yes, no []string
	}{
		"words that somebody chose": {RareWords,
			[]string{"moss-heron", "walrus_in_the_fog", "hafenkran"},
			[]string{"", "moss", "user-name", "moss7heron", "MossHeron!", "Hafenkran", "mossy-extraordinarily",
				strings.Repeat("moss-", 14), "moos hér"}},
		"words joined by one sign": {JoinedPassphrase,
			[]string{"correct-horse-battery-staple", "moss.heron.walrus", "Moss_Heron_Walrus"},
			[]string{"", "-", "moss-heron", "moss-heron_walrus", "app-config-store", "moss-heron-w7lrus", "mOss-heron-walrus",
				"a-b-c",
				"moss--heron-walrus", strings.Repeat("moss-", 20)}},
		"words none of which a label uses": {PassphraseWords,
			[]string{"drei blaue kraniche", "moss heron walrus!"},
			[]string{"", "moss", "your password here", "moss heron.", "a = b", "mot de passe", "<moss heron>",
				"one two three four five six seven"}},
		"four groups of four letters": {AppPassword,
			[]string{"abcd efgh ijkl mnop", "abcd-efgh-ijkl-mnop"},
			[]string{"", "abcd efgh-ijkl mnop", "abcdefghijklmnopqrs", "Abcd efgh ijkl mnop", "abcd efgh ijkl mno1",
				"abcd efgh ijkl"}},
		"a capital and a digit": {Capitalised,
			[]string{"Hafenkran1", "hafenKran7"}, []string{"", "hafenkran1", "HAFENKRAN1", "Hafenkran", "Kran1",
				"testUserToken1"}},
		"the name of a type": {TypeName,
			[]string{"AccessToken", "SecretString", "userPassword", "hidden_field", "testLogin"},
			[]string{"", "Token", "hafenkran", "TokenAccess", "Moss!Token", "9Token", strings.Repeat("Access", 9) + "Token"}},
		"one word": {OneWord, []string{"hafenkran", "abcdefgh", strings.Repeat("a", 24)}, []string{"", "kran", "Hafenkran",
			"hafen kran",
			"hafenkrän", strings.Repeat("a", 25)}},
		"to which a sentence leads": {certainPassword,
			[]string{"Tulpe77#feld", "violet77rhino", "Kuh!stall", "D0ku.Ablage"},
			[]string{"", "hafen", "hafenkran", "server12", "/etc/Kq7!x", "changeme!", "SHA256", "AccessToken"}},
		"a host": {HostLike, []string{"", "db7", "harbour", "12"}, []string{"Db7", "db-7", "7db", "dü7"}},
		"a term": {technicalTerm, []string{"PKCS#11", "RFC6749", "256-bit", "IEEE802.1X", `a\-b`, "x%0Ay"},
			[]string{"", "hafen", "p", "Tulpe77#feld", "2fast4u", "\xff"}},
		"with a sign": {HasSymbol, []string{"Moss7!", "a1#", "$Ab1"}, []string{"", "moss!", "Moss-7", "Moss77", "éé"}},
		"ASCII": {value.ASCII, []string{"", "abc", strings.Repeat("a", 100), "\x00\x7f"}, []string{"é", "\xff",
			strings.Repeat("a", 31) + "é", "abcdefgé", "aaaaaaaaé"}},
		"of no name": {assign.WordLike, []string{"kim", "db_pass-1"}, []string{"", "a b", "a.b", "é", "a:b"}},
	} {
		for _, v := range c.yes {
			if !c.is(v) {
				t.Errorf("%s: not %q", name, v)
			}
		}
		for _, v := range c.no {
			if c.is(v) {
				t.Errorf("%s: %q", name, v)
			}
		}
	}
}

func TestAPassphraseOfWordsWithBlanks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		sep        assign.Sep
		quoted     bool
		want       string
	}{
		{"password", "moss heron walrus", assign.Equals, true, "moss heron walrus"},
		{"password", "moss 7 heron", assign.Colon, true, "moss 7 heron"},
		{"DB_PASSWORD", "moss heron", assign.Equals, true, "moss heron"},
		{"passphrase", "moss heron walrus\nnext", assign.Colon, false, "moss heron walrus"},
		{"passphrase", "moss heron walr7s", assign.Blank, false, "moss heron walr7s"},
		{"password", "abcd efgh ijkl mnop", assign.Equals, false, "abcd efgh ijkl mnop"}, // of a mail provider
		{"--pre-shared-key", "Moss & Heron Walrus", assign.Equals, true, "Moss & Heron Walrus"},
		{"password", "moss heron", assign.Equals, true, "moss heron"},
		{"password", "jäätynyt kaivo nro 7", assign.Equals, true, "jäätynyt kaivo nro 7"},
		{"adgangskode", "kakao til 12 våde spejdere", assign.Element, false, "kakao til 12 våde spejdere"},
		{"password", "does not match", assign.Equals, true, ""},
		{"password", "river stone table garden", assign.Colon, true, "river stone table garden"},
		{"passphrase", "river7 stone table", assign.Colon, false, "river7 stone table"},
		{"password", "se requiere una contraseña", assign.Equals, true, ""},
		{"password", "$(pass show a)", assign.Equals, true, ""},
		{"password", "moss", assign.Equals, true, ""},
		{"password", "Please enter it again", assign.Equals, true, ""},
		{"password", "must have 8 letters", assign.Equals, true, ""},
		{"password", "moss heron walrus", assign.Equals, false, ""},
		{"password", "moss heron walrus", assign.Call, true, ""},
		{"passphrase", "moss heron walrus, more", assign.Colon, false, "moss heron walrus, more"},
		{"passphrase", strings.Repeat("moss ", 40), assign.Colon, false, ""},
	} {
		a := assign.Assignment{Sep: c.sep, Quoted: c.quoted, End: len(c.text)}
		end := SpacedPassphrase(&scan.Scanner{Text: c.text}, c.name, a)
		if got := c.text[:end]; got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
