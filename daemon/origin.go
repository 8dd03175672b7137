package daemon

import (
	"strings"

	"keepmum/memory"
	"keepmum/store"
)

// originOf returns who wrote an entry: the user, an agent, a tool, the web, or the history of a repository, which may
// be anyone; "" = unknown.
func originOf(kind store.Kind, role, who, tool string) string {
	switch {
	case kind == store.KindPrompt && role == string(store.RoleUser):
		return "user"
	case kind == store.KindPrompt, kind == store.KindSummary, kind == store.KindNote && who == byAgent:
		return "agent"
	case kind == store.KindObservation && fromTheWeb(tool):
		return "web"
	case kind == store.KindObservation:
		return "tool"
	case kind == store.KindCommit:
		return "git"
	case kind == store.KindNote:
		return "user"
	}
	return ""
}

// byAgent is the author of a note that an agent wrote.
const byAgent = "agent"

// fromRepository is the origin of a memory that came with a repository: someone else may have written it.
const fromRepository = "repository"

// fromTeam is the origin of a memory that another member of the team shared.
const fromTeam = "team"

// wordOf returns whose word a memory is; "" if a session taught it, and it does not say from whom.
func wordOf(row *store.MemoryRow) string {
	m := memory.Memory{Pinned: row.Pinned, Source: row.Origin, Body: row.Body()}
	switch {
	case row.FromRepository():
		return fromRepository
	case row.Cloned && row.RootKind == store.RootTeam:
		return fromTeam
	case m.OfUser():
		return "user"
	case m.OfAgent():
		return "agent"
	}
	return ""
}

// spoken returns the type of an entry for readers: an agent's answer is stored as a prompt with the other role.
func spoken(kind store.Kind, role string) string {
	if kind == store.KindPrompt && role == string(store.RoleAssistant) {
		return "answer"
	}
	return string(kind)
}

// fromTheWeb recognises the agents' own web tools, and MCP tools with the usual names.
func fromTheWeb(tool string) bool {
	tool = strings.ToLower(tool)
	for _, word := range []string{"webfetch", "websearch", "web_fetch", "web_search", "fetch_url", "browser", "playwright",
		"puppeteer", "mcp__fetch"} {
		if strings.Contains(tool, word) {
			return true
		}
	}
	return false
}
