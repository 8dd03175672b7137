package value

import "testing"

// TestPropertiesOfValues has, for each property, values with it and values without it.
func TestPropertiesOfValues(t *testing.T) {
	for _, c := range []struct {
		name    string
		is      func(string) bool
		yes, no []string
	}{
		{"placeholder", Placeholder, []string{"<password>", "${DB_PASS}", "changeme", "xxxxxxxx", "your_token_here", "1.2.3"},
			[]string{"Kies.grube_4", "hafenkran"}},
		{"several kinds of characters", SymbolPassword, []string{"Tr0ub4dor&3x"}, []string{"hafenkran", "a.b.c", "12:30:45"}},
		{"letters and digits", AlnumPassword, []string{"violet77rhino"}, []string{"server1", "sha256sum", "hafenkran"}},
		{"words joined by punctuation", PunctuatedPassword, []string{"Winter*24", "D0ku.Ablage"},
			[]string{"user_name", "hafenkran"}},
		{"a word with a symbol", WordWithSymbol, []string{"Kuh!stall"}, []string{"hafenkran", "Winter*24"}},
		{"letters in no order of words", RandomLetters, []string{"qwertzuiop"}, []string{"changePassword"}},
		{"random", Random, []string{"q8Zt3LwV0yKc5RmX2nBd7HsJ"}, []string{"hafenkran", "getElementById"}},
		{"a path", PathLike, []string{"/etc/shop/key", "https://x.example/a"}, []string{"hafen/kran"}},
		{"a version", VersionLike, []string{"1.2.3", "^4.17.0"}, []string{"Kies.grube_4"}},
		{"code", CodeLike, []string{"os.environ[KEY]", "a || b", "cfg.db.pass"}, []string{"hafenkran"}},
		{"a word of programs or forms", CodeWord, []string{"password"}, []string{"moss", "heron"}},
	} {
		for _, v := range c.yes {
			if !c.is(v) {
				t.Errorf("%s is not taken for %s", v, c.name)
			}
		}
		for _, v := range c.no {
			if c.is(v) {
				t.Errorf("%s is taken for %s", v, c.name)
			}
		}
	}
}
