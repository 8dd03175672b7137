package hooks

import (
	"errors"
	"fmt"
	"strings"
)

// The agents whose hooks this package can decode.
const (
	Claude   = "claude"
	Codex    = "codex"
	Cursor   = "cursor"
	OpenCode = "opencode"
)

// Agents returns the supported agents in display order.
func Agents() []string { return []string{Claude, OpenCode, Codex, Cursor} }

var (
	// ErrAgent means that there is no decoder for the agent.
	ErrAgent = errors.New("unknown agent")
	// ErrPayload means that a payload is not what its agent sends. The message names the bad field and never quotes its
	// contents.
	ErrPayload = errors.New("malformed hook payload")
)

// Decode decodes one hook payload. It tolerates unknown events and fields: an event that is of no use is returned with
// the kind Ignored and its name, so that it can be counted. The strings of the events are raw.
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

// settle does what is the same for all agents. It removes wrappers that no user typed from prompts and our own injected
// text from everything. It ignores events that are then empty, and events about our own tools.
func settle(e Event) Event {
	if e.Kind == Prompt {
		e.Text = StripWrappers(e.Text)
	} else {
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

// maxPath limits the length of directories and files; no operating system allows longer ones.
const maxPath = 4096

// bounded drops fields that are too long for what they hold. The rest of the event is still worth keeping.
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

// isOwnTool reports whether a tool belongs to our MCP server. What it returns is already in the memory; capturing it
// would store it again.
func isOwnTool(tool string) bool {
	for _, prefix := range []string{"mcp__mum__", "mcp__plugin_mum_mum__", "mum_memory_"} {
		if strings.HasPrefix(tool, prefix) {
			return true
		}
	}
	return false
}
