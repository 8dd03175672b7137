package rules

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestRulesAreReadAsTheirHeadsSay(t *testing.T) {
	list,
		err := ParseCommands("# a remark\n\nrule shop\nwords shop login␣ | shop␤\ntake behind -p --pass\nskip /* *:\nunless none\n" +
		"near a | b\nalone\njudge none\nyes shop -p «x»\nno shop\nrule row\ntake word -1\njudge typed\n")
	if err != nil || len(list) != 2 {
		t.Fatalf("%d rules, %v", len(list), err)
	}
	c := list[0]
	if !slices.Equal(c.Words, []string{"shop login ", "shop\n"}) || c.Flags != "-p --pass" || !c.Alone || c.Typed ||
		c.Made ||
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
		"rule a\ntake rest 2":                          `line 2: take rest "2"`,
		"rule a\ntake argument first":                  `line 2: take argument "first"`,
		"rule a\ntake argument 2-3":                    `line 2: take argument "2-3"`,
		"rule a\njudge harsh":                          `line 2: there is no judge "harsh"`,
		"rule a\njudge":                                `line 2: there is no judge ""`,
		"rule a\ntake behind -p\njudge made\nrule b":   "rule a: judge is for places",
		"rule a\njudge typed\ntake argument 2\nrule b": "rule a: judge is for places",
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
		"rule a\nat end":       `line 2: at "end"`,
		"rule a\nat":           `line 2: at ""`,
		"rule a\nedge behind":  `line 2: edge "behind"`,
	} {
		if _, err := ParseRules(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestARuleOfTokensIsReadWhole(t *testing.T) {
	list,
		err := ParseRules("rule shop-key\nwords shop_ SHOP-\nat near\nedge before after\nentropy 3.5\nsize 20 40\nmatch shop_[a-z]+\nallow shop_x+\n")
	if err != nil || len(list) != 1 {
		t.Fatalf("%d rules, %v", len(list), err)
	}
	r := list[0]
	if r.At != AtNear || !r.Before || !r.After || r.Letter || r.Entropy != 3.5 || r.Min != 20 || r.Max != 40 ||
		len(r.Words) != 2 {
		t.Errorf("read as %+v", r)
	}
	r.Compile()
	if !r.Anchored.MatchString("shop_abc") || r.Anchored.MatchString("a shop_abc") ||
		!r.Anywhere.MatchString("a shop_abc") ||
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
}

func TestWhatOfACommandIsTakenOut(t *testing.T) {
	for line, want := range map[string]Command{
		"take argument 2": {Argument: 2}, "take behind -p": {Flags: "-p"}, "take glued -p pass:": {Glued: "-p pass:"},
		"take pairs": {Pairs: true},
		"take rest":  {Place: Place{Kind: "rest", Nth: 1}}, "take answer": {Place: Place{Kind: "answer"}},
		"take answer 2": {Place: Place{Kind: "answer", Nth: 2}}, "take below 2": {Place: Place{Kind: "below", Nth: 2}},
		"take word": {Place: Place{Kind: "word", Nth: 1}}, "take word -2": {Place: Place{Kind: "word", Nth: -2}},
		"take keyword pass key": {Place: Place{Kind: "keyword", Nth: 1, Flags: " pass key "}},
		"only ␣on␤":             {Only: " on\n"}, "never off": {Never: "off"},
	} {
		list, err := ParseCommands("rule a\n" + line)
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d rules, %v", line, len(list), err)
			continue
		}
		want.ID = "a"
		if !reflect.DeepEqual(*list[0], want) {
			t.Errorf("%s: %+v", line, *list[0])
		}
	}
}

func TestWhatMayNotStandNextToAToken(t *testing.T) {
	for lines, want := range map[string][3]bool{
		"": {}, "edge before": {true, false, false}, "edge after": {false, true, false}, "edge letter": {false, false, true},
		"edge before\nedge after": {true, true, false}, "edge after\nedge letter\nedge before": {true, true, true},
		"edge before after": {true, true, false},
	} {
		list, err := ParseRules("rule a\n" + lines)
		if err != nil {
			t.Fatal(err)
		}
		if r := list[0]; [3]bool{r.Before, r.After, r.Letter} != want {
			t.Errorf("%q: before %v, after %v, letter %v", lines, r.Before, r.After, r.Letter)
		}
	}
}

func TestTheLongestTextThatEveryMatchContains(t *testing.T) {
	for match, want := range map[string]string{
		"abc[0-9]defg": "defg", "abc[0-9]def": "abc", `\babc\b`: "abc", "abc(def)ghi": "abcdefghi", "(?:abc)?de": "de",
		"ab*c": "a", "ab|cd": "", "(?i)abc": "", "ab(?i)cde(?-i)f": "ab", "abc(?:def)+g": "abc", "": "", "[0-9]+": "",
		"ab(":                         "",
		"shop_(?:live|test)_[a-z]{8}": "shop_", "^abc$": "abc",
	} {
		if got := literal(match); got != want {
			t.Errorf("%s: %q, want %q", match, got, want)
		}
	}
	for _, r := range slices.Concat(rulesOf(t, GitleaksRules), rulesOf(t, OwnRules)) {
		r.Compile()
		for _, sample := range r.Yes {
			text := strings.NewReplacer("«", "", "»", "").Replace(sample)
			if !r.Anywhere.MatchString(text) || !strings.Contains(text, r.Literal) {
				t.Errorf("%s: %q matches %v, and contains %q: %v", r.ID, text, r.Anywhere.MatchString(text), r.Literal,
					strings.Contains(text, r.Literal))
			}
		}
	}
}

func rulesOf(t *testing.T, text string) []*Rule {
	t.Helper()
	list, err := ParseRules(text)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d rules, %v", len(list), err)
	}
	return list
}

func TestATokenInCapitalsIsToldByItsExpression(t *testing.T) {
	for match, want := range map[string]bool{"AKIA[0-9]+": true, "akia[0-9]+": false, "(?:akia|AKIA)x": false,
		"[a-z]+": false} {
		if got := (&Rule{match: match}).InCapitals("akia"); got != want {
			t.Errorf("%s: %v", match, got)
		}
	}
}

// FuzzRules reads any text as a file of rules: it is an error or a list, never a panic.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{"rule a\nwords b\nat near\nmatch c+\n", "rule a\nsize 3", "match", "rule\n\n#",
		"rule a\ntake argument 2-",
		"rule a\ntake word -1\njudge made", "rule a\nedge\nentropy NaN", "rule a\nwords\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begun := 0
		for line := range strings.SplitSeq(text, "\n") {
			if key, _, _ := strings.Cut(line, " "); key == "rule" {
				begun++
			}
		}
		tokens, err := ParseRules(text)
		if err == nil && len(tokens) != begun {
			t.Errorf("%d of %d rules", len(tokens), begun)
		}
		commands, err := ParseCommands(text)
		if err == nil && len(commands) != begun {
			t.Errorf("%d of %d rules of commands", len(commands), begun)
		}
	})
}
