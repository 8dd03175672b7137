package view

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"keepmum/privacy/scan"
)

// readings are the other readings of a text, by name.
var readings = map[string]func(string, scan.Stretch) *viewAt{
	"plain": PlainView, "decoded": decodedView, "joined": joinedView, "rendered": renderedView, "latin": latinView,
	"unquoted": unquotedView,
}

func all(text string) scan.Stretch { return scan.Stretch{From: 0, To: len(text)} }

func TestOtherReadings(t *testing.T) {
	for _, c := range []struct{ reading, in, want string }{
		{"plain", "pass\u200bword", "password"},
		{"plain", "pass\u00adword", "password"},
		{"plain", "pass\ufeffword", "password"},
		{"plain", "pa\x1b[31mss\x1b[0mword", "password"},
		{"plain", "\x1b]8;;https://h\x07pass\x1b]8;;\x07word", "password"},
		{"plain", "\x1b]0;title\x1b\\word", "word"},
		{"plain", "p\x00a\x00s\x00s\x00", "pass"},
		{"plain", "passz\bword", "password"},
		{"plain", "\bword", "\bword"},
		{"plain", "ｐａｓｓ＝１", "pass=1"},
		{"plain", "größe", "größe"},
		{"plain", "\x1b", ""},
		{"plain", "end\x1b[", "end"},
		{"decoded", "a%3Db", "a=b"},
		{"decoded", "a%zz", "a%zz"},
		{"decoded", "100%", "100%"},
		{"decoded", `a\u003db`, "a=b"},
		{"decoded", `a\\u003db`, "a=b"},
		{"decoded", `a\x3db`, "a=b"},
		{"decoded", `a\n`, `a\n`},
		{"decoded", "a&#61;b&#x3d;c&quot;&amp;&lt;&equals;&colon;", `a=b=c"&<=:`},
		{"decoded", "a&nosuch;&#9999;&", "a&nosuch;&#9999;&"},
		{"joined", `"ab" + "cd"`, `"abcd"`},
		{"joined", `'ab' . 'cd'`, `'abcd'`},
		{"joined", `"ab" & "cd"`, `"abcd"`},
		{"joined", "\"ab\" \\\n \"cd\"", `"abcd"`},
		{"joined", `"ab" 'cd'`, `"ab" 'cd'`},
		{"joined", `"ab", "cd"`, `"ab", "cd"`},
		{"rendered", "pass<b>word</b>", "password"},
		{"rendered", "a < b", "a < b"},
		{"latin", "раsswоrd", "password"},
		{"latin", "größe", "größe"},
		{"latin", "ΡΑSS", "PASS"},
		{"unquoted", `a\tb\"c`, "a\tb\"c"},
	} {
		v := readings[c.reading](c.in, all(c.in))
		if got := string(v.Text); got != c.want {
			t.Errorf("%s: %q is read as %q, want %q", c.reading, c.in, got, c.want)
		}
		if err := lawful(v, c.in, all(c.in)); err != nil {
			t.Errorf("%s: %q: %v", c.reading, c.in, err)
		}
	}
}

// lawful checks the map of a reading: each byte comes from its part of the text, in order.
func lawful(v *viewAt, text string, part scan.Stretch) error {
	if len(v.From) != len(v.Text) {
		return fmt.Errorf("%d bytes have %d origins", len(v.Text), len(v.From))
	}
	last := part.From
	for i, at := range v.From {
		if int(at) < last || int(at) >= part.To {
			return fmt.Errorf("byte %d comes from %d, after %d, in %d-%d", i, at, last, part.From, part.To)
		}
		last = int(at)
	}
	if v.End < 0 || v.End > len(text) || len(v.Text) > 0 && v.End <= last {
		return fmt.Errorf("the reading ends at %d, its last byte is from %d of %d", v.End, last, len(text))
	}
	return nil
}

// FuzzReadings checks the map of each reading of any part of any text, and that ordinary letters stay what they are.
func FuzzReadings(f *testing.F) {
	for _, s := range []string{"", "\x1b]", "\x1b[31", "\b\b", "%", "%2", `\u00`, `\\\\u003d`, "&#", "&#x;", `"" + ""`,
		"<", "<b", "\xff\xfe", "ра\xd0", "\u200b", `\`} {
		f.Add(s, 0, len(s))
	}
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		if from < 0 || to > len(text) || from > to {
			t.Skip()
		}
		part := scan.Stretch{From: from, To: to}
		for name, read := range readings {
			if name == "unquoted" && !utf8.ValidString(text[from:to]) {
				continue // literals are found in valid text
			}
			v := read(text, part)
			if name == "decoded" && v.End > to {
				v.End = to // an escape may end behind the part
			}
			if err := lawful(v, text, part); err != nil {
				t.Fatalf("%s of %q %v: %v", name, text, part, err)
			}
		}
		GutterOf(text)
		DumpLine(text)
		if b := WithoutNumbers(text); b != nil {
			bare := b.Room.String()
			for at := range len(bare) {
				if o := b.original(at); text[o] != bare[at] {
					t.Fatalf("%q: byte %d is %q, and %q at %d", text, at, bare[at], text[o], o)
				}
			}
		}
	})
}

func TestNumberedTextIsReadWithoutItsNumbers(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"tabs", "  1\ta\n  2\tb\n  3\tc\n", "a\nb\nc\n"},
		{"arrows", "     1→a\n     2→b\n", "a\nb\n"},
		{"a part of a file", "9\ta\n10\tb\n11\tc", "a\nb\nc"},
		{"text behind it", "1\ta\n2\tb\nEnd\n", "a\nb\nEnd\n"},
		{"a table with numbers", "7\ta\n3\tb\n9\tc\n", ""},
		{"no numbers", "a\nb\n", ""},
		{"nothing", "", ""},
	} {
		got := ""
		if b := WithoutNumbers(c.in); b != nil {
			got = b.Room.String()
			for at := range len(got) {
				if got[at] != c.in[b.original(at)] {
					t.Errorf("%s: byte %d of %q is from %d", c.name, at, got, b.original(at))
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSpansAreMappedBack(t *testing.T) {
	const text = "  1\tKEY=blue\n  2\tNAME=green\n"
	b := WithoutNumbers(text)
	at := strings.Index(b.Room.String(), "green")
	got := b.Back([]scan.Span{{Start: at, End: at + len("green"), Rule: "r"}})
	if len(got) != 1 || text[got[0].Start:got[0].End] != "green" || got[0].Value != "green" {
		t.Errorf("%+v", got)
	}
	at = strings.Index(b.Room.String(), "blue")
	got = b.Back([]scan.Span{{Start: at, End: at + len("blue\nNAME"), Rule: "r"}})
	if text[got[0].Start:got[0].End] != "blue\n  2\tNAME" {
		t.Errorf("over two lines: %q", text[got[0].Start:got[0].End])
	}
}

func TestGuttersOfManyPrograms(t *testing.T) {
	for _, c := range []struct {
		line string
		kind scan.Gutter
		rest string
	}{
		{"     1→package x", scan.Counted, "package x"},
		{"12-context", scan.Searched, "context"},
		{"src/a.go:3:x := 1", scan.Searched, "x := 1"},
		{"src/a.go-3-x := 1", scan.Searched, "x := 1"},
		{"conf/app.yml:key: v", scan.Searched, "key: v"},
		{"> > cited twice", scan.Cited, "cited twice"},
		{"│ framed │", scan.Framed, "framed │"},
		{" 12 │ framed", scan.Framed, "framed"},
		{"api_1  | log", scan.Framed, "log"},
		{"2026-01-02 03:04", scan.NoGutter, "2026-01-02 03:04"},
		{"12", scan.NoGutter, "12"},
		{"word another", scan.NoGutter, "word another"},
		{"postgres://u:p@h", scan.NoGutter, "postgres://u:p@h"},
		{"a:b", scan.NoGutter, "a:b"},
		{strings.Repeat("9", 40) + ":x", scan.NoGutter, strings.Repeat("9", 40) + ":x"},
		{"\xe2\x94", scan.NoGutter, "\xe2\x94"},
	} {
		kind, n := GutterOf(c.line)
		if kind != c.kind || kind != scan.NoGutter && c.line[n:] != c.rest {
			t.Errorf("%q: %v, %q", c.line, kind, c.line[n:])
		}
	}
}

func TestEncodedTextIsDecoded(t *testing.T) {
	const text = "DB_PASSWORD=Kies.grube_4 and more"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]string{
		"base64":      strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(text)), "="),
		"of a URL":    base64.RawURLEncoding.EncodeToString([]byte(text)),
		"hex":         hex.EncodeToString([]byte(text)),
		"capital hex": strings.ToUpper(hex.EncodeToString([]byte(text))),
		"gzip":        base64.RawStdEncoding.EncodeToString(packed.Bytes()),
	} {
		if got := decodedText(run); got != text {
			t.Errorf("%s: %q", name, got)
		}
	}
	for name, run := range map[string]string{
		"a name": "internal_server_error_handler_function",
		"a hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"random bytes": base64.RawStdEncoding.EncodeToString([]byte{0xff, 0x80, 1, 2, 3, 0xfe, 0, 9, 200, 201, 202, 3, 4,
			5, 6}),
		"a broken gzip": "H4sIAAAAAAAAAAAAAAAA",
		"short":         "abcdefgh",
	} {
		if got := decodedText(run); got != "" {
			t.Errorf("%s is read as %q", name, got)
		}
	}
}

func TestLinesOfHexdumps(t *testing.T) {
	for line, want := range map[string]string{
		"00000000: 4442 5f50 4153 53  DB_PASS":                          "DB_PASS",
		"00000010  44 42 5f 50 41 53 53 3d  61 62 63 64 |DB_PASS=abcd|": "DB_PASS=abcd",
		"0000020 4442 5f50":                     "DB_P",
		"\t00000000: 4442":                      "DB",
		"00000000:":                             "",
		"123: 4442":                             "",
		"0123456789abcdef01: 44":                "",
		"no hexdump":                            "",
		"":                                      "",
		"00000000: 4":                           "",
		"00000000: " + strings.Repeat("41", 40): strings.Repeat("A", 32),
		"00000000: zz":                          "",
		"00000000: 41 |A|":                      "A",
		"00000000: 41 42 43 44  45 46":          "ABCD",
		"00000000: 41  42":                      "A",
		"00000000: 41 41 41 41 41 41 41 41  42 42 42 42 42 42 42 42  |x": "AAAAAAAABBBBBBBB",
	} {
		if raw, body := DumpLine(line); string(raw) != want || body > len(line) {
			t.Errorf("%q: %q from %d, want %q", line, raw, body, want)
		}
	}
}

func TestWhatAReaderDoesNotSee(t *testing.T) {
	for text, want := range map[string]bool{
		"plain": false, "größe": false, "日本語": false, "a\u200bb": true, "a\u00adb": true, "a\u180eb": true, "ａ": true,
		"\x1b[0m": true,
		"a\x00b":  true, "a\bb": true, "\u202e": true, "\ufe0f": true, "“quoted”": false, "": false, "\xe2\x80": false,
	} {
		if got := Conceals(text, false); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Conceals("a\u200bb", true) {
		t.Error("a text that has only ASCII is searched for other characters")
	}
}

func TestLettersThatLookTheSame(t *testing.T) {
	for r, want := range map[rune]byte{'а': 'a', 'А': 'A', 'Ρ': 'P', 'у': 'y', 'х': 'x'} {
		if c, ok := lookalike(r); !ok || c != want {
			t.Errorf("%c looks like %c", r, c)
		}
	}
	for _, r := range "aZ1öжΩ日\u200b" {
		if c, ok := lookalike(r); ok {
			t.Errorf("%c looks like %c", r, c)
		}
	}
	if parts := mixedScripts("my раsswоrd is"); len(parts) == 0 {
		t.Error("a password in two alphabets is not seen")
	}
	if parts := mixedScripts("мой пароль: x, the пароль2"); len(parts) != 0 {
		t.Errorf("a Russian word is disguised at %v", parts)
	}
}
