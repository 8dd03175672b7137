package place

import (
	"strings"
	"testing"

	"keepmum/privacy/rules"
	"keepmum/privacy/scan"
)

// placed is what a rule takes of a text, and what of that it takes for a secret.
func placed(t *testing.T, rule, text string) (taken, secrets []string) {
	t.Helper()
	list, err := rules.ParseCommands("rule x\n" + rule)
	if err != nil {
		t.Fatalf("%q: %v", rule, err)
	}
	s := &scan.Scanner{Text: text}
	for _, w := range list[0].Words {
		at := strings.Index(strings.ToLower(text), w)
		if at < 0 {
			continue
		}
		p, end := program{w, list[0]}, at+len(w)
		if !applies(s, &p, end) {
			return nil, nil
		}
		for _, sp := range takers[p.Place.Kind](occurrence{s, p, end, lineEnd(text, end)}) {
			taken = append(taken, text[sp.Start:sp.End])
			if ofRule(s, p.Command, sp) {
				secrets = append(secrets, text[sp.Start:sp.End])
			}
		}
		return taken, secrets
	}
	t.Fatalf("%q has no word of %q", text, rule)
	return nil, nil
}

func TestEachPlaceTakesItsPartOfTheText(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"words set key␣\ntake word 1", "set key hafen.kran rw", "hafen.kran"},
		{"words set key␣\ntake word 2", "set key hafen.kran rw", "rw"},
		{"words set key␣\ntake word -1", "set key hafen.kran rw", "rw"},
		{"words set key␣\ntake word 3", "set key hafen.kran rw", ""},
		{"words set key␣\ntake word 1", `set key "two words" rw`, "two words"},
		{"words set key␣\ntake word 1", "set key name=hafen.kran rw", "hafen.kran"},
		{"words set key␣\ntake word 1", `"set key hafen"`, "hafen"},
		{"words set key␣\ntake word 1\nskip 0 7", "set key 0 hafen.kran", "hafen.kran"},
		{"words set key␣\ntake word 1\nskip /* *: *", "set key * Z: /user:kim hafen", "hafen"},
		{"words user␣\ntake keyword sha aes", "user kim auth sha eins priv aes zwei", "eins zwei"},
		{"words user␣\ntake keyword sha", "user kim auth SHA eins", "eins"},
		{"words user␣\ntake keyword sha", "user kim auth sha", ""},
		{"words pass␣\ntake rest", "pass drei blaue kraniche \nquit", "drei blaue kraniche"},
		{"words pass␣\ntake rest", "pass 'drei blaue', \nquit", "drei blaue"},
		{"words enter phrase␣\ntake answer", "enter phrase for key '/a/b': salt and rope\nok", "salt and rope"},
		{"words enter phrase␣\ntake answer", "enter phrase for key '/a/b':\nok", ""},
		{"words password (\ntake answer 1", "password (dc1): Restore-Me", "Restore-Me"},
		{"words password (\ntake answer 1", "password (dc1): leave it out", ""},
		{"words \"pw\"␤\ntake below 0", "1) \"pw\"\n2) \"hafen\"\n", "hafen"},
		{"words <auth>␤\ntake below 1", "<auth>\nkim\nhafen\n</auth>", "hafen"},
		{"words <auth>␤\ntake below 1", "<auth>\nkim", ""},
		{"words users:\ntake lines", "users:\n  list: |\n    kim:hafen\n    lea:kran\nnext: x\n", "hafen kran"},
		{"words users:\ntake lines", "users:\nno account\nkim:hafen", ""},
		{"words sign(\ntake literal 1", "sign(claims, 'hafen', 'kran')", "hafen"},
		{"words sign(\ntake literal -1", "sign(claims, 'hafen', 'kran')", "kran"},
		{"words sign(\ntake literal 2", "sign(claims, 'hafen')", ""},
		{"words send \"\ntake literal 0", `send "hafen\r"`, "hafen"},
		{"words .fill(\ntake typed\nnear assw", "get('#password').fill('hafen')", "hafen"},
		{"words .fill(\ntake typed\nnear assw", "get('#password')\n  .fill('hafen')", "hafen"},
		{"words .type(\ntake typed\nnear assw", "get('#password').focus(); get('#user').type('hafen')", ""},
		{"words .type(\ntake typed\nnear assw", "b = get('#password')\nget('#user').type('hafen')", ""},
		{"words send \"\ntake asked 0\nnear assw", "expect \"*?assword\"\nsend \"hafen\\r\"", "hafen"},
		{"words passwd \ntake fed", "passwd kim <<< 'hafen kran'", "hafen kran"},
		{"words passwd \ntake fed", "echo -n \"hafen\" | sudo -S passwd kim", "hafen"},
		{"words passwd \ntake fed", "echo hafen | npx -y passwd kim", "hafen"},
		{"words passwd \ntake fed", "echo hafen | sudo /usr/bin/passwd kim", "hafen"},
		{"words passwd \ntake fed", "(echo hafen; echo hafen) | passwd kim", "hafen"},
		{"words passwd \ntake fed", "cat <<< hafen | passwd kim", "hafen"},
		{"words passwd \ntake fed", "echo hafen | xargs passwd kim", ""},
		{"words gpg \ntake fed\nonly -fd 0", "echo hafen | gpg -e; gpg -fd 0", ""},
		{"words passwd \ntake fed", "echo | passwd kim", ""},
		{"words passwd \ntake fed", "passwd kim; cat <<< hafen", ""},
		{"words passwd \ntake fed", "echo hafen; cat f | passwd kim", ""},
		{"words passwd \ntake fed", "cat f | passwd kim; echo hafen | wc", ""},
		{"words passwd \ntake fed", "echo hafen | grep passwd f", ""},
		{"words psexec \ntake login", "psexec -debug corp/kim:'hafen'@10.0.0.9", "hafen"},
		{"words psexec \ntake login", "psexec kim:hafen@kran@10.0.0.9", "hafen@kran"},
		{"words pack-\ntake login", "pack-psexec kim:hafen@10.0.0.9", "hafen"},
		{"words psexec \ntake login", "psexec kim:hafen", ""},
		{"words psexec \ntake login", "psexec and kim:hafen@10.0.0.9", ""},
		{"words psexec \ntake login", "psexec kim@10.0.0.9 -proxy http://kran", ""},
		{"words hash(\ntake first", "hash('hafen', 12)", "hafen"},
		{"words hash(\ntake first", "hash(b'hafen', 12)", "hafen"},
		{"words hash(\ntake first", "hash(b, 'hafen')", ""},
		{"words hash(\ntake first", "hash(value, 'hafen')", ""},
		{"words .chars(\ntake before", `load(in, "hafen".chars());`, "hafen"},
		{"words .chars(\ntake before", "load(in, hafen.chars());", ""},
		{"words of(\ntake named", `of("user", "kim", "password", "hafen")`, "hafen"},
		{"words of(\ntake named", `of("user", "kim", "tide", "hafen")`, ""},
		{"words password(\ntake returned", "password() string {\n\treturn \"hafen\"\n}", "hafen"},
		{"words password(\ntake returned", "password(): return 'hafen'", "hafen"},
		{"words password(\ntake returned", "password() { log(); return 'hafen' }", ""},
		{"words password(\ntake returned", "password() string {\n\treturn os.Getenv(\"P\")", ""},
		{"words pin:\ntake digits", "pin: \"60418\"", "60418"},
		{"words pin:\ntake digits", "pin: 2024", ""},
		{"words pin:\ntake digits", "pin: 4711.5", ""},
		{"words pin:\ntake digits", "pin: 0000", ""},
		{"words pin:\ntake digits", "pin: 123456789", ""},
	} {
		if got, _ := placed(t, c.rule, c.text); strings.Join(got, " ") != c.want {
			t.Errorf("%q takes %q of %q, and not %q", c.rule, got, c.text, c.want)
		}
	}
}

func TestKeysInGroupsAreToldFromWords(t *testing.T) {
	const rule = "words key: \ntake groups"
	for text, want := range map[string]string{
		"key: kzvw qmtr bhxe ploa, works for mail only":          "kzvw qmtr bhxe ploa",
		"key: 3184 6027 9951 2746 8030":                          "3184 6027 9951 2746 8030",
		"key: \nK3MV P5XA 2ZQT 7RND":                             "K3MV P5XA 2ZQT 7RND",
		"key: 518276-604131-330891-275462-118239-409827-550341.": "518276-604131-330891-275462-118239-409827-550341",
		"key: 8h2k-9qpx m3v7-tt0c, the rest is in the safe":      "8h2k-9qpx m3v7-tt0c",
		"key: (for the mail of the office) a3f9 c2d1 7b8e 44f0":  "a3f9 c2d1 7b8e 44f0",
		"key: that only they have will open":                     "",
		"key: 1999 2004":                                         "",
		"key: the long-term plan for well-kept data":             "",
		"key: Kzvw Qmtr bhxe ploa":                               "",
	} {
		if got, _ := placed(t, rule, text); strings.Join(got, "|") != want {
			t.Errorf("%q: %q, and not %q", text, got, want)
		}
	}
}

func TestCellsBelowTheirHeadAreRead(t *testing.T) {
	const rule = "words pin\ntake column"
	for text, want := range map[string]string{
		"| Nr | PIN |\n|----|-----|\n| 1 | 3817 |\n| 2 | 9052 |\n": "3817 9052",
		"name,pin,room\nkim,3817,12\nlea,9052,14\n":                "3817 9052",
		"name;pin\nkim;3817\n":                                     "3817",
		"the pin of the board\n4711\n":                             "",
		"| Nr | PIN |\n|----|-----|\n| 1 | 13 |\n| 2 | 14 |\n":     "",
		"| Nr | PIN |\n|----|-----|\n| 1 | 3817 of 9052 |\n":       "",
	} {
		if got, _ := placed(t, rule, text); strings.Join(got, " ") != want {
			t.Errorf("%q: %q, and not %q", text, got, want)
		}
	}
}

func TestWhatStandsAroundAWordLetsItsRuleApply(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		want       bool
	}{
		{"words key␣\nalone\ntake word 1", "  key hafen", true},
		{"words key␣\nalone\ntake word 1", "sw1(config)# key hafen", true},
		{"words key␣\nalone\ntake word 1", "- key hafen", true},
		{"words key␣\nalone\ntake word 1", "the key hafen", false},
		{"words key␣\nnear tacacs | radius\ntake word 1", "radius server R\n key hafen", true},
		{"words key␣\nnear tacacs | radius\ntake word 1", "a map\n key hafen", false},
		{"words key␣\nonly rw\ntake word 1", "key hafen rw", true},
		{"words key␣\nonly rw\ntake word 1", "key hafen ro\nrw", false},
		{"words key␣\nnever none\ntake word 1", "key hafen none", false},
	} {
		if got, _ := placed(t, c.rule, c.text); (got != nil) != c.want {
			t.Errorf("%q applies to %q: %v", c.rule, c.text, got)
		}
	}
}

func TestEachJudgeTakesWhatItSays(t *testing.T) {
	for _, c := range []struct{ judge, value, taken string }{
		{"none", "hafen", "yes"}, {"none", "blau.kraut", "yes"}, {"none", "abc", "no"}, {"none", "$KEY", "no"},
		{"none", "<key>", "no"},
		{"none", "/etc/key", "no"}, {"none", "AUTH-PASSWORD", "no"}, {"none", "********", "no"}, {"none", "public", "no"},
		{"made", "Kies.grube_4", "yes"}, {"made", "treppenhaus", "yes"}, {"made", "password", "no"}, {"made", "${KEY}", "no"},
		{"made", "https://a.example", "no"},
		{"typed", "Kuchen!Gabel4", "yes"}, {"typed", "hafen", "no"}, {"typed", "show version", "no"},
	} {
		rule := "words set key␣\ntake word 1\nunless public\njudge " + c.judge
		text := "set key " + c.value
		if strings.Contains(c.value, " ") {
			text = `set key "` + c.value + `"`
		}
		if _, got := placed(t, rule, text); (len(got) == 1) != (c.taken == "yes") {
			t.Errorf("judge %s of %q: %q", c.judge, c.value, got)
		}
	}
}

func TestEveryRuleTakesAPlaceThatIsThere(t *testing.T) {
	for _, c := range rules.Commands() {
		if c.Place.Kind != "" && takers[c.Place.Kind] == nil {
			t.Errorf("%s takes %q", c.ID, c.Place.Kind)
		}
	}
}

func TestListsThatLetSomebodyInAreReadWhole(t *testing.T) {
	for _, c := range []struct{ place, text, want string }{
		{"codes", "codes: 8h2k-9qpx m3v7-tt0c, w5za-1lfn.", "8h2k-9qpx|m3v7-tt0c|w5za-1lfn"},
		{"codes", "codes:\n1. 4417 9083      6. 2206 5571\n2. 9102 3388", "4417 9083|2206 5571|9102 3388"},
		{"codes", "codes:\n  48291733\n  90214478\n", "48291733|90214478"},
		{"codes", "codes: builds 20240311 and 20240312 are on hosts web01 and web02", ""},
		{"codes", "codes: a8k2m-9qpx1 is the only one", ""},
		{"wallet", "codes: velvet onion harbor tilt museum crane gospel rifle amber clutch dune spare.",
			"velvet onion harbor tilt museum crane gospel rifle amber clutch dune spare"},
		{"wallet", "codes: velvet onion harbor tilt museum crane gospel rifle amber clutch dune", ""},
		{"wallet", "codes: the words that are used for the tests of this generator and not for one more", ""},
		{"wallet", "codes: tests runs builds hosts ports pods nodes jobs steps tasks lines files", ""},
	} {
		if got, _ := placed(t, "words codes:\ntake "+c.place, c.text); strings.Join(got, "|") != c.want {
			t.Errorf("%s of %q: %q, and not %q", c.place, c.text, got, c.want)
		}
	}
}
