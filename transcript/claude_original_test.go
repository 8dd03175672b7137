package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The copy of a whole file is dropped before anything decodes it. Nothing else is lost, whatever is in it.
func TestTheCopyOfAFileIsDroppedBeforeDecoding(t *testing.T) {
	const record = `{"type":"user","toolUseResult":{"filePath":"a.go","originalFile":"%s","newString":"b"},"n":1}`
	want := fmt.Sprintf(record, "")
	for name, content := range map[string]string{
		"empty":                      ``,
		"a quote":                    `say \"so\"`,
		"a backslash at the end":     `C:\\`,
		"quotes after backslashes":   `\\\"\\\\\"`,
		"what looks like a key":      `{\"toolUseResult\":{\"originalFile\":\"x\"}}`,
		"brackets":                   `}}]`,
		"characters in two bytes":    `größer \u00e9`,
		"half of a hundred thousand": strings.Repeat(`x\n`, 50_000),
	} {
		if got := string(withoutOriginal(fmt.Appendf(nil, record, content))); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, whole := range []string{
		`{"message":{"content":[{"type":"tool_use","input":{"originalFile":"kept"}}]}}`,
		`{"toolUseResult":"text with \"originalFile\":\"kept\""}`,
		`{"toolUseResult":{"originalFile":null,"stdout":"kept"}}`,
		`{"toolUseResult":{"originalFile":"does not end`,
		`{"toolUseResult":{"originalFile":"nor does this\`,
	} {
		if got := string(withoutOriginal([]byte(whole))); got != whole {
			t.Errorf("%s became %s", whole, got)
		}
	}
	raw := fmt.Appendf(nil, record, "left alone")
	withoutOriginal(raw)
	if diff := cmp.Diff(fmt.Sprintf(record, "left alone"), string(raw)); diff != "" {
		t.Errorf("the line itself changed: %s", diff)
	}
}
