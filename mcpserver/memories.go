package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"keepmum/api"
)

type rememberIn struct {
	Title  string   `json:"title" jsonschema:"what holds, as a fact: 3 to 12 words, at least 10 characters"`
	Body   string   `json:"body,omitempty" jsonschema:"why, the alternatives; 50 characters or more, unless type is fact"`
	Key    string   `json:"key,omitempty" jsonschema:"what it answers, like payments/provider; replaces what has the same key"`
	Type   string   `json:"type,omitempty" jsonschema:"default insight; fact if the body is short"`
	Tags   []string `json:"tags,omitempty"`
	Origin string   `json:"origin,omitempty" jsonschema:"user if the user said exactly this; default agent"`
	Global bool     `json:"global,omitempty" jsonschema:"for all projects"`

	DependsOn []ref   `json:"depends_on,omitempty" jsonschema:"memories without which it does not hold"`
	Evidence  []int64 `json:"evidence,omitempty" jsonschema:"ids of entries"`
}

func (o Options) remember(ctx context.Context, in rememberIn) (string, error) {
	if err := api.CheckOrigin(in.Origin); err != nil {
		return "", err
	}
	add := api.MemoryAdd{Title: in.Title, Body: in.Body, Tags: in.Tags, Origin: "agent", Agent: "mcp", Session: o.Session,
		Directory: o.Dir, Global: in.Global, Key: in.Key, Primitive: "learning", Kind: in.Type, Evidence: in.Evidence}
	if in.Type == "decision" {
		add.Primitive, add.Kind = "decision", ""
	}
	if in.Origin == "user" {
		add.Agent = "mcp-user" // The agent claims that the user said so; the memory is trusted as much as the agent.
	}
	for _, id := range in.DependsOn {
		add.Links = append(add.Links, api.MemoryLinkAdd{To: string(id), As: "depends_on"})
	}
	var out api.MemoryWritten
	if err := o.tell(ctx, "/memories", add, &out); err != nil {
		return "", err
	}
	text := rememberedText(out)
	var old api.Memory
	if out.Replaced != "" && o.ask(ctx, "/memories/"+out.Replaced, url.Values{"directory": {o.Dir}}, &old) == nil {
		text += fmt.Sprintf("\nArchived: [%d] %s", old.Entry, limit(old.Title, maxLine))
	}
	return text, nil
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
	ID    ref    `json:"id"`
	Token string `json:"token,omitempty" jsonschema:"that of the first call, once the user has agreed"`
}

func (o Options) forget(ctx context.Context, in forgetIn) (string, error) {
	if in.ID == "" || in.ID == "null" {
		return "", errors.New("id is empty: memory_search with type memory finds ids")
	}
	var m api.Memory
	if err := o.ask(ctx, "/memories/"+url.PathEscape(string(in.ID)), url.Values{"directory": {o.Dir}}, &m); err != nil {
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
	older := int64(0)
	for _, m := range out.Memories {
		fmt.Fprintf(&b, "[%d] %s", m.Entry, limit(m.Title, maxLine))
		if m.Project != "" {
			b.WriteString(" (of " + m.Project + ")")
		}
		if slices.ContainsFunc(out.Memories, func(by api.Memory) bool { return by.ID == m.SupersededBy }) {
			older = m.Entry
			b.WriteString(" (archived: it was replaced by what is removed)")
		}
		b.WriteString("\n")
	}
	if out.DryRun && older != 0 {
		fmt.Fprintf(&b, "To keep what was replaced, the user brings it back first: mum memory restore %d\n", older)
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
