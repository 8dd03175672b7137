package memory

import (
	"bytes"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// document is a file: a frontmatter (a generated file has none) and a body. The frontmatter stays a syntax tree, so
// that unknown keys, their order and comments survive a rewrite.
type document struct {
	head *yaml.Node // a mapping; nil = no frontmatter
	body string     // everything after the frontmatter, unchanged

	lost map[string]bool // words that the gate removed from the text
}

// formatError says where a file is malformed.
type formatError struct {
	line int
	why  string
}

func (e *formatError) Error() string {
	if e.line == 0 {
		return e.why
	}
	return fmt.Sprintf("line %d: %s", e.line, e.why)
}

const (
	byteOrderMark = "\uFEFF"
	fence         = "---"
)

// parseDocument parses a file. Without a frontmatter, all of it is body.
func parseDocument(data []byte) (*document, error) {
	text := strings.TrimPrefix(string(data), byteOrderMark)
	text = strings.ReplaceAll(text, "\r\n", "\n")
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != fence {
		return &document{body: text}, nil
	}
	head, body, ok := cutFence(rest)
	if !ok {
		return nil, &formatError{1, "the frontmatter has no end (a line of ---)"}
	}
	node, err := parseHead(head)
	if err != nil {
		return nil, err
	}
	return &document{head: node, body: body}, nil
}

// cutFence splits a text at the line that ends the frontmatter.
func cutFence(text string) (head, body string, ok bool) {
	for at := 0; at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		next := min(at+len(line)+1, len(text))
		if strings.TrimRight(line, " \t") == fence {
			return text[:at], text[next:], true
		}
		at = next
	}
	return "", "", false
}

func parseHead(head string) (*yaml.Node, error) {
	var doc yaml.Node
	// The opening fence is replaced by an empty line, so that the line numbers in errors are those of the file.
	if err := yaml.Unmarshal([]byte("\n"+head), &doc); err != nil {
		return nil, yamlError(err)
	}
	if doc.Kind == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, nil
	}
	m := doc.Content[0]
	if m.Kind != yaml.MappingNode {
		return nil, &formatError{m.Line, "the frontmatter is not a list of keys and values"}
	}
	left := maxAliased
	if !expand(m, &left) {
		return nil, &formatError{m.Line, "it has too many aliases (*name)"}
	}
	spellNulls(m, false)
	m.HeadComment = joinComments(doc.HeadComment, m.HeadComment)
	m.FootComment = joinComments(m.FootComment, doc.FootComment)
	return m, uniqueKeys(m)
}

// maxAliased is how many values aliases may stand for: nobody writes more by hand, and aliases of aliases multiply.
const maxAliased = 1000

// expand puts the values that aliases stand for in their places, because the value with the anchor may be replaced
// later.
func expand(n *yaml.Node, left *int) bool {
	n.Anchor = ""
	for i, child := range n.Content {
		if child.Kind == yaml.AliasNode {
			if child = copyOf(child.Alias, left); child == nil {
				return false
			}
			n.Content[i] = child
		}
		if !expand(child, left) {
			return false
		}
	}
	return true
}

// copyOf copies a value without its comments, or returns nil if that would be too much.
func copyOf(n *yaml.Node, left *int) *yaml.Node {
	if *left--; *left < 0 {
		return nil
	}
	out := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value, Alias: n.Alias, Line: n.Line,
		Column: n.Column}
	for _, child := range n.Content {
		if child = copyOf(child, left); child == nil {
			return nil
		}
		out.Content = append(out.Content, child)
	}
	return out
}

// spellNulls writes "null" for an empty value in brackets or an empty key, which the encoder would turn into an empty
// string.
func spellNulls(n *yaml.Node, flow bool) {
	flow = flow || n.Style&yaml.FlowStyle != 0
	for i, child := range n.Content {
		key := n.Kind == yaml.MappingNode && i%2 == 0
		if (flow || key) && child.Kind == yaml.ScalarNode && child.ShortTag() == "!!null" && child.Value == "" {
			child.Value = "null"
		}
		spellNulls(child, flow)
	}
}

func joinComments(a, b string) string {
	return strings.TrimSpace(a + "\n" + b)
}

func uniqueKeys(m *yaml.Node) error {
	seen := map[string]bool{}
	for i := 0; i < len(m.Content); i += 2 {
		key := m.Content[i]
		if key.Kind == yaml.ScalarNode && seen[key.Value] {
			return &formatError{key.Line, "a key occurs twice"}
		}
		seen[key.Value] = true
	}
	return nil
}

// yamlError extracts the line number from the parser's message, which may quote the text.
func yamlError(err error) error {
	e := &formatError{why: "the frontmatter is not valid YAML"}
	if _, scanErr := fmt.Sscanf(err.Error(), "yaml: line %d:", &e.line); scanErr != nil {
		e.line = 1
	}
	return e
}

// render returns the bytes of the file.
func (d *document) render() ([]byte, error) {
	var b bytes.Buffer
	if d.head == nil {
		b.WriteString(d.body)
		return b.Bytes(), nil
	}
	b.WriteString(fence + "\n")
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := enc.Encode(d.head); err != nil {
		return nil, &formatError{1, "the frontmatter cannot be written as YAML"}
	}
	if err := enc.Close(); err != nil {
		return nil, err
	}
	b.WriteString(fence + "\n")
	b.WriteString(d.body)
	return b.Bytes(), nil
}

// get returns the value of a key, or nil if there is none.
func (d *document) get(key string) *yaml.Node {
	if i := d.index(key); i >= 0 {
		return d.head.Content[i+1]
	}
	return nil
}

func (d *document) index(key string) int {
	for i := 0; i < len(d.head.Content); i += 2 {
		if d.head.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// set sets the value of a key in place. A new key is inserted after the last one that precedes it in order.
func (d *document) set(key string, value *yaml.Node, order []string) {
	if i := d.index(key); i >= 0 {
		value.LineComment = d.head.Content[i+1].LineComment
		d.head.Content[i+1] = value
		return
	}
	at := 0
	for _, before := range order {
		if before == key {
			break
		}
		if i := d.index(before); i >= 0 {
			at = max(at, i+2)
		}
	}
	pair := []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, value}
	d.head.Content = append(d.head.Content[:at:at], append(pair, d.head.Content[at:]...)...)
}

// drop removes a key.
func (d *document) drop(key string) {
	if i := d.index(key); i >= 0 {
		d.head.Content = append(d.head.Content[:i:i], d.head.Content[i+2:]...)
	}
}

// text returns the body without surrounding empty lines.
func (d *document) text() string { return strings.TrimSpace(d.body) }

// setText replaces the body, unless it already says the same.
func (d *document) setText(body string) {
	if body = strings.TrimSpace(body); body != d.text() || d.body == "" {
		d.body = "\n" + body + "\n"
	}
}
