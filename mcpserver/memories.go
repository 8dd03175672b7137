package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepmum/api"
)

type rememberIn struct {
	Title  string   `json:"title" jsonschema:"what holds, in 3 to 12 words"`
	Body   string   `json:"body,omitempty" jsonschema:"the reason, the alternatives, where it does not apply; a few sentences; optional for a fact"`
	Key    string   `json:"key,omitempty" jsonschema:"what it answers, as room/name, e.g. payments/provider; it replaces another memory with the same key"`
	Type   string   `json:"type,omitempty" jsonschema:"decision, insight (default), procedure, friction, pitfall, preference or fact"`
	Tags   []string `json:"tags,omitempty" jsonschema:"a few words to find it by"`
	Origin string   `json:"origin,omitempty" jsonschema:"user if the user said exactly this, otherwise agent (default)"`
	Global bool     `json:"global,omitempty" jsonschema:"true if it applies to all projects, like a preference of the user"`

	Links    []linkIn `json:"links,omitempty" jsonschema:"related memories"`
	Evidence []int64  `json:"evidence,omitempty" jsonschema:"numbers of the entries that support it"`
}

type linkIn struct {
	To string `json:"to" jsonschema:"number or id of the other memory"`
	As string `json:"as,omitempty" jsonschema:"depends_on (valid only as long as the other one is) or see (default)"`
}

func (o Options) remember(ctx context.Context, in rememberIn) (string, error) {
	if err := api.CheckOrigin(in.Origin); err != nil {
		return "", err
	}
	add := api.MemoryAdd{Title: in.Title, Body: in.Body, Tags: in.Tags, Origin: "agent", Agent: "mcp", Session: o.Session,
		Directory: o.Dir, Global: in.Global, Key: in.Key, Primitive: "learning", Kind: in.Type, Evidence: in.Evidence}
	switch {
	case in.Type == "decision":
		add.Primitive, add.Kind = "decision", ""
	case in.Type == "" && strings.TrimSpace(in.Body) != "":
		add.Kind = "insight"
	}
	if in.Origin == "user" {
		add.Agent = "mcp-user" // The agent claims that the user said so; the memory is trusted as much as the agent.
	}
	for _, l := range in.Links {
		add.Links = append(add.Links, api.MemoryLinkAdd{To: l.To, As: l.As})
	}
	var out api.MemoryWritten
	if err := o.tell(ctx, "/memories", add, &out); err != nil {
		return "", err
	}
	return rememberedText(out), nil
}

func rememberedText(out api.MemoryWritten) string {
	did := map[string]string{"add": "Written", "update": "Added to a known memory",
		"noop":      "Already known, nothing was written",
		"supersede": "Written; the memory that it contradicts is archived",
		"history":   "Written to the history; a newer memory is valid"}[out.Action]
	text := fmt.Sprintf("%s: [%d] %s", did, out.Memory.Entry, limit(out.Memory.Title, maxLine))
	if out.Findings > 0 {
		text += fmt.Sprintf(" (%d secrets were redacted)", out.Findings)
	}
	return text
}

type noteIn struct {
	Type     string `json:"type" jsonschema:"task, finding, decision, next, checkpoint or done"`
	Text     string `json:"text" jsonschema:"one sentence"`
	File     string `json:"file,omitempty" jsonschema:"the file that a finding is about"`
	Progress *int   `json:"progress,omitempty" jsonschema:"of a task, 0 to 100"`
}

func (o Options) note(ctx context.Context, in noteIn) (string, error) {
	add := api.Note{Type: in.Type, Text: in.Text, File: in.File, Progress: in.Progress, Origin: "agent",
		Agent: clientOf(ctx), Session: o.AgentSession, Directory: o.Dir}
	var out api.Noted
	if err := o.tell(ctx, "/note", add, &out); err != nil {
		return "", err
	}
	text := fmt.Sprintf("Noted: [%d], in session %s", out.NoteID, out.Session)
	if out.Own {
		text += ": no running session of this agent is known here"
	}
	if out.Findings > 0 {
		text += fmt.Sprintf(" (%d secrets were redacted)", out.Findings)
	}
	return text, nil
}

type forgetIn struct {
	ID    string `json:"id" jsonschema:"number or id of the memory"`
	Token string `json:"token,omitempty" jsonschema:"the token of the first call, once the user has agreed; without it nothing is removed"`
}

func (o Options) forget(ctx context.Context, in forgetIn) (string, error) {
	if strings.TrimSpace(in.ID) == "" {
		return "", errors.New("id is empty: memory_search with type memory finds ids")
	}
	var m api.Memory
	if err := o.ask(ctx, "/memories/"+url.PathEscape(in.ID), url.Values{"directory": {o.Dir}}, &m); err != nil {
		return "", err
	}
	var out api.MemoryForgotten
	body := api.MemoryForget{DryRun: in.Token == "", Confirm: in.Token}
	if err := o.tell(ctx, fmt.Sprintf("/memories/%d/forget", m.Entry), body, &out); err != nil {
		return "", err
	}
	return forgottenText(out), nil
}

func forgottenText(out api.MemoryForgotten) string {
	var b strings.Builder
	if out.DryRun {
		b.WriteString("Nothing has been removed yet. This would be removed permanently:\n")
	} else {
		b.WriteString("Removed permanently:\n")
	}
	for _, m := range out.Memories {
		fmt.Fprintf(&b, "[%d] %s\n", m.Entry, limit(m.Title, maxLine))
	}
	if out.DryRun {
		fmt.Fprintf(&b, "If the user agrees, call again with the token %s\n", out.Token)
	}
	for _, f := range out.Found {
		fmt.Fprintf(&b, "a piece of it is still in %s\n", f)
	}
	for _, m := range out.Left {
		fmt.Fprintf(&b, "it came from entry %d, which stays; the user can remove that: mum forget %d\n", m.ID, m.ID)
	}
	for _, m := range out.Repeated {
		fmt.Fprintf(&b, "entry %d contains its words and stays\n", m.ID)
	}
	return fence(b.String())
}

// Resources are the active memories, for clients that let the user pick one.
const (
	resourceBase = "mum://memory/"
	maxResources = 200
)

func (o Options) addResources(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "memory", Title: "A memory", Description: "One decision or learning, by its number", MIMEType: "text/markdown",
		URITemplate: resourceBase + "{id}",
	}, o.readMemory)
	// What there is changes while an agent runs, so the list is made when it is asked for.
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			got, err := next(ctx, method, req)
			if list, ok := got.(*mcp.ListResourcesResult); ok && err == nil {
				list.Resources, err = o.listMemories(ctx)
			}
			if err != nil {
				return nil, explain(err)
			}
			return got, nil
		}
	})
}

func (o Options) listMemories(ctx context.Context) ([]*mcp.Resource, error) {
	var found api.MemoryList
	q := url.Values{"directory": {o.Dir}, "limit": {fmt.Sprint(maxResources)}}
	if err := o.ask(ctx, "/memories", q, &found); err != nil {
		return nil, err
	}
	out := make([]*mcp.Resource, 0, len(found.Memories))
	for _, m := range found.Memories {
		out = append(out, &mcp.Resource{URI: fmt.Sprintf("%s%d", resourceBase, m.Entry), Name: m.ID,
			Title:       limit(m.Title, maxLine),
			Description: strings.TrimSpace(m.Primitive+" "+m.Kind) + " of " + day(m.Updated), MIMEType: "text/markdown"})
	}
	return out, nil
}

func (o Options) readMemory(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	id, ok := strings.CutPrefix(uri, resourceBase)
	if !ok || id == "" || strings.ContainsAny(id, "/?#") {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	var m api.Memory
	if err := o.ask(ctx, "/memories/"+id, url.Values{"directory": {o.Dir}}, &m); err != nil {
		var wire *api.Error
		if errors.As(err, &wire) && wire.Code == api.NotFound {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		return nil, explain(err)
	}
	return &mcp.ReadResourceResult{
		Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/markdown", Text: limit(memoryText(m), maxAnswer)}}}, nil
}

func memoryText(m api.Memory) string {
	text := fmt.Sprintf("# %s\n\n%s of %s, confidence %.2f", m.Title, strings.TrimSpace(m.Primitive+" "+m.Kind),
		day(m.Updated), m.Effective)
	if m.State != "active" {
		text += ", " + m.State
	}
	if m.Foreign {
		text += "; it came with the repository: someone else may have written it"
	}
	return fence(text + "\n\n" + strings.TrimSpace(m.Body) + "\n")
}
