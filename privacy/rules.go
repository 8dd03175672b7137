package privacy

import "regexp"

// rule is one shape of secret. The value is group 1, or the whole match.
type rule struct {
	id string
	re *regexp.Regexp
}

type ruleSet struct{ list []rule }

func newRuleSet() *ruleSet {
	var set ruleSet
	for id, re := range map[string]string{
		"private-key":    `(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)`,
		"github-pat":     `\b((?:ghp|gho|ghu|ghs|ghr)_[0-9A-Za-z]{20,255}|github_pat_[0-9A-Za-z_]{20,255})`,
		"gitlab-pat":     `\b(gl(?:pat|dt|rt|ptt|soat|cbt|agent|ft|imt)-[0-9A-Za-z_-]{16,255})`,
		"anthropic-key":  `\b(sk-ant-[0-9A-Za-z_-]{16,255})`,
		"openai-key":     `\b(sk-(?:proj-|svcacct-|admin-)?[0-9A-Za-z_-]{32,255})`,
		"slack-token":    `\b(xox[abeoprs]-[0-9A-Za-z-]{10,255}|xapp-[0-9A-Za-z-]{10,255})`,
		"stripe-key":     `\b([sr]k_(?:live|test)_[0-9A-Za-z]{10,255})`,
		"npm-token":      `\b(npm_[0-9A-Za-z]{20,64})`,
		"aws-access-key": `\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b`,
		"google-api-key": `\b(AIza[0-9A-Za-z_-]{35})`,
		"huggingface":    `\b(hf_[0-9A-Za-z]{30,64})`,
		"jwt":            `\b(eyJ[0-9A-Za-z_-]{10,1000}\.[0-9A-Za-z_-]{10,1000}(?:\.[0-9A-Za-z_-]{0,1000})?)`,
		"url-password":   `[a-z][a-z0-9+.-]{1,20}://[^\s:@/"'<>]{0,128}:([^\s@/"'<>${}]{3,256})@`,
		"authorization":  `(?i)\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic|token)\s+([0-9A-Za-z_.~+/=-]{8,1000})`,
		"key-value":      `(?i)[a-z0-9_-]{0,64}(?:password|passwd|secret|api_?key|access_?key|token)["']?\s{0,3}[:=]\s{0,3}["']?([^\s"'<>${}()\[\],;]{8,512})`,
	} {
		set.list = append(set.list, rule{id, regexp.MustCompile(re)})
	}
	return &set
}

func (s *ruleSet) spans(text string) []span {
	var out []span
	for _, r := range s.list {
		for _, m := range r.re.FindAllStringSubmatchIndex(text, -1) {
			from, to := m[0], m[1]
			if len(m) >= 4 && m[2] >= 0 {
				from, to = m[2], m[3]
			}
			out = append(out, span{start: from, end: to, rule: r.id})
		}
	}
	return out
}

// knowsRule reports whether a placeholder may name this rule.
func (g *Gate) knowsRule(id string) bool { return true }

// strongKey reports whether the name of a value makes it a secret.
var strongKey = regexp.MustCompile(`(?i)(?:^|[_.-])(?:password|passwd|pwd|secret|api_?key|access_?key|private_?key|token)$`)

// detect finds what must not be kept of a leaf.
func (g *Gate) detect(l *leaf, dir string) ([]span, error) {
	if g.mode == ModeNone {
		return nil, nil
	}
	own, err := g.patterns.spans(l.text)
	if err != nil {
		return nil, err
	}
	out := append(own, g.vault.spans(dir, l.text)...)
	out = append(out, g.rules.spans(l.text)...)
	if strongKey.MatchString(l.key) && !l.isKey && len(l.text) >= 6 {
		out = append(out, span{start: 0, end: len(l.text), rule: "key-value"})
	}
	return out, nil
}

// RulesVersion names the rules in use; it changes whenever a rule changes.
func RulesVersion() string { return "1" }
