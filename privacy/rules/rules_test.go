package rules

import (
	"slices"
	"strings"
	"testing"
)

func TestRulesAreReadAsTheirHeadsSay(t *testing.T) {
	list, err := ParseCommands("# a remark\n\nrule shop\nwords shop login␣ | shop␤\ntake behind -p --pass\nskip /* *:\nunless none\n" +
		"near a | b\nalone\njudge none\nyes shop -p «x»\nno shop\nrule row\ntake word -1\njudge typed\n")
	if err != nil || len(list) != 2 {
		t.Fatalf("%d rules, %v", len(list), err)
	}
	c := list[0]
	if !slices.Equal(c.Words, []string{"shop login ", "shop\n"}) || c.Flags != "-p --pass" || !c.Alone || c.Typed || c.Made ||
		!slices.Equal(c.Skip, []string{"/*", "*:"}) || c.Unless != " none " || !slices.Equal(c.Near, []string{"a", "b"}) {
		t.Errorf("read as %+v", c)
	}
	if got := list[1].Place; got != (Place{Kind: "word", Nth: -1}) || !list[1].Typed {
		t.Errorf("the place was read as %+v", got)
	}
}

func TestARuleThatCannotBeReadIsNamedByItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"words a":                                      "line 1: no rule begun",
		"rule a\ncolour red":                           `line 2: unknown key "colour"`,
		"rule a\n\ntake shelf":                         `line 3: take "shelf"`,
		"rule a\ntake word second":                     `line 2: take word "second"`,
		"rule a\ntake argument first":                  `line 2: take argument "first"`,
		"rule a\njudge harsh":                          `line 2: there is no judge "harsh"`,
		"rule a\njudge":                                `line 2: there is no judge ""`,
		"rule a\ntake behind -p\njudge made\nrule b":   "rule a: the words of a command have no judge but none",
		"rule a\njudge typed\ntake argument 2\nrule b": "rule a: the words of a command have no judge but none",
	} {
		if _, err := ParseCommands(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"match a":              "line 1: no rule begun",
		"rule a\nentropy high": "line 2: strconv",
		"rule a\nsize small":   "line 2:",
		"rule a\nfor all":      `line 2: unknown key "for"`,
	} {
		if _, err := ParseRules(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestARuleOfTokensIsReadWhole(t *testing.T) {
	list, err := ParseRules("rule shop-key\nwords shop_ SHOP-\nat near\nedge before after\nentropy 3.5\nsize 20 40\nmatch shop_[a-z]+\nallow shop_x+\n")
	if err != nil || len(list) != 1 {
		t.Fatalf("%d rules, %v", len(list), err)
	}
	r := list[0]
	if r.At != AtNear || !r.Before || !r.After || r.Letter || r.Entropy != 3.5 || r.Min != 20 || r.Max != 40 || len(r.Words) != 2 {
		t.Errorf("read as %+v", r)
	}
	r.Compile()
	if !r.Anchored.MatchString("shop_abc") || r.Anchored.MatchString("a shop_abc") || !r.Anywhere.MatchString("a shop_abc") ||
		!r.Allowed[0].MatchString("shop_xxx") || r.Allowed[0].MatchString("shop_xxy") {
		t.Error("the expressions are not anchored as their places say")
	}
	if (&Rule{match: "AKIA[0-9]+"}).InCapitals("akia") != true || (&Rule{match: "api-[a-z]+"}).InCapitals("api-") {
		t.Error("a word in capitals only is told by the expression")
	}
}

// Words of the files are looked for in small letters, without doubles in one rule.
func TestEveryFileOfRulesCanBeSearchedFor(t *testing.T) {
	ids := map[string]bool{}
	for _, c := range Commands() {
		if ids[c.ID] {
			t.Errorf("%s is there twice", c.ID)
		}
		ids[c.ID] = true
		for n, w := range c.Words {
			if w == "" || strings.ToLower(w) != w || slices.Contains(c.Words[:n], w) {
				t.Errorf("%s: the word %q", c.ID, w)
			}
		}
	}
	for kind, words := range Languages() {
		if !slices.IsSorted(words) {
			t.Errorf("the words of %s are not sorted", kind)
		}
	}
}
