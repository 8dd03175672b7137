package view

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// What is encoded is read if it is text, in any alphabet.
func TestEncodedTextIsRead(t *testing.T) {
	for _, text := range []string{
		`{"login": "kim", "password": "hafen"}`, `{"логин": "ким", "пароль": "гавань"}`, `contraseña_db = "gruia-4"`,
		"für die Datenbank des Hafens", "密码 = 港口", "a line\nand\tanother, größer\r\n",
	} {
		for name, run := range map[string]string{
			"base64":   base64.RawStdEncoding.EncodeToString([]byte(text)),
			"for URLs": base64.RawURLEncoding.EncodeToString([]byte(text)),
			"hex":      hex.EncodeToString([]byte(text)),
			"capitals": strings.ToUpper(hex.EncodeToString([]byte(text))),
		} {
			if got := decodedText(run); got != text {
				t.Errorf("%s of %q: got %q", name, text, got)
			}
		}
	}
}

func TestWhatIsNoTextIsNotRead(t *testing.T) {
	for _, raw := range []string{
		"a\x00b\x00c\x01defghijklmnop", "abcdefgh\xff\xfeijklmnopq", "abcdefgh\x1bijklmnopqrs", "abcdefg\u200bhijklmnop",
		"abcdefg\ufffdhijklmnopq",
	} {
		if got := decodedText(base64.RawStdEncoding.EncodeToString([]byte(raw))); got != "" {
			t.Errorf("base64 of %q: got %q", raw, got)
		}
		if got := decodedText(hex.EncodeToString([]byte(raw))); got != "" {
			t.Errorf("hex of %q: got %q", raw, got)
		}
	}
}

// A run may end in the middle of a letter, because only so many bytes are decoded at once.
func TestALetterMayBeCut(t *testing.T) {
	const text = "der Schlüssel"
	cut := text[:strings.Index(text, "ü")+1]
	if !readable(cut) || readable(cut+"ssel") {
		t.Error(readable(cut), readable(cut+"ssel"))
	}
}

func TestEncodedLettersAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`\u043f\u0430\u0440": 1`: `пар": 1`, `\\u5bc6\\u7801\\u0022`: `密码"`, `contrase\u00F1a\x3d`: "contraseña=",
		`\xd0\xbf\x22`: `п"`, `\ud83d\ude00`: `\ud83d\ude00`, `C:\users`: `C:\users`, `\u04`: `\u04`, `\`: `\`,
		"%D0%BF%D0%B0%D1%80=1": "пар=1", "contrase%C3%B1a%3D": "contraseña=", "100%": "100%", "50%zz": "50%zz",
		`\147\150\160\137\101`: "ghp_A", `\1`: `\1`, `\033[1m`: `\033[1m`, `\189`: `\189`, `\0`: `\0`,
	} {
		v := decodedView(text, scan.Stretch{From: 0, To: len(text)})
		if got := string(v.Text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
