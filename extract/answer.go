package extract

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/privacy"
)

// errJunk means that an answer is unusable. It names the fault, never the text.
var errJunk = errors.New("not what was asked for")

// answer is what a model said, unchecked.
type answer struct {
	Memories []proposal `json:"memories"`
	Summary  struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Intent      string `json:"user_intent"`
		Happened    string `json:"what_happened"`
	} `json:"summary"`
}

type proposal struct {
	Primitive  string   `json:"primitive"`
	Kind       string   `json:"kind"`
	Title      string   `json:"title"`
	Body       string   `json:"body"`
	Confidence float64  `json:"confidence"`
	Tags       []string `json:"tags"`
	Outcome    string   `json:"outcome"`
	Evidence   []int    `json:"evidence"`
}

const maxProposals = 5

var (
	placeholders = lazyregexp.New(
		`(?i)^\W*(?:n/?a|none|null|undefined|todo|tbd|string|title|body|text|summary|no (?:summary|memories).{0,20}|lorem ipsum.*|\.{3}|<[^>]*>|\{[^}]*\})\W*$`)
	talks = lazyregexp.New(
		`(?i)^(?:i(?:'m| am) (?:sorry|unable|an ai)|i cannot|i can't|as an ai|here (?:is|are) the|sure[,!])`)
	gateMarks = lazyregexp.New(`\[(?:REDACTED|EXCLUDED|WITHHELD|CUT):`)
)

// parse parses an answer by the schema. Unknown members are an error: a model that invents members invents more.
func parse(text string) (answer, error) {
	var a answer
	dec := json.NewDecoder(strings.NewReader(strings.TrimSpace(text)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil || dec.More() {
		return answer{}, fmt.Errorf("%w: not the JSON of the schema", errJunk)
	}
	if len(a.Memories) > maxProposals {
		return answer{}, fmt.Errorf("%w: too many memories", errJunk)
	}
	for _, text := range []string{a.Summary.Title, a.Summary.Description, a.Summary.Intent, a.Summary.Happened} {
		if fault := noise(text); fault != "" {
			return answer{}, fmt.Errorf("%w: the summary is %s", errJunk, fault)
		}
	}
	return a, nil
}

// noise says what is wrong with a text that no person would write, or "".
func noise(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case len(text) < 8 || !strings.ContainsAny(text, " \u3000\u3001\u3002"):
		return "too short"
	case placeholders.MatchString(text):
		return "a placeholder"
	case talks.MatchString(text):
		return "talk"
	case strings.Contains(instructions, text):
		return "an echo of the question"
	case slices.ContainsFunc(strings.Fields(text), func(w string) bool { return len(w) > 160 }):
		return "noise"
	}
	return ""
}

// fault says why a proposal is refused, or "".
func (p proposal) fault(w window) string {
	kinds := []string{"insight", "procedure", "friction", "pitfall", "preference"}
	titled := len(strings.Fields(p.Title))
	switch {
	case p.Primitive != "decision" && p.Primitive != "learning":
		return "an unknown primitive"
	case p.Primitive == "learning" && !slices.Contains(kinds, p.Kind), p.Primitive == "decision" && p.Kind != "none" &&
		p.Kind != "":
		return "an unknown kind"
	case !slices.Contains([]string{"worked", "failed", "unknown"}, p.Outcome):
		return "an unknown outcome"
	case !(p.Confidence >= 0 && p.Confidence <= 1):
		return "no confidence"
	case titled < minWords || titled > titleWords+3:
		return "a title of the wrong length"
	case noise(p.Title) != "" || noise(p.Body) != "":
		return "noise"
	case len(w.cited(p.Evidence)) == 0:
		return "without evidence"
	}
	return ""
}

// cited returns the steps of a window with the given numbers.
func (w window) cited(numbers []int) []int {
	var out []int
	for _, n := range numbers {
		if slices.ContainsFunc(w, func(l line) bool { return l.step == n }) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// reading turns answers into candidates.
type reading struct {
	gate    *privacy.Gate
	h       *Heuristic
	session Session
}

// candidates returns the valid proposals, cleaned. The answer is only refused if none is valid.
func (r reading) candidates(a answer, w window) ([]memory.Candidate, error) {
	var out []memory.Candidate
	var faults []string
	for _, p := range a.Memories {
		if fault := p.fault(w); fault != "" {
			faults = append(faults, fault)
			continue
		}
		if c, ok := r.candidate(p, w); ok {
			out = append(out, c)
		}
	}
	if len(out) == 0 && len(faults) > 0 {
		return nil, fmt.Errorf("%w: %s", errJunk, strings.Join(faults, ", "))
	}
	return out, nil
}

// candidate cleans a proposal. It refuses one whose title the gate had to change, or that says nothing about the steps
// it cites.
func (r reading) candidate(p proposal, w window) (memory.Candidate, bool) {
	fields := map[string]string{"title": p.Title, "body": p.Body}
	for i, t := range p.Tags[:min(len(p.Tags), maxTags)] {
		fields[fmt.Sprintf("tag%d", i)] = strings.ToLower(strings.TrimSpace(t))
	}
	clean := r.clean(fields)
	c := memory.Candidate{Primitive: memory.Primitive(p.Primitive), Title: clean["title"],
		Body:       clean["body"].Cut(maxBody),
		Confidence: p.Confidence, Outcome: memory.Outcome(p.Outcome)}
	if c.Primitive == memory.Learning {
		c.Kind = memory.Kind(p.Kind)
	}
	for i := range min(len(p.Tags), maxTags) {
		if t := clean[fmt.Sprintf("tag%d", i)]; len(t.String()) > 1 && !gateMarks.MatchString(t.String()) {
			c.Tags = append(c.Tags, t)
		}
	}
	spoken := r.cite(&c, w.cited(p.Evidence))
	return c, spoken && !gateMarks.MatchString(c.Title.String())
}

// cite adds the sources. It reports whether a message there is about what the candidate says: a command alone proves
// nothing, and a model may cite at random.
func (r reading) cite(c *memory.Candidate, steps []int) bool {
	said := contentWords(tokenize(strings.ReplaceAll(c.Title.String()+" "+c.Body.String(), "`", " ")))
	spoken := false
	id := privacy.Join("/", r.session.Agent, r.session.ID)
	for _, n := range steps {
		st := r.session.Steps[n-1]
		c.Sources = append(c.Sources, memory.Source{Session: id, Ref: st.Ref})
		if st.Role == Tool {
			continue
		}
		for _, w := range tokenize(strings.ReplaceAll(st.Text.Cut(maxMessage).String(), "`", " ")) {
			spoken = spoken || said[w.lower]
		}
		ordered := st.Role == User && r.h.orders(st.Text)
		c.Told, c.Standing = c.Told || ordered, c.Standing || ordered
	}
	return spoken
}

func (r reading) clean(fields map[string]string) map[string]privacy.Clean {
	return r.gate.Event(privacy.Raw{Session: r.session.ID.String(), Fields: fields}).Fields
}

func (r reading) summary(a answer) Summary {
	f := r.clean(map[string]string{"title": a.Summary.Title, "description": a.Summary.Description,
		"intent": a.Summary.Intent, "happened": a.Summary.Happened})
	return Summary{Title: words(f["title"], titleWords+4), Description: f["description"].Cut(300),
		Intent: words(f["intent"], intentWords), Happened: words(f["happened"], happenedWords)}
}
