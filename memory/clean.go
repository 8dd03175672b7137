package memory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

// maxChunk is how much text the gate gets at once: of a longer text it would keep only the beginning.
const maxChunk = 256 << 10

// text passes a text through the gate; a long one is split between paragraphs or lines.
func (t *Tree) text(s string) (string, []privacy.Finding) {
	var out strings.Builder
	var all []privacy.Finding
	for {
		n := chunk(s)
		c, found := t.gate.Text(s[:n])
		out.WriteString(c.String())
		all = append(all, found...)
		if s = s[n:]; s == "" {
			return out.String(), all
		}
	}
}

// chunk returns where to split a long text: after a paragraph, otherwise after a line. It never splits a line.
func chunk(s string) int {
	if len(s) <= maxChunk {
		return len(s)
	}
	for _, end := range []string{"\n\n", "\n"} {
		if at := strings.LastIndex(s[:maxChunk], end); at > maxChunk/2 {
			return at + len(end)
		}
	}
	if at := strings.IndexByte(s[maxChunk:], '\n'); at >= 0 {
		return maxChunk + at + 1
	}
	return len(s)
}

// clean passes a document through the gate, first each string on its own, then the whole file: a key and its value may
// together reveal what neither reveals alone. The second pass leaves out ids of sessions and of memories, which have
// passed the first. Some agents make ids as random as a token: next to the word "session" they would be taken for one,
// and the memory would lose its source. The id of a memory has the words of its title: next to another one about a
// login it would be taken for a password, and nobody would know what replaced what.
func (t *Tree) clean(doc *document) ([]byte, []privacy.Finding, error) {
	if doc.head == nil {
		data, found := t.cleanText(doc)
		return data, found, nil
	}
	before := doc.texts()
	found := t.cleanStrings(doc)
	doc.dropNames(before)
	masked, _, err := doc.masked()
	if err != nil {
		return nil, nil, err
	}
	if all, _ := t.text(masked); all == masked {
		data, err := doc.render()
		return data, found, err
	}
	found = append(found, t.cleanPairs(doc.head)...)
	masked, unmask, err := doc.masked()
	if err != nil {
		return nil, nil, err
	}
	all, more := t.text(masked)
	found = append(found, more...)
	if !doc.reread(all, unmask) {
		return []byte(unmask.Replace(all)), found, nil
	}
	doc.dropNames(before)
	data, err := doc.render()
	return data, found, err
}

// reread replaces the document with a text in which the gate left marks. The marks are replaced by names while it is
// parsed, because YAML would read a mark in place of a tag as a list. It returns false, and changes nothing, if the
// text cannot be parsed.
func (d *document) reread(text string, unmask *strings.Replacer) bool {
	var names []string
	text = gateMark.ReplaceAllStringFunc(text, func(mark string) string {
		name := fmt.Sprintf("mum-mark-%d-", len(names)/2)
		names = append(names, name, mark)
		return name
	})
	now, err := parseDocument([]byte(text))
	if err != nil || now.head == nil {
		return false
	}
	marks := strings.NewReplacer(names...)
	restore := func(s *string) { *s = unmask.Replace(marks.Replace(*s)) }
	visit(now.head, restore)
	restore(&now.body)
	*d = *now
	return true
}

// masked renders the document with a placeholder for each id, and returns a replacer that puts the ids back.
func (d *document) masked() (string, *strings.Replacer, error) {
	ids := append(sessionIDs(d.head), memoryIDs(d.head)...)
	names := make([]string, 0, 2*len(ids))
	for i, n := range ids {
		name := fmt.Sprintf("mum-id-%d-", i)
		names = append(names, name, n.Value)
		n.Value = name
	}
	text, err := d.render()
	for i, n := range ids {
		n.Value = names[2*i+1]
	}
	return string(text), strings.NewReplacer(names...), err
}

// cleanText passes through the gate a file without frontmatter, or one whose frontmatter cannot be parsed. Session ids
// in it are kept here, too.
func (t *Tree) cleanText(doc *document) ([]byte, []privacy.Finding) {
	masked, unmask := t.maskedLines(doc.body)
	clean, found := t.text(masked)
	doc.body = unmask.Replace(clean)
	return []byte(doc.body), found
}

// maskedLines does the same as [document.masked] for a file whose frontmatter cannot be parsed.
func (t *Tree) maskedLines(text string) (string, *strings.Replacer) {
	var names []string
	if strings.HasPrefix(text, fence) {
		text = idLine.ReplaceAllStringFunc(text, func(line string) string {
			at := idLine.FindStringSubmatchIndex(line)
			id := line[at[2]:at[3]]
			if !t.isPlain(id) {
				return line
			}
			name := fmt.Sprintf("mum-id-%d-", len(names)/2)
			names = append(names, name, id)
			return line[:at[2]] + name + line[at[3]:]
		})
	}
	return text, strings.NewReplacer(names...)
}

// idLine matches a session id in a text.
var idLine = lazyregexp.New(`\b(?:session_id|session|from|ref):[ \t]*["']?([\w./:@-]{1,120})`)

// cleanPairs removes the values that are recognised only by their keys. It works on the syntax tree, so that the marks
// are written as valid YAML.
func (t *Tree) cleanPairs(n *yaml.Node) (found []privacy.Finding) {
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 0 {
			found = append(found, t.cleanPairs(child)...)
			continue
		}
		values := []*yaml.Node{child}
		if child.Kind == yaml.SequenceNode {
			values = child.Content
		}
		for _, v := range values {
			found = append(found, t.cleanPair(n.Content[i-1].Value, v)...)
		}
	}
	return found
}

func (t *Tree) cleanPair(key string, v *yaml.Node) []privacy.Finding {
	if v.Kind != yaml.ScalarNode {
		return t.cleanPairs(v)
	}
	switch key {
	case "session_id", "session", "from", "ref", "id", "supersedes", "superseded_by":
		return nil
	}
	c, found := t.gate.Text(key + ": " + v.Value)
	if now, ok := strings.CutPrefix(c.String(), key+": "); ok && now != v.Value {
		v.Value, v.Tag = now, "!!str"
		return found
	}
	return nil
}

// idShape matches an id. Anything else is text, wherever it is.
var idShape = lazyregexp.New(`^[\w./:@-]{1,120}$`)

// sessionIDs returns the nodes that name the session something comes from.
func sessionIDs(n *yaml.Node) (out []*yaml.Node) {
	if n == nil {
		return nil
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 1 && child.Kind == yaml.ScalarNode && idShape.MatchString(child.Value) {
			switch n.Content[i-1].Value {
			case "session_id", "session", "from", "ref":
				out = append(out, child)
			}
		}
		out = append(out, sessionIDs(child)...)
	}
	return out
}

// memoryIDs returns the nodes that name memories.
func memoryIDs(head *yaml.Node) []*yaml.Node {
	return slices.DeleteFunc(nameNodes(head), func(n *yaml.Node) bool {
		return n.Kind != yaml.ScalarNode || !idShape.MatchString(n.Value)
	})
}

func (t *Tree) cleanStrings(doc *document) []privacy.Finding {
	raw, at := privacy.Raw{Fields: map[string]string{}}, map[string]*string{}
	var found []privacy.Finding
	if len(doc.body) > maxChunk {
		doc.body, found = t.text(doc.body)
	} else {
		raw.Fields["body"], at["body"] = doc.body, &doc.body
	}
	visit(doc.head, func(s *string) {
		if *s != "" {
			name := "text" + strconv.Itoa(len(at))
			raw.Fields[name], at[name] = *s, s
		}
	})
	cleaned := t.gate.Event(raw)
	for name, s := range at {
		*s = cleaned.Fields[name].String()
	}
	return append(found, cleaned.Findings...)
}

// visit calls f for every string of a syntax tree.
func visit(n *yaml.Node, f func(*string)) {
	if n == nil {
		return
	}
	if n.Kind == yaml.ScalarNode {
		f(&n.Value)
	}
	f(&n.HeadComment)
	f(&n.LineComment)
	f(&n.FootComment)
	for _, child := range n.Content {
		visit(child, f)
	}
}
