package privacy

import (
	"slices"
	"strings"
	"sync"

	"keepmum/privacy/judge"
	"keepmum/privacy/pair"
	"keepmum/privacy/place"
	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/speech"
	"keepmum/privacy/view"
)

// detectors are the parts of the gate that recognise structures instead of single tokens.
func detectors() []scan.Trigger {
	return slices.Concat(notations(), toolTalk(), place.RuleTriggers(), speech.Triggers(pair.SecretWords))
}

// notations find secrets by the ways in which they are written down.
func notations() []scan.Trigger {
	return []scan.Trigger{
		{Words: pair.SecretWords, IDs: []string{scan.RulePassword, scan.RuleSecret, scan.RuleRandom}, Run: pair.Name},
		{Words: []string{"://", `:\/\/`}, IDs: []string{place.RuleURL}, Run: place.URL},
		{Words: place.PEMEdges, IDs: []string{place.RulePEM}, Run: place.PEM},
		{Words: place.KeyBodies, Run: place.KeyBody},
		{Words: []string{"authorization", "cookie"}, IDs: []string{place.RuleHTTP}, Run: place.Header},
		{IDs: []string{place.RuleEmail, place.RulePhone, place.RuleCard, place.RuleIBAN, place.RuleIP}},
		{Words: []string{"eyj"}, IDs: []string{place.RuleJWT}, Run: place.JWT},
		{Words: []string{" -u ", "-u \"", "-u '", "-u=", "--user ", "--user=", "proxy-user ", "http -a ", "https -a ",
			"--auth ", "--basic "}, Run: place.Account},
		{Words: []string{"kind: secret", "kind: \"secret\""}, Run: place.Manifest},
		{Words: place.Commands(), Run: place.Command},

		{Words: []string{"values"}, Run: pair.Inserted},
		{Words: []string{"from stdin"}, Run: pair.Copied},
		{Words: []string{"default"}, Run: pair.BlockDefault},
		{Words: pair.OtherLanguageWords(), Run: pair.NameInOtherLanguage},

		{Words: []string{":5432:", ":5433:", ":6432:", ":*:*:"}, Run: place.Pgpass},
		{Words: []string{"%5f", "%3d", "%3a", "%22", "%27", "%20", "%0a", "%7c", "&#", `\x3d`, `\x22`, `\x3a`, `\u0`, `\u3`,
			`\u4`, `\u5`, `\u6`, `\u7`, `\u8`, `\u9`, `\ua`, `\ub`, `\uc`, `\ud`, `\xc3`, `\xd0`, `\xd1`, `\xe3`, `\xe5`,
			`\xe6`, `\137`, `\075`, `\072`, `\042`, `\055`}, Run: view.Escape},
		{Words: []string{`" + "`, `' + '`, `"+"`, `'+'`, `" . "`, `' . '`, `" & "`, "\" +\n", "' +\n", "\" \\\n", "' \\\n"},
			Run: view.Joint},
		{Words: view.CommentedLiterals, Run: view.Literal},
		{Words: []string{"\"value\"", "\"v\"", "value:", ":value", "\"value\\\"", "default:"}, Run: place.MarkedMember},
		{Words: []string{"\"kty\""}, Run: place.JWK},
		{Words: []string{"privateexponent:", "prime1:", "prime2:", "exponent1:", "exponent2:", "coefficient:", "\npriv:"},
			Run: place.PrintedKey},
		{Words: []string{"\"kind\":\"secret\"", "\"kind\": \"secret\"", "\"stringdata\":{", "\"stringdata\": {",
			`\"kind\":\"secret\"`, `\"stringdata\":{`, `\"kind\": \"secret\"`, `\"stringdata\": {`},
			Run: place.AppliedSecret},
		{Words: []string{"basic "}, Run: place.BasicPair},

		{Words: []string{"stats auth "}, Run: place.Account},
		{Words: []string{"00000000", "0000000 "}, Run: view.Dump},
		{Words: view.GutterWords(), Run: view.Gutter},
	}
}

// toolTalk finds secrets in commands, calls and program output.
func toolTalk() []scan.Trigger {
	return []scan.Trigger{
		{Words: place.AccountCalls, Run: place.AccountCall},
		{Words: place.ConnectCalls, Run: place.ConnectCall},

		{Words: []string{":thin:", "sqlplus ", "sql> connect ", "sql> conn ", "expdp ", "impdp ", "sqlldr ", "sqlplus64 ",
			"rman target ", "sql -s ", "sql -l ", "\nconn ", "userid="}, Run: place.OraclePassword},

		{Words: []string{" -p ", " -p'", " -p\""}, Run: place.Flagged},

		{Words: []string{"$ "}, Run: place.PastedCommand},
	}
}

// allReaders returns all readers of a text.
func allReaders() scan.Readers {
	return scan.Readers{
		Triggers: detectors(), Unwrap: unwrapped, First: begin, Last: end, Value: pair.ValueAfter, Model: judge.Model(),
	}
}

// begin runs the detectors that no word in the text triggers.
func begin(s *scan.Scanner) {
	if text := s.Text; len(text) > 3 && (strings.EqualFold(text[:2], "pw") || strings.EqualFold(text[:3], "psk")) {
		pair.Name(s, 2)
	}
	view.GuttersFrom(s, 0)
}

// end runs the detectors that need the whole text, and removes findings that are public.
func end(s *scan.Scanner) {
	view.Finish(s)
	judge.ScoreCandidates(s)
	public.Veto(s)
}

// unwrapped returns a text without the line numbers before its lines.
func unwrapped(text string) (plain string, back func([]scan.Span) []scan.Span, ok bool) {
	b := view.WithoutNumbers(text)
	if b == nil {
		return "", nil, false
	}
	return b.Room.String(), b.Back, true
}

var sharedRules = sync.OnceValue(func() *scan.RuleSet {
	s, err := scan.NewRuleSet(allReaders())
	if err != nil {
		panic("the embedded rules: " + err.Error()) // a test parses the same text
	}
	return s
})

// knowsRule reports whether a placeholder may name this rule.
func (g *Gate) knowsRule(id string) bool { return g.rules().IDs[id] || g.ownIDs[id] }

// RulesVersion identifies the current rules; it changes whenever a rule or a weight of the judge changes.
func RulesVersion() string { return sharedRules().Version }

// ownMarks finds the gate's own placeholders in a text. The rule of each must exist, so that nobody can hide a value in
// a fake placeholder.
func (g *Gate) ownMarks(text string) [][2]int {
	if !scan.MayHaveMarks(text) {
		return nil
	}
	var out [][2]int
	for at := 0; at < len(text); at++ {
		i := strings.IndexByte(text[at:], '[')
		if i < 0 {
			break
		}
		at += i
		n := scan.PlaceholderLength(text[at:])
		if n == 0 {
			continue
		}
		if rule, tagged := scan.MarkRule(text[at : at+n]); !tagged || g.knowsRule(rule) {
			out = append(out, [2]int{at, at + n})
		}
		at += n - 1
	}
	return out
}

// marked returns the placeholder for a span of a text.
func (g *Gate) marked(s scan.Span, text string) string {
	mark := scan.RedactedMark + s.Rule + "#" + g.macs.Hex(s.In(text))[:4] + "]"
	if s.Quoted {
		return `"` + mark + `"`
	}
	return mark
}
