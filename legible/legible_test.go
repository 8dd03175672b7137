package legible

import (
	"encoding/json"
	"testing"
	"testing/quick"
	"unicode"
)

func TestWhatAScreenWouldObeyIsShown(t *testing.T) {
	for text, want := range map[string]string{
		"plain\ttext\nöß": "plain\ttext\nöß", "a\r\nb\r\n": "a\nb\n", "10%\r20%": `10%\x0d20%`,
		"\x1b[31mred\x1b[0m\x07": `\x1b[31mred\x1b[0m\x07`, "\u009b2J\x7f\x00": `\u009b2J\x7f\x00`,
		"user\u202e\u2066nimda\u2069": `user\u202e\u2066nimda\u2069`, "a\u200bb\ufeff": `a\u200bb\ufeff`,
		"x\U000e0041y\u2028": `x\U000e0041y\u2028`, "👩\u200d💻 co\u00adop \u06dd": "👩\u200d💻 co\u00adop \u06dd",
		"a\xffb\x9b": `a\xffb\x9b`, "\ufffd": "\ufffd", "\ufdd0": `\ufdd0`,
	} {
		if got := Text(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestJSONKeepsItsMeaning(t *testing.T) {
	same := func(s string) bool {
		s += "\u202e\u009b\U000e0041\x7f"
		doc, err := json.Marshal(map[string]string{"s": s})
		if err != nil {
			return false
		}
		var before, after map[string]string
		shown := JSON(doc)
		for _, r := range string(shown) {
			if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) {
				return false
			}
		}
		return json.Unmarshal(doc, &before) == nil && json.Unmarshal(shown, &after) == nil && before["s"] == after["s"]
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}
