package transcript

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMomentReadsEveryWayAnAgentWritesTime(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		raw  string
		want time.Time
	}{
		"RFC 3339":                {`"2026-03-01T12:00:00.000Z"`, noon},
		"with an offset":          {`"2026-03-01T14:00:00+02:00"`, noon},
		"naive is UTC":            {`"2026-03-01T12:00:00"`, noon},
		"naive with a space":      {`"2026-03-01 12:00:00.000"`, noon},
		"seconds":                 {`1772366400`, noon},
		"seconds with a fraction": {`1772366400.25`, noon.Add(250 * time.Millisecond)},
		"milliseconds":            {`1772366400000`, noon},
		"milliseconds in text":    {`"1772366400000"`, noon},
		"microseconds":            {`1772366400000000`, noon},
		"nanoseconds":             {`1772366400000000000`, noon},
		"negative":                {`-1772366400`, time.Time{}},
		"zero":                    {`0`, time.Time{}},
		"year 1":                  {`"0001-01-01T00:00:00Z"`, time.Time{}},
		"year 9999":               {`"9999-12-31T23:59:59Z"`, time.Time{}},
		"a word":                  {`"yesterday"`, time.Time{}},
		"an object":               {`{"seconds":1}`, time.Time{}},
		"null":                    {`null`, time.Time{}},
		"huge":                    {`1e300`, time.Time{}},
		"nothing":                 {``, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := moment(json.RawMessage(c.raw)); !got.Equal(c.want) {
				t.Errorf("moment(%s) = %v, want %v", c.raw, got, c.want)
			}
		})
	}
}

func TestUnwrappedOpensJSONInsideStrings(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		want any
	}{
		"an object":            {`{"a":1}`, map[string]any{"a": json.Number("1")}},
		"once encoded":         {`"{\"a\":1}"`, map[string]any{"a": json.Number("1")}},
		"twice encoded":        {`"\"{}\""`, "\"{}\""},
		"a list":               {`"[true]"`, []any{true}},
		"text":                 {`"hello"`, "hello"},
		"text with a brace":    {`"{not json"`, "{not json"},
		"two values":           {`"{} {}"`, "{} {}"},
		"a number stays exact": {`9007199254740993`, json.Number("9007199254740993")},
		"broken":               {`{`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, unwrapped(json.RawMessage(c.raw))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTypedLeavesWhatAPersonWrote(t *testing.T) {
	for prompt, want := range map[string]string{
		"fix the <div>": "fix the <div>",
		"<system-reminder>date</system-reminder>\nfix it":                          "fix it",
		"<user_query>\nfix it\n</user_query>":                                      "fix it",
		"<command-name>/review</command-name><command-args>the api</command-args>": "the api",
		"<environment_context>\n<cwd>/x</cwd>\n</environment_context>":             "",
		"<mum-context project=\"shop\">2 May: cents</mum-context>what did we do?":  "what did we do?",
		"what does <system-reminder> mean?":                                        "what does <system-reminder> mean?",
		"# AGENTS.md instructions for /home/dev/shop\n\n<INSTRUCTIONS>x":           "",
		"<permissions instructions>\nnever\n</permissions instructions>":           "",
	} {
		if got := typed(prompt); got != want {
			t.Errorf("typed(%q) = %q, want %q", prompt, got, want)
		}
	}
}
