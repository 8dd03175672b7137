package hooks

import (
	"errors"
	"fmt"
	"strings"
)

// The agents whose dialect this package speaks.
const (
	Claude   = "claude"
	Codex    = "codex"
	Cursor   = "cursor"
	OpenCode = "opencode"
)

// Agents returns the agents this package knows, in the order in which they are shown.
func Agents() []string { return []string{Claude, OpenCode, Codex, Cursor} }

var (
	// ErrAgent says that no decoder has that name.
	ErrAgent = errors.New("unknown agent")
	// ErrPayload says that a payload is not what its agent sends. The message
	// names the field at fault and never quotes what was in it.
	ErrPayload = errors.New("malformed hook payload")
)

// Decode reads one payload of a hook. Unknown events and fields are tolerated:
// an event of no interest comes back as Ignored, with its name, so that it can
// be counted. The strings of the events are raw.
func Decode(agent string, payload []byte) ([]Event, error) {
	decode, err := decoder(agent)
	if err != nil {
		return nil, err
	}
	o, err := parseObject(payload)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrPayload, agent, err)
	}
	e, err := decode(o)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrPayload, agent, err)
	}
	e.Agent = agent
	return []Event{settle(e)}, nil
}

func decoder(agent string) (func(object) (Event, error), error) {
	switch agent {
	case Claude:
		return decodeClaude, nil
	case Codex:
		return decodeCodex, nil
	case Cursor:
		return decodeCursor, nil
	case OpenCode:
		return decodeOpenCode, nil
	}
	return nil, fmt.Errorf("%w: %.40q (known: %s)", ErrAgent, agent, strings.Join(Agents(), ", "))
}

// settle does what is the same for all agents: wrappers that nobody typed are
// taken out of prompts, what we injected ourselves out of everything, and an
// event with nothing left in it, or about our own tools, is ignored.
func settle(e Event) Event {
	switch e.Kind {
	case Prompt:
		e.Text = StripWrappers(e.Text)
	default:
		e.Text = stripOwn(e.Text)
	}
	e = bounded(e)
	e.Input, e.Output, e.Error = stripTree(e.Input), stripTree(e.Output), stripOwn(e.Error)
	empty := (e.Kind == Prompt || e.Kind == Answer) && e.Text == ""
	if e.Kind == Ignored || empty || (e.Kind == Observation && isOwnTool(e.Tool)) {
		return Event{Agent: e.Agent, Kind: Ignored, Name: e.Name, Session: e.Session, Dir: e.Dir}
	}
	return e
}

// maxPath bounds directories and files; no system has longer ones.
const maxPath = 4096

// bounded drops what is too long for what it should be: the rest of the event
// is worth keeping without it.
func bounded(e Event) Event {
	for _, s := range []*string{&e.Dir, &e.Transcript} {
		if len(*s) > maxPath {
			*s = ""
		}
	}
	for _, s := range []*string{&e.Branch, &e.Source, &e.Reason, &e.Model, &e.SubType, &e.Subagent, &e.Parent, &e.PromptID,
		&e.CallID} {
		if len(*s) > maxName {
			*s = ""
		}
	}
	return e
}

// isOwnTool reports whether a tool is one of our MCP server's. What it returns
// is in the memory already; capturing it would make the memory feed on itself.
func isOwnTool(tool string) bool {
	for _, prefix := range []string{"mcp__mum__", "mcp__plugin_mum_mum__", "mum_memory_"} {
		if strings.HasPrefix(tool, prefix) {
			return true
		}
	}
	return false
}
