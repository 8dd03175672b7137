package public

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// TestInputsOfACipherTest has a key between «», and the other values of what may be a test of a cipher around it.
func TestInputsOfACipherTest(t *testing.T) {
	const key = "«" + hexKey + "»"
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"names before":        {`tag: "00ff", nonce = "17aa"; key: "` + key + `"`, true},
		"names behind":        {"key: '" + key + "'\nnonce: '17aa'\naad: ''\n", true},
		"one on each side":    {"nonce = `17aa`; key = `" + key + "`; plaintext = `00ff`", true},
		"capitals":            {`Key: "` + key + `", Nonce: "17aa", CipherText: "00FF"`, true},
		"a part of a name":    {`key: "` + key + `", t.nonce: "17aa", want_tag: "00ff"`, false},
		"a long text":         {`nonce: "17aa", key: "` + key + `", msg: "` + strings.Repeat("0f", 150) + `"`, true},
		"a long text of code": {`nonce: "17aa", key: "` + key + `", msg: "` + strings.Repeat("kn", 150) + `"`, false},
		"a text cut off":      {`nonce: "17aa", key: "` + key + `", msg: "00ff`, false},
		"words":               {`nonce: "hafen", key: "` + key + `", tag: "kran"`, false},
		"one name twice":      {`nonce: "17aa", key: "` + key + `", nonce: "00ff"`, false},
		"another name":        {`nonce: "17aa", key: "` + key + `", door: "00ff"`, false},
		"no separator":        {`nonce"17aa", key: "` + key + `", tag"00ff"`, false},
		"far away":            {`nonce: "17aa", key: "` + key + `"` + strings.Repeat(" ", 400) + `tag: "00ff"`, false},
		"a short key":         {`nonce: "17aa", key: "«` + hexKey[:30] + `»", tag: "00ff"`, false},
		"a key of letters":    {`nonce: "17aa", key: "«` + randomKey + randomKey + `»", tag: "00ff"`, false},
		"nothing":             {key, false},
	} {
		from, to := strings.Index(c.text, "«"), strings.Index(c.text, "»")-len("«")
		text := strings.NewReplacer("«", "", "»", "").Replace(c.text)
		if got := testVector(&scan.Scanner{Text: text}, from, to); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
