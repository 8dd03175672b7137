package value

import (
	"strings"
	"testing"
)

func TestNamesAndSmallNumbersWithOperatorsAreAnExpression(t *testing.T) {
	property{Expression,
		[]string{"endline+1", "2*limit", "uint8_t*", "%NL80211_ATTR", "size", "&.offset", "MAX_SIZE*2"},
		[]string{"", "*", "Kies!grube", "Winter*2024", "q8Zt3+w9Kx2", "heron lantern", "ключ+1", "4711+4712"},
	}.check(t)
}

func TestNumbersOfCodeInHex(t *testing.T) {
	property{HexNumber,
		[]string{"0x7f", "0XDEADBEEF", "-0x1", "0xdead_beef", "0x0123456789abcdef"},
		[]string{"", "0x", "7f", "0xzz", "x7f", "0x0123456789abcdef01", "0x7f!"},
	}.check(t)
}

func TestANameInCodeBeginsWithNoDigit(t *testing.T) {
	property{Identifier,
		[]string{"a", "_x", "user.name", "std::string", "A9", "key}"},
		[]string{"", "9a", "a-b", "a b", "é", "a$", "a/b", "\xff"},
	}.check(t)
}

func TestSelectorsOfStyleSheets(t *testing.T) {
	property{Selector,
		[]string{"#add-password", ".login-form", "#a"},
		[]string{"add-password", "#1a2b", "#pass!word", "##x", "@media"},
	}.check(t)
}

func TestWholeNumbers(t *testing.T) {
	property{Integer, []string{"0", "12345678", "-7", strings.Repeat("9", 100)}, []string{"1.5", "1a", "0x1", "１２", "+1",
		"1 2"}}.check(t)
}

func TestVersionsAndRangesOfThem(t *testing.T) {
	property{VersionLike,
		[]string{"1.2.3", "v1.2", "^4.17.0", "~2.0", ">=1.0", ">=1.2.3 <2.0.0", "9.0.0-alpha.1", "1.2.3-beta.4",
			"1.0.0-rc1", "npm:^1.2.3", "2.0.0+build"},
		[]string{"", "123", "v", "1", "x.y", "1.2.3!Kq", "10.Zwerge", "^", "~", "npm:^", "1.2.3/kiel", ".5"},
	}.check(t)
}

func TestNamesJoinedByDots(t *testing.T) {
	property{Dotted,
		[]string{"a.b.c", "cfg.db.pass", "user?.name", "os.Args", "this.state.token2"},
		[]string{"", ".", "a", "a..b", "a.b.", "1.2.3", "hafen.kran!", "x9Kq2vTz7LmW.b", "a.b1c2"},
	}.check(t)
}

func TestExpressionsInCodeAreNoText(t *testing.T) {
	property{CodeLike,
		[]string{"os.environ[KEY]", "f()", "<T>", "a || b", "cfg.db.pass", "Foo::bar", "limit*2", "cp.flags&userFlag",
			"{}"},
		[]string{"", "hafenkran", "Winter!24", "a|b", "rock&roll", "a:b", "Kies#grube_4", "12+34+5678", "ключ"},
	}.check(t)
}

func TestEachBracketNeedsItsOwn(t *testing.T) {
	property{balanced,
		[]string{"", "a", "()", "{[()]}", "a(b)c[d]", strings.Repeat("(", 500) + strings.Repeat(")", 500)},
		[]string{"(", ")", "(]", "([)]", "}{", "())", strings.Repeat("(", 500)},
	}.check(t)
}

func TestRandomBracketsAreNoCode(t *testing.T) {
	property{RandomWithBrackets,
		[]string{"k7}wQE2*RA9yV[r", "xK9{vq2Zt!", "G.K:|g1F8[KQNzs"},
		[]string{"", "f(x)", "getUser(id)", "ENC(x9Kq2vTz7LmW)", "x9Kq2vTz7Lm(", "https://x9Kq2v{id}", "[REDACTED:x9Kq2v]",
			"items[0].name", "{}"},
	}.check(t)
}

func TestPathsAndAddresses(t *testing.T) {
	property{PathLike,
		[]string{"/etc/shop/key", "./a", "../a/b", "~/notes", "https://x.example", "src/app/main.go", "ftp://", "/"},
		[]string{"", "hafen/kran", "a/b", "/x9Kq2vTz7LmWr3Nb8Yd", "x9Kq/2vTz7/LmWr3Nb8YdQw5Hs1Jc6", "~x"},
	}.check(t)
}

// In a long key in base64 a slash is a digit like any other.
func TestAKeyInBase64MayHoldSlashes(t *testing.T) {
	property{KeyWithSlashes,
		[]string{"x9Kq/2vTz7/LmWr3Nb8YdQw5Hs1Jc6", "wJalr7tn/K7MDENG/bPx2fiC3YzQ+8Kd=="},
		[]string{"", "x9Kq/2vTz7", "src/app/main/lib/user/x.go", "x9Kq/2vTz7/LmWr3Nb8-dQw5Hs1Jc6",
			"x9kq/2vtz7/lmwr3nb8ydqw5hs1jc6"},
	}.check(t)
}
