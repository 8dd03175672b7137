package transcript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const declined = `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a ` +
	`file edit, the new_string was NOT written to the file). `

const (
	because = declined + "The user provided the following reason for the rejection:  "
	toldTo  = declined + `To tell you how to proceed, the user said:\n`
)

func queued(rest string) string {
	return `{"type":"attachment","attachment":{"type":"queued_command",` + rest + `}}`
}

func answered(content, beside, failed string) string {
	return `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"c","name":"AskUserQuestion",` +
		`"input":{}}]}}` + "\n" + `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c",` +
		`"is_error":` + failed + `,"content":"` + content + `"}]},"toolUseResult":` + beside + `}`
}

func rejected(content string) string { return answered(content, `"Error: x"`, "true") }

// Claude Code has the user's words in other records than prompts too.
func TestWordsOfTheUserInOtherRecords(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want []string // the user's
	}{
		"queued": {queued(`"prompt":"use tabs here","commandMode":"prompt","origin":{"kind":"human"}`),
			[]string{"use tabs here"}},
		"queued, older": {queued(`"prompt":[{"type":"text","text":"use tabs here"}]`), []string{"use tabs here"}},
		"notification": {queued(`"prompt":"<task-notification>done</task-notification>",` +
			`"commandMode":"task-notification"`), nil},
		"other agent": {queued(`"prompt":"go on","commandMode":"prompt","origin":{"kind":"peer"}`), nil},
		"rejected":    {rejected(because + "never push to main"), []string{"never push to main"}},
		"rejected, new": {rejected(toldTo + `never push\n\nNote: The user's next message may contain a`),
			[]string{"never push"}},
		"only rejected":   {rejected(declined + "STOP what you are doing and wait"), nil},
		"asks to explain": {rejected(toldTo + `The user wants to clarify these questions.\n    This means`), nil},
		"quoted":          {rejected("log: " + because + "no"), nil},
		"answered": {answered("User has answered your questions",
			`{"questions":[{"question":"Tabs?"},{"question":"Which?"},{"question":"Else?"}],`+
				`"answers":{"Tabs?":"Tabs, always","Which?":"B"},"annotations":{"Which?":{"notes":"it is faster"}}}`, "false"),
			[]string{"Tabs, always", "B\nit is faster"}},
	} {
		_, entries := readAll(t, claudeFile(t, c.line+"\n"))
		var got []string
		for _, e := range entries {
			if e.Role == User {
				got = append(got, e.Text)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// What another tool returns is nobody's answer.
func TestOnlyTheToolThatAsksIsAnswered(t *testing.T) {
	result := map[string]any{"questions": []any{map[string]any{"question": "Tabs?"}},
		"answers": map[string]any{"Tabs?": "Yes"}}
	if got := Answered("mcp__quiz__run", result); got != nil {
		t.Errorf("%+v", got)
	}
	got := Answered("AskUserQuestion", result)
	if len(got) != 2 || got[0].Role != Assistant || got[0].Text != "Tabs?" || got[1].Role != User {
		t.Errorf("%+v", got)
	}
}
