package compress

import (
	"net/url"
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

var (
	// lasting matches commands with lasting effects.
	lasting = lazyregexp.New(
		`\bgit (?:commit|push|merge|rebase|tag|revert)\b|\b(?:npm|yarn|pnpm|bun|pip|cargo|go|apt(?:-get)?|brew) (?:install|add|get|i)\b|\b(?:deploy|migrate|release|publish)\b|\bdocker (?:build|push)\b|\bterraform apply\b|\bkubectl (?:apply|delete|rollout)\b`)
	commitMessage = lazyregexp.New(`git commit\b[^\n]*?-[a-z]*m[= ]?(?:"([^"\n]+)|'([^'\n]+))`)
	readOnly      = lazyregexp.New(
		`^(?:cd \S+ && )?(?:ls|cat|head|tail|grep|rg|find|git (?:status|diff|log|show|branch|blame)|kubectl (?:get|describe|logs)|docker (?:ps|logs)|sed -n|wc|pwd|tree|which|echo|file|stat|du|ps)\b`)
	title = lazyregexp.New(`(?is)<title>\s*([^<\n]{3,80})|^\s*#\s+([^\n]{3,80})|"title":\s*"([^"\n]{3,80})`)
)

// The words of a prompt by which the type of a summary is guessed.
var (
	decides = lazyregexp.New(
		`(?i)\bfrom now on\b|\bwe (?:decided|agreed|chose|will use|go with|are going with)\b|\blet'?s (?:use|go with|stick with|standardi[sz]e)\b|\b(?:i|we) prefer\b|\bdecision\b|\bnever (?:use|again)\b|\binstead of \w+ we\b`)
	patterns = lazyregexp.New(`(?i)\b(?:convention|our pattern|as a rule|always (?:use|write|put|name|run|call))\b`)
	fixes    = lazyregexp.New(
		`(?i)\b(?:fix(?:es|ed)?|bugs?|broken|crash(?:es|ed)?|fails?|failing|error|regression|wrong|leak|flaky|race|deadlock|doesn'?t work|does not work)\b`)
	refactors = lazyregexp.New(
		`(?i)\b(?:refactor|rename|extract|clean ?up|simplif|split|move|restructure|reorgani[sz]e|dedup|inline)\w*\b`)
	features = lazyregexp.New(`(?i)\b(?:add|implement|create|support|introduce|new|build|write|allow|enable)\b`)
)

// kind guesses the type of a turn. Only the first lines of a prompt count, because the rest is often pasted.
func (t turn) kind() string {
	asked := shorten(fence.ReplaceAllString(t.Prompt, " "), 400)
	switch {
	case patterns.MatchString(asked):
		return "pattern"
	case decides.MatchString(asked):
		return "decision"
	case !t.changed() && t.hasLastingEffect():
		return "change"
	case !t.changed() && len(t.Steps) > 0:
		return "discovery"
	case !t.changed():
		return "note"
	case fixes.MatchString(asked):
		return "bugfix"
	case refactors.MatchString(asked):
		return "refactor"
	case features.MatchString(asked):
		return "feature"
	}
	return "change"
}

// hasLastingEffect reports whether a command changed something besides files.
func (t turn) hasLastingEffect() bool {
	return slices.ContainsFunc(t.Steps,
		func(s step) bool { return s.Action == run && !s.Failed && lasting.MatchString(s.Command) })
}

// webTarget describes a page by its host and title, or a search by its words.
func webTarget(in map[string]any, output string) string {
	raw := firstOf(in, "url")
	if raw == "" {
		if q := firstOf(in, "query", "prompt"); q != "" {
			return "the web on “" + shorten(q, 60) + "”"
		}
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	if m := title.FindStringSubmatch(output); m != nil {
		return u.Hostname() + " (" + strings.TrimSpace(m[1]+m[2]+m[3]) + ")"
	}
	return u.Hostname() + shorten(u.Path, 40)
}
