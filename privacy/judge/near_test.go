package judge

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"

	"keepmum/privacy/public"
	"keepmum/privacy/scan"
	"keepmum/privacy/speech"
)

// Made up: they open nothing.
const (
	hexKey    = "8061e833a55f6fc0157c98b883e91fcf"
	uuid      = "66f8ec73-c22d-4671-81ba-22c60b81f161"
	randomKey = "q8Zt3LwV0yKc5RmX2nBd7HsJ"
	body      = "x9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4Gx9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4G" // of a block
)

// readers read a text with the judge alone: its cues, random tokens near the word "secret", and the vetoes.
var readers = sync.OnceValue(func() *scan.RuleSet {
	set, err := scan.NewRuleSet(scan.Readers{
		Triggers: append(speech.Triggers([]string{"passw", "token"}),
			scan.Trigger{Words: []string{"secret"}, Run: func(s *scan.Scanner, end int) {
				RandomNearName(s, end-len("secret"),
					end)
			}}),
		First: func(*scan.Scanner) {},
		Last: func(s *scan.Scanner) {
			ScoreCandidates(s)
			public.Veto(s)
		},
		Unwrap: func(string) (string, func([]scan.Span) []scan.Span, bool) { return "", nil, false },
		Value:  func(string, int) (int, bool) { return 0, false },
	})
	if err != nil {
		panic(err)
	}
	return set
})

// marked reads a text, and puts marks around what is found in it.
func marked(t testing.TB, text string, o scan.Options) string {
	t.Helper()
	spans := readers().Read(text, o)
	for _, s := range spans {
		if s.Start < 0 || s.Start >= s.End || s.End > len(text) {
			t.Fatalf("%.40q: [%d, %d) in %d bytes", text, s.Start, s.End, len(text))
		}
	}
	return scan.Replace(text, scan.Merge(spans), func(s scan.Span) string { return "«" + text[s.Start:s.End] + "»" })
}

func checkMarked(t *testing.T, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if got := marked(t, strings.NewReplacer("«", "", "»", "").Replace(want), scan.Options{}); got != want {
			t.Errorf("got  …%q\nwant …%q", got[max(0, len(got)-200):], want[max(0, len(want)-200):])
		}
	}
}

func TestARandomTokenNearASecretsName(t *testing.T) {
	far := strings.Repeat(" ", near)
	checkMarked(t,
		"secret «"+randomKey+"»", "«"+randomKey+"» is the secret", "secret\n«"+randomKey+"»",
		"secret ["+"«"+randomKey+"»]",
		"secret x="+"«"+randomKey+"»", // the name before an equals sign is kept
		"secret: /app/keys/«"+randomKey+"»/file", "\xffsecret\xff «"+randomKey+"»", "секрет secret «"+randomKey+"» ключ",
		"secret «"+randomKey+"»\r\n\r\nsecret",
	)
	checkMarked(t,
		"secret", "secret secret", randomKey, "secret "+randomKey[:12], "secret getHarbourNameOfQuay2",
		"secret"+far+" "+randomKey, randomKey+far+" secret", // not near
		"secret\n\n"+randomKey, "secret [REDACTED:github-pat#3f9a] "+randomKey, randomKey+"\n\nsecret", // beyond a barrier
		"secret -----BEGIN "+randomKey,
		"secret sha256:"+randomKey, "secret md5 "+randomKey, "secret ENC("+randomKey+")",
		"secret ENC[AES256_GCM,data:"+randomKey,
		"secret encrypted:"+randomKey, "secret data:x;base64,"+randomKey, "secret cus_"+strings.ReplaceAll(randomKey, "_",
			""),
		"secret "+randomKey+"()", "secret _ZN"+randomKey, "secret Basic "+randomKey, "secret public_key="+randomKey,
		"secret "+body+"\n"+body+"\n", // lines of a body
		"secret "+strings.Repeat(randomKey, 10), "secret aGFmZW4gdW5kIGtyYW4gYW0gbWVlciB1bmQgbW9ycw",
	)
}

func TestADigestHasAPrefix(t *testing.T) {
	for text, want := range map[string]bool{
		"sha256:KEY": true, "SHA512-KEY": true, "md5 KEY": true, "etag=\"KEY": true, "ssh-ed25519 KEY": true,
		"h1:KEY": true, "KEY": false,
		"sha KEY": false, "key:KEY": false, "sha256 is the way to KEY": false,
	} {
		at := strings.Index(text, "KEY")
		if got := HashPrefixed(strings.Replace(text, "KEY", randomKey, 1), at); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A shorter token must be more random than a longer one.
func TestATokenWithoutANameIsMoreRandom(t *testing.T) {
	for v, want := range map[string]bool{
		randomKey: true, body: true, "x9Kq2vTz7LmWr3Nb": true, "": false, randomKey[:15]: false,
		"getHarbourName2024":         false,
		"theUserSettingsController1": false, strings.Repeat("a1", 20): false,
	} {
		if got := randomToken(v); got != want {
			t.Errorf("%q: %v", v, got)
		}
	}
}

func TestTheSecretOfAnAccessKeyOfAWS(t *testing.T) {
	const drawn = "x9Kq2vTz7LmWr3Nb8YdQw5Hs1Jc6Fp4Gx9Kq2vTz"
	for _, c := range []struct {
		before, run string
		want        bool
	}{
		{"AKIAQYKD2L7RWX5MZB4T ", drawn, true}, {"[REDACTED:aws-access-token#3f9a] ", drawn, true},
		{"the key ", drawn, false},
		{"AKIAQYKD2L7RWX5MZB4T ", drawn[:39], false}, {"AKIAQYKD2L7RWX5MZB4T ", drawn + "x", false},
		{"AKIAQYKD2L7RWX5MZB4T ", strings.Repeat("harbourx", 5), false},
		{"AKIAQYKD2L7RWX5MZB4T ", "8061e833a55f6fc0157c98b883e91fcfeeb1a71a", false}, // a commit
	} {
		if got := secretOfAWS(c.before, c.run); got != c.want {
			t.Errorf("%s%s: %v", c.before, c.run, got)
		}
	}
}

func TestBase64OfATextIsJudgedByTheText(t *testing.T) {
	for plain, want := range map[string]bool{
		"hafen und kran am meer": true, `{"name":"kran","berth":7}`: true, "hafenkranammeerundmoor": false,
		"hafen und kran 7": false, " hafenundkranammeer": false, "{hafen:kran:am:meer}x": false,
		"\x01\x02\x03 \x04\x05\x06\x07\x08\x0e\x0f\x10\x11": false,
	} {
		if got := encodedText(base64.StdEncoding.EncodeToString([]byte(plain))); got != want {
			t.Errorf("%q: %v", plain, got)
		}
	}
}

func TestAToolSaysThatItEncryptedAValue(t *testing.T) {
	for before, want := range map[string]bool{
		"pin: ENC[AES256_GCM,data:": true, "pin=ENC(": true, "pin: ENC[AES256_GCM,data:x] and ": false, "ENC": false,
		"ENC[DES,data:": false, "ENC(x) ": false, "": false,
		"ENC(" + strings.Repeat("x", maxSealed): false,
	} {
		if got := encrypted(&scan.Scanner{Text: before + randomKey}, len(before)); got != want {
			t.Errorf("%.40q: %v", before, got)
		}
	}
}

func TestARunIsReadWholeOrInParts(t *testing.T) {
	for run, want := range map[string][2]int{
		"app-" + randomKey: {4, 0}, randomKey + "_app": {0, 0}, "app/keys=" + randomKey: {9, 0}, "app-keys": {-1, 4},
		"msg_019a2b3c4d5e" + "Kq7xRv9Zt2WmB4": {-1, 3}, "x-ses_019a2b3c4d5eKq7xRv9Zt2WmB4": {-1, 3},
		"x9Kq2vTz7LmWr3Nb8YdQ": {0, 0}, "app-x9Kq2vTz7LmWr3Nb8Yd": {-1, 19}, "": {-1, 0}, "--": {-1, 0},
		"getHarbourNameOfQuay-x": {-1, 20},
	} {
		if at, longest := randomPart("«"+run+"»", 2, 2+len(run)); longest != want[1] || at != want[0] && at-2 != want[0] {
			t.Errorf("%s: from %d, the longest part has %d bytes", run, at, longest)
		}
	}
	for run, want := range map[string]bool{
		"x9Kq2vTz7LmWr3Nb": true, "x9Kq2vTz7LmWr3N": false, "x9Kq2vTz7L/mWr3Nb8YdQ": true,
		"ap/ke/x9Kq2vTz7LmWr3Nb":    false,
		"app/keys/x9Kq2vTz7LmWr3Nb": true, // a long key may have slashes "get-harbour-name": false, "": false,
	} {
		if got := randomRun(run); got != want {
			t.Errorf("%s: %v", run, got)
		}
	}
}

// TestATokenInAPath has a run of token bytes between «», and what is taken of it between ‹›.
func TestATokenInAPath(t *testing.T) {
	for _, want := range []string{
		"«app/keys/‹" + randomKey + "›/file»", "«/keys/‹" + randomKey + "›»",
		"«‹keys/" + randomKey + "›»", "«‹" + randomKey + "›»",
		"«‹Kq7x/" + randomKey + "/file›»", "«//keys//‹" + randomKey + "›»",
		"host:«keys/‹" + randomKey + "›»", "host/«keys/‹" + randomKey + "›»", "is «‹keys/" + randomKey + "›»",
		"«hafen_kran/‹" + randomKey + "›»",
	} {
		text := strings.NewReplacer("«", "", "»", "", "‹", "", "›", "").Replace(want)
		run := strings.Index(want, "«")
		from, to := pathPart(text, run, len(text), strings.Index(text, randomKey))
		if got := text[:run] + "«" + text[run:from] + "‹" + text[from:to] + "›" + text[to:] + "»"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestALineOfABodyHasLinesLikeItself(t *testing.T) {
	const row = "«" + body + "»"
	for text, want := range map[string]bool{
		body + "\n" + row + "\n": true, row + "\n" + body + "\n": true, `x = "` + body + `\n` + row + `\n"`: true,
		`x = "` + row + `\n` + body + `"`: true, row: false, row + "\n": false, body + "\n" + row[:42] + "»": true,
		body + row: false, `x = "` + body + `\«n` + body + "»\n": true, body + "n«" + body + "»\n": false,
		"the text above is as long as the line below it, but it is only prose\n" + row: false,
		row + "\nthe text below is as long as the line above it, but it is prose":      false,
		body + " " + row: false, row + " " + body: false, body[1:] + "\n" + row: false,
		strings.Replace(body, "x", "k", 1)[:38] + "\n«" + body[:38] + "»": false, // other values are as short
		"k" + body[:39] + "\n«" + body[:40] + "»":                         true,
	} {
		s, from, to := markedPart(text)
		if got := bodyLine(s, from, to); got != want {
			t.Errorf("%.90q: %v", text, got)
		}
	}
}

// markedPart returns a text without the marks «», and where they were.
func markedPart(text string) (s *scan.Scanner, from, to int) {
	from, to = strings.Index(text, "«"), strings.Index(text, "»")-len("«")
	return &scan.Scanner{Text: strings.NewReplacer("«", "", "»", "").Replace(text)}, from, to
}
