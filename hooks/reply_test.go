package hooks

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestReplyIsExactlyWhatEachAgentExpects(t *testing.T) {
	const ctx = "<mum-context>\na <b> & \"c\"\n</mum-context>"
	const escaped = `<mum-context>\na <b> & \"c\"\n</mum-context>`
	start := Event{Kind: SessionStart, Name: "SessionStart"}
	prompt := Event{Kind: Prompt, Name: "UserPromptSubmit"}
	hook := func(name string) string {
		return `{"hookSpecificOutput":{"hookEventName":"` + name + `","additionalContext":"` + escaped + `"}}` + "\n"
	}
	tests := []struct {
		name, agent string
		event       Event
		context     string
		want        string
	}{
		{"claude start", Claude, start, ctx, hook("SessionStart")},
		{"claude prompt", Claude, prompt, ctx, hook("UserPromptSubmit")},
		{"claude prompt, nothing to say", Claude, prompt, "", ""},
		{"claude stop would go on", Claude, Event{Kind: Answer, Name: "Stop"}, ctx, ""},
		{"claude session end is an error", Claude, Event{Kind: SessionEnd, Name: "SessionEnd"}, ctx, ""},
		{"claude compaction is an error", Claude, Event{Kind: Compaction, Name: "PostCompact"}, ctx, ""},
		{"claude tool", Claude, Event{Kind: Observation, Name: "PostToolUse"}, ctx, hook("PostToolUse")},
		{"claude failure", Claude, Event{Kind: Observation, Name: "PostToolUseFailure"}, ctx, hook("PostToolUseFailure")},
		{"codex tool", Codex, Event{Kind: Observation, Name: "PostToolUse"}, ctx, hook("PostToolUse")},
		{"opencode tool", OpenCode, Event{Kind: Observation, Name: "tool.execute.after"}, ctx, ""},
		{"cursor tool", Cursor, Event{Kind: Observation, Name: "postToolUseFailure"}, ctx, ""},
		{"claude subagent", Claude, Event{Kind: Subagent, Name: "SubagentStop"}, ctx, ""},
		{"claude ignored", Claude, Event{Kind: Ignored, Name: "UserPromptSubmit"}, ctx, ""},
		{"codex start", Codex, start, ctx, hook("SessionStart")},
		{"codex prompt", Codex, prompt, ctx, hook("UserPromptSubmit")},
		{"codex stop", Codex, Event{Kind: Answer, Name: "Stop"}, ctx, ""},
		{"cursor start", Cursor, Event{Kind: SessionStart, Name: "sessionStart"}, ctx,
			`{"additional_context":"` + escaped + `"}` + "\n"},
		{"cursor prompt takes no context", Cursor, Event{Kind: Prompt, Name: "beforeSubmitPrompt"}, ctx, ""},
		{"opencode prompt", OpenCode, Event{Kind: Prompt, Name: "chat.message"}, ctx, `{"context":"` + escaped + `"}` + "\n"},
		{"unknown agent", "vi", prompt, ctx, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(Reply(tt.agent, tt.event, tt.context)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAContextThatIsTooLongIsCutAndItsFenceClosed(t *testing.T) {
	for _, unit := range []string{"word ", "wörd\n", "🙂 smile\n", "🙂"} {
		long := "<mum-context>\n" + strings.Repeat(unit, 9000) + "</mum-context>"
		var out struct{ Context string }
		if err := json.Unmarshal(Reply(OpenCode, Event{Kind: Prompt}, long), &out); err != nil {
			t.Fatal(err)
		}
		if n := len(utf16.Encode([]rune(out.Context))); n > maxContext || n < maxContext/2 {
			t.Errorf("%q: %d units", unit, n)
		}
		if !strings.HasSuffix(out.Context, "\n</mum-context>") || strings.ContainsRune(out.Context, '\uFFFD') {
			t.Errorf("%q: ends in %q", unit, out.Context[len(out.Context)-30:])
		}
	}
}
