package privacy

// patterns are the user's own rules.
type patterns struct{}

func newPatterns(list []Pattern) (*patterns, error) { return &patterns{}, nil }

// spans fails when a pattern runs out of time; the text must then be withheld.
func (p *patterns) spans(text string) ([]span, error) { return nil, nil }

// names are the rule ids of the patterns.
func (p *patterns) names() []string { return nil }
