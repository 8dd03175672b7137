package daemon

import (
	"strings"

	"keepmum/store"
)

// originOf says whose words an entry holds: of the user, of an agent, of a tool,
// of the web or of the history of a repository, which may be anybody's. "" = it is not known.
func originOf(kind store.Kind, role, tool string) string {
	switch {
	case kind == store.KindPrompt && role == string(store.RoleUser):
		return "user"
	case kind == store.KindPrompt, kind == store.KindSummary:
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

// spoken is what a reader calls an entry: what an agent said is kept as a prompt
// of the other role, and is an answer.
func spoken(kind store.Kind, role string) string {
	if kind == store.KindPrompt && role == string(store.RoleAssistant) {
		return "answer"
	}
	return string(kind)
}

// fromTheWeb knows the agents' own tools, and MCP tools by the usual names.
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
