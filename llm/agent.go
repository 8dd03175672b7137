package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// AgentMark starts every question that we send to an agent's command line. A session that starts with it is our own
// question, so nothing is learned from it.
const AgentMark = "[keepmum question: not a session]"

// AgentOptions say which agent's command line to use, and how.
type AgentOptions struct {
	Agent   string   // claude, codex, opencode
	Program string   // path of the program; "" = found in PATH
	Dir     string   // working directory: an empty one of ours, in which no sessions are searched
	Env     []string // environment of the program, NAME=value; MUM_HOOK=off is added
	Timeout time.Duration
}

// Agent is a model behind the command line of a coding agent, which sends the question to its vendor.
type Agent struct {
	o       AgentOptions
	program string
}

// agentCall returns how a command line reads a question from standard input, with tools, hooks and saving of the
// session disabled as far as the agent allows it.
func agentCall(agent string) (args []string, vendor string) {
	switch agent {
	case "claude":
		return []string{"-p", "--output-format", "text", "--tools", "", "--strict-mcp-config", "--disable-slash-commands",
			"--no-session-persistence"}, "anthropic"
	case "codex":
		return []string{"exec", "--skip-git-repo-check", "--ephemeral", "--sandbox", "read-only", "--color", "never", "-"},
			"openai"
	case "opencode":
		return []string{"run", "--pure", "--title", "keepmum"}, "the provider of opencode"
	}
	return nil, ""
}

// Agents returns the agents whose command line can be used.
func Agents() []string { return []string{"claude", "codex", "opencode"} }

// OpenAgent finds the program of an agent.
func OpenAgent(o AgentOptions) (*Agent, error) {
	if !slices.Contains(Agents(), o.Agent) {
		return nil, &Refused{Target: o.Agent, Reason: "no agent with that name can be asked",
			Hint: "agent:claude, agent:codex, agent:opencode"}
	}
	program, err := exec.LookPath(cmp.Or(o.Program, o.Agent))
	if err != nil {
		return nil, fmt.Errorf("%w: %s is not in PATH", ErrAbsent, o.Agent)
	}
	return &Agent{o, program}, nil
}

// String implements [Provider].
func (a *Agent) String() string { return "agent:" + a.o.Agent }

// agentWindow limits a question and its answer, in tokens; all models behind these agents have at least that much.
const agentWindow = 60_000

// Prepare implements [Provider]. The payload is the program's input.
func (a *Agent) Prepare(_ context.Context, q Question) (Request, error) {
	_, vendor := agentCall(a.o.Agent)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n\nAnswer with one JSON object of this schema and nothing else; use no tool:\n%s\n\n%s\n",
		AgentMark, q.System, q.Schema, q.Body)
	if Tokens(b.Len())+q.maxTokens() > agentWindow {
		return Request{}, ErrTooLong
	}
	return Request{Provider: a.String(), Host: vendor + " via " + a.o.Agent, Model: a.String(), Payload: b.Bytes(),
		Window: agentWindow, maxTokens: q.maxTokens()}, nil
}

// maxSaid limits how much of an answer is read: a program that never stops must not fill the memory.
const maxSaid = 1 << 20

// Send implements [Provider]. When the program ends or the time is up, it kills all processes that the program started.
func (a *Agent) Send(ctx context.Context, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, a.o.Timeout)
	defer cancel()
	if err := os.MkdirAll(a.o.Dir, 0o700); err != nil {
		return Answer{}, err
	}
	args, _ := agentCall(a.o.Agent)
	cmd := exec.CommandContext(ctx, a.program, args...)
	cmd.Dir, cmd.Stdin = a.o.Dir, bytes.NewReader(r.Payload)
	cmd.Env = append(slices.Clone(a.o.Env), "MUM_HOOK=off", "PWD="+a.o.Dir)
	said := &bounded{full: cancel}
	cmd.Stdout = said
	cmd.WaitDelay = time.Second // do not wait for a process that keeps the output open
	ownGroup(cmd)
	began := time.Now()
	err := cmd.Run()
	endGroup(cmd)
	took := time.Since(began)
	switch {
	case said.over:
		return Answer{Took: took}, fmt.Errorf("%w: more than %d KiB", ErrAnswer, maxSaid>>10)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Answer{Took: took}, fmt.Errorf("%w: %s took longer than %s", ErrUnavailable, a.o.Agent, a.o.Timeout)
	case ctx.Err() != nil:
		return Answer{Took: took}, ctx.Err()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // it ended well, but a helper of it kept the output open
		return Answer{Took: took}, fmt.Errorf("%w: %s: %w", ErrUnavailable, a.o.Agent, err)
	}
	text := object(said.buf.String())
	if text == "" {
		return Answer{Took: took}, fmt.Errorf("%w: %s answered no JSON", ErrAnswer, a.o.Agent)
	}
	return Answer{Text: text, PromptTokens: Tokens(len(r.Payload)), AnswerTokens: Tokens(len(text)), Took: took}, nil
}

// object returns the outermost JSON object of an answer: agents like to add words around it.
func object(s string) string {
	from, to := strings.IndexByte(s, '{'), strings.LastIndexByte(s, '}')
	if from < 0 || to < from {
		return ""
	}
	return s[from : to+1]
}

// Unload implements [Provider].
func (a *Agent) Unload(context.Context) error { return nil }

// bounded keeps the start of an output, and ends the program if the output is too long.
type bounded struct {
	buf  bytes.Buffer
	over bool
	full func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > maxSaid {
		b.over = true
		b.full()
		return 0, errors.New("the answer is too long")
	}
	return b.buf.Write(p)
}
