package value

import (
	"math/rand"
	"strings"
	"testing"
	"testing/quick"
)

// drawn returns a text of random letters and digits; the same seed gives the same text.
func drawn(seed int64, size int) string {
	const of = Letters + "0123456789"
	r, out := rand.New(rand.NewSource(seed)), make([]byte, size)
	for i := range out {
		out[i] = of[r.Intn(len(of))]
	}
	return string(out)
}

func TestWordsAndNamesSurpriseLessThanWhatIsDrawn(t *testing.T) {
	for _, v := range []string{"password", "getElementById", "the quick brown fox", "HTTPServer", "user_settings",
		"configuration", "changePassword"} {
		if got := CrossEntropy(v); got >= KeyboardRun {
			t.Errorf("%s: %.2f bits per byte", v, got)
		}
	}
	const least = 5 // bits: "random letters and digits above 5"
	for seed := range int64(200) {
		if v := drawn(seed, 40); CrossEntropy(v) <= least {
			t.Errorf("%s: %.2f bits per byte", v, CrossEntropy(v))
		}
	}
	if CrossEntropy("") != 0 {
		t.Error("nothing is a surprise")
	}
}

func TestWhatIsDrawnIsRandom(t *testing.T) {
	missed := 0
	for seed := range int64(500) {
		if !Random(drawn(seed, 32)) {
			missed++
		}
	}
	if missed > 10 {
		t.Errorf("%d of 500 keys of 32 letters and digits read like words", missed)
	}
	key := drawn(7, 40)
	property{Random, []string{key, key[:20], drawn(3, 600)}, []string{
		"", key[:15], // too short to say
		key[:20] + " " + key[20:], key[:20] + "\n" + key[20:],
		"theUserSettingsControllerFactory", "user_settings_controller_1", "abandon-ability-able-about",
		strings.Repeat("a", 40), strings.Repeat("a1", 20),
		"...." + key[:8] + "----", // mostly signs
		"ses_6c1f3a9b2d4eKq8vTz2LmXw7Rb",
		strings.Repeat("settings1controller2", 30),
	}}.check(t)
}

func TestAnIdOfAnAgentGrantsNothing(t *testing.T) {
	const id = "6c1f3a9b2d4eKq8vTz2LmXw7Rb"
	property{AgentID,
		[]string{"ses_" + id, "msg_" + id, "prt_" + id},
		[]string{"", "ses_", id, "key_" + id, "ses_" + id[1:], "ses_" + id + "x", "ses_x" + id[1:], "ses_" + id[:25] + "-",
			"SES_" + id},
	}.check(t)
}

// TestKindsAreCountedAsReadersWouldCount compares the count without branches with one that reads as the comment says.
func TestKindsAreCountedAsReadersWouldCount(t *testing.T) {
	counted := func(s string) (n kinds) {
		n.Hex = strings.Trim(s, "0123456789abcdefABCDEF") == ""
		for i := range len(s) {
			switch c := s[i]; {
			case c >= '0' && c <= '9':
				n.Digits++
				if i == 0 || !Digit(s[i-1]) {
					n.Runs++
				}
			case c >= 'a' && c <= 'z':
				n.Lower++
			case c >= 'A' && c <= 'Z':
				n.Upper++
			default:
				n.Other++
			}
		}
		return n
	}
	for _, v := range []string{"", "a1b22C", "/:@[`{", "09azAZ", "\x00\xff", "deadBEEF01", "ключ-7"} {
		if got, want := CountKinds(v), counted(v); got != want {
			t.Errorf("%q: %+v, want %+v", v, got, want)
		}
	}
	if err := quick.Check(func(v []byte) bool { return CountKinds(string(v)) == counted(string(v)) }, nil); err != nil {
		t.Error(err)
	}
	for v, want := range map[string]int{"": 0, "a": 1, "aA": 2, "aA1": 3, "aA1!": 4, "aé": 2, "11": 1} {
		if got := CountKinds(v).Sorts(); got != want {
			t.Errorf("%q has %d sorts of bytes, want %d", v, got, want)
		}
	}
}

func TestAKeyInHexHasOneCase(t *testing.T) {
	const key = "8061e833a55f6fc0157c98b8"
	property{HexKey,
		[]string{key, strings.ToUpper(key), key + key},
		[]string{"", key[1:], strings.Replace(key, "e", "E", 1), strings.Replace(key, "e", "g", 1), "0x" + key,
			"123456789012345678901234", "abcdefabcdefabcdefabcdef"},
	}.check(t)
}

func TestAnIdentifierInGroupsIsHex(t *testing.T) {
	const id = "66f8ec73-c22d-4671-81ba-22c60b81f161"
	property{UUIDLike,
		[]string{id, strings.ToUpper(id)},
		[]string{"", id[1:8], strings.Replace(id, "-", "", 1), strings.Replace(id, "f8", "g8", 1), "{" + id + "}", "----",
			id + "-" + id},
	}.check(t)
}

func TestTooMuchOfOneByteIsRepetitive(t *testing.T) {
	property{Repetitive,
		[]string{"a", "aaaa", "aaab", "0000000000000001", "aabb"},
		[]string{"", "abcabcabc", drawn(1, 32), "abababacdcdcd"},
	}.check(t)
	// The order makes no difference.
	turned := func(v []byte) bool {
		back := make([]byte, len(v))
		for i, c := range v {
			back[len(v)-1-i] = c
		}
		return Repetitive(string(v)) == Repetitive(string(back))
	}
	if err := quick.Check(turned, nil); err != nil {
		t.Error(err)
	}
}

func TestLettersAndDigitsTogetherAreMixed(t *testing.T) {
	property{Mixed, []string{"a1", "1a", "Z9-"}, []string{"", "a", "1", "é1", "--"}}.check(t)
}

func TestHowATokenReads(t *testing.T) {
	property{ReadsLikeWords,
		[]string{"hafenkran", "server1", "user settings 2", "listOfUsers", "release-2024", "a\nb"},
		[]string{"x9Kq!2vT#7", drawn(5, 32), "8061e833a55f6fc0157c98b883e91fcf"},
	}.check(t)
}

func TestNamesInCodeAreWords(t *testing.T) {
	property{CamelWords,
		[]string{"getUserSettings", "HTTPServerFactory", "user_settings_controller", "password"},
		[]string{"xq7Kz9Wv2Lm8Rt", "qzxvkwjhgf", "2024010112345", drawn(9, 24)},
	}.check(t)
}
