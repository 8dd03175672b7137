package memory

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// memoryKeys returns the frontmatter keys of a memory, in order.
func memoryKeys() []string {
	return []string{"id", "title", "created", "updated", "source", "confidence", "tags", "kind", "outcome",
		"key", "sources", "supersedes", "superseded_by", "links", "valid_from", "valid_to", "held", "pinned",
		"branch", "branch_head", "branch_base", "everywhere"}
}

// summaryKeys returns the frontmatter keys of a summary, in order.
func summaryKeys() []string {
	return []string{"id", "title", "created", "source", "description", "coding_agent", "session_id", "repo",
		"branch", "tags"}
}

// reader reads values from a frontmatter. It keeps the first error.
type reader struct {
	doc *document
	err error
}

func (r *reader) fail(n *yaml.Node, why string) {
	if r.err == nil {
		r.err = &formatError{n.Line, why}
	}
}

// scalar returns the node of a plain value, or nil if there is none.
func (r *reader) scalar(key string) *yaml.Node {
	n := r.doc.get(key)
	if n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.ScalarNode {
		r.fail(n, key+" is not a plain value")
		return nil
	}
	return n
}

func (r *reader) text(key string) string {
	if n := r.scalar(key); n != nil {
		return n.Value
	}
	return ""
}

func (r *reader) time(key string) time.Time {
	n := r.scalar(key)
	if n == nil || n.Value == "" {
		return time.Time{}
	}
	at, ok := parseTime(n.Value)
	if !ok {
		r.fail(n, key+" is not a time (2026-03-01T14:23:05Z)")
	}
	return at
}

// parseTime parses a time; one without a zone is UTC.
func parseTime(s string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", time.DateTime,
		time.DateOnly, "20060102"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

// share reads a number from 0 to 1, or returns the fallback if there is none.
func (r *reader) share(key string, fallback float64) float64 {
	n := r.scalar(key)
	if n == nil {
		return fallback
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	if err != nil || math.IsNaN(f) || f < 0 || f > 1 {
		r.fail(n, key+" is not a number from 0 to 1")
	}
	return f
}

func (r *reader) flag(key string) bool {
	n := r.scalar(key)
	if n == nil {
		return false
	}
	switch strings.ToLower(n.Value) {
	case "true", "t", "1", "yes", "y", "on":
		return true
	case "false", "f", "0", "no", "n", "off", "":
	default:
		r.fail(n, key+" is neither true nor false")
	}
	return false
}

// Nobody writes more into one file than this, and the work grows with the square of it.
const (
	maxEntries = 1000   // of a list
	maxSources = 10_000 // a rule that is repeated in every session has a source for each
)

// most reports whether a list at n has at most that many entries, and fails if it has more.
func (r *reader) most(n *yaml.Node, key string, limit, entries int) bool {
	if entries > limit {
		r.fail(n, fmt.Sprintf("%s has more than %d entries", key, limit))
	}
	return entries <= limit
}

// list reads a list of plain values; a single value is split at commas.
func (r *reader) list(key string) []string {
	n := r.doc.get(key)
	var words []string
	switch {
	case n == nil || n.Tag == "!!null":
	case n.Kind == yaml.ScalarNode:
		words = strings.Split(n.Value, ",")
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				r.fail(item, key+" is not a list of plain values")
				return nil
			}
			words = append(words, item.Value)
		}
	default:
		r.fail(n, key+" is not a list")
	}
	if !r.most(n, key, maxEntries, len(words)) {
		return nil
	}
	var out []string
	for _, word := range words {
		out = appendNew(out, strings.TrimSpace(word))
	}
	return out
}

func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// items returns the members of a list, or none if it has more than the limit; a single value is a list of one.
func (r *reader) items(key string, limit int) []*yaml.Node {
	n := r.doc.get(key)
	switch {
	case n == nil || n.Tag == "!!null":
		return nil
	case n.Kind != yaml.SequenceNode:
		return []*yaml.Node{n}
	case !r.most(n, key, limit, len(n.Content)):
		return nil
	}
	return n.Content
}

// origins reads the sources: each is `{from: …, ref: …}` or just a session's id.
func (r *reader) origins(key string) []Origin {
	var out []Origin
	seen := map[Origin]bool{{}: true}
	for _, item := range r.items(key, maxSources) {
		var o Origin
		switch item.Kind {
		case yaml.ScalarNode:
			o.Session = item.Value
		case yaml.MappingNode:
			in := reader{doc: &document{head: item}}
			o = Origin{Session: cmp.Or(in.text("from"), in.text("session")), Ref: in.text("ref")}
			if in.err != nil {
				r.fail(item, key+" contains something that is not a session")
			}
		default:
			r.fail(item, key+" contains something that is not a session")
		}
		if !seen[o] {
			out, seen[o] = append(out, o), true
		}
	}
	return out
}

// writer sets values in a frontmatter. A value that already says the same keeps its spelling.
type writer struct {
	doc   *document
	order []string
}

func (w writer) put(key string, same, empty bool, value any) {
	switch {
	case same && w.doc.get(key) != nil:
	case empty:
		w.doc.drop(key)
	default:
		w.doc.set(key, nodeOf(value), w.order)
	}
}

// nodeOf returns a value as YAML, with lists on one line.
func nodeOf(value any) *yaml.Node {
	var n yaml.Node
	if err := n.Encode(value); err != nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	if n.Kind == yaml.SequenceNode && (len(n.Content) == 0 || n.Content[0].Kind == yaml.ScalarNode) {
		n.Style = yaml.FlowStyle
	}
	for _, item := range n.Content {
		if item.Kind == yaml.MappingNode {
			item.Style = yaml.FlowStyle
		}
	}
	return &n
}

func (w writer) text(key, s string) {
	r := reader{doc: w.doc}
	w.put(key, r.text(key) == s && r.err == nil, s == "", s)
}

func (w writer) time(key string, at time.Time) {
	r := reader{doc: w.doc}
	at = at.UTC().Truncate(time.Second)
	same := r.time(key).Equal(at) && r.err == nil
	stamp := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!timestamp", Value: at.Format(time.RFC3339)}
	w.put(key, same, at.IsZero(), stamp)
}

func (w writer) share(key string, f float64) {
	r := reader{doc: w.doc}
	w.put(key, r.share(key, -1) == f && r.err == nil, false, f)
}

func (w writer) flag(key string, on bool) {
	r := reader{doc: w.doc}
	w.put(key, r.flag(key) == on && r.err == nil, !on, on)
}

func (w writer) list(key string, list []string, always bool) {
	r := reader{doc: w.doc}
	w.put(key, slices.Equal(r.list(key), list) && r.err == nil, len(list) == 0 && !always, notNil(list))
}

func (w writer) origins(key string, list []Origin) {
	r := reader{doc: w.doc}
	if slices.Equal(r.origins(key), list) && r.err == nil {
		return
	}
	type line struct {
		Session string `yaml:"from"`
		Ref     string `yaml:"ref,omitempty"`
	}
	lines := make([]line, len(list))
	for i, o := range list {
		lines[i] = line(o)
	}
	w.put(key, false, len(list) == 0, lines)
}
