package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"keepmum/privacy"
)

// A text that is too long for the gate is an error, and not a short text that says so where nobody reads it.
func TestATextThatIsTooLongIsAnError(t *testing.T) {
	gate, err := privacy.New(privacy.Options{MaxField: maxRedact})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("one more line\n", maxRedact/14+1)
	for _, c := range []struct {
		name, in string
		o        redactOptions
	}{
		{"text", long, redactOptions{}},
		{"JSON", long, redactOptions{json: true}},
		{"lines", `{"text":"` + strings.ReplaceAll(long, "\n", `\n`) + `"}`, redactOptions{jsonl: true}},
	} {
		var out, talk bytes.Buffer
		if err := runRedact(gate, c.o, strings.NewReader(c.in), &out, &talk); !errors.Is(err, errTooLong) || out.Len() > 0 {
			t.Errorf("%s: %v, and %d bytes", c.name, err, out.Len())
		}
	}
}
