package public

import (
	"strings"
	"testing"
)

func TestNamesThatCompilersWrite(t *testing.T) {
	for token, want := range map[string]bool{
		"_ZN4llvm8ScopStmtE": true, "_ZSt4cout": true, "12UserSettings10Controller": true, "N10connection8settingsE": true,
		"10connection": true, "9character": false, "5there7another": true, "10connectionKq7xRv9Zt2Wm": true,
		"10connectionKq7xRv9Zt2WmB": false, "3the10connection3and": true, "3the4that3and": false,
		"10qzxjvkwpyq10zkqxwvjpzk": false, "10hafen_kranKq7xRv9Zt2WmB4Rp8Lc5": false, "40harbour": false, "": false,
		"5":                    false,
		"10hafen-kran7harbour": false, "5moss7harbour6walrus": false, "999999999999harbour": false,
	} {
		if got := mangledName(token); got != want {
			t.Errorf("%s: %v", token, got)
		}
	}
	for text, want := range map[string]bool{
		"at _ZN4«llvm8ScopStmt»E x": true, "at _ZN4llvm8«ScopStmtE» x": true, "at .$_ZN4«llvm» x": false,
		"«llvm8ScopStmt»":                          false,
		"_Z" + strings.Repeat("k", 300) + "«moss»": true, "_Z" + strings.Repeat("k", 500) + "«moss»": false,
		"at $4hafen_k«ran10harbour_no5quays» x": false, "at _Z$N.4«moss» x": true,
	} {
		s, from, to := markedPart(text)
		if got := symbol(s, from, to); got != want {
			t.Errorf("%.60s: %v", text, got)
		}
	}
}

func TestALineThatIsANameInCode(t *testing.T) {
	for line, want := range map[string]bool{
		"get_harbour": true, "getHarbour": true, "HARBOUR_KEY": true, "GetHarbour": true, "_get_harbour_": true,
		"HARBOUR": false, "harbour": false, "Harbour": false, "_harbour": false, "get-harbour": false, "9getHarbour": false,
		"get harbour_x": false, "": false, "getHa": false, "getHar": true, "gétHarbour": false,
		"getHarbour" + strings.Repeat("x", 190): true, "getHarbour" + strings.Repeat("x", 191): false,
	} {
		if got := symbolLine(line); got != want {
			t.Errorf("%.20q of %d bytes: %v", line, len(line), got)
		}
	}
}

func TestANameBesideOthersInAList(t *testing.T) {
	const name = "«addHarbourKey2»"
	for text, want := range map[string]struct{ beside, among bool }{
		"aB_1aa\nbB_1aa\ncB_1aa\n" + name + "\n": {true, true}, name + "\naB_1aa\nbB_1aa\ncB_1aa": {false, true},
		"aB_1aa\nbB_1aa\n" + name + "\ncB_1aa\nmoss\nkran": {true, true}, "aB_1aa\n" + name + "\nmoss": {true, false},
		"moss\n" + name + "\naB_1aa": {true, false}, "moss\n" + name + "\nkran": {false, false}, name: {false, false},
		"aB_1aa\nbB_1aa\ncB_1aa\nx " + name + "\n": {false, false}, "aB_1aa\nbB_1aa\ncB_1aa\n" + name + " x": {false, false},
		"aB_1aa\nbB_1aa\ncB_1aa\n«harbour»\n":                      {false, false},
		"aB_1aa\nbB_1aa\nmoss\n" + name + "\ncB_1aa\ndB_1aa\nkran": {true, true},
		"aB_1aa\nmoss\nkran\n" + name + "\ncB_1aa\ndB_1aa\nkran":   {true, false},
		"aB_1aa\nbB_1aa\ncB_1aa\nmoss\nkran\n" + name:              {false, false},
		name + "\nmoss\nkran\nquay\naB_1aa\nbB_1aa\ncB_1aa":        {false, false},
	} {
		for _, end := range []string{"\n", "\r\n"} {
			s, from, to := markedPart(strings.ReplaceAll(text, "\n", end))
			if got := besideSymbol(s, from, to); got != want.beside {
				t.Errorf("%q is beside another one: %v", s.Text, got)
			}
			if got := amongSymbols(s, from, to); got != want.among {
				t.Errorf("%q is among others: %v", s.Text, got)
			}
		}
	}
}
