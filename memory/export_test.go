package memory

import "gopkg.in/yaml.v3"

// UnknownKeys returns what a frontmatter contains besides our own keys, in order.
func UnknownKeys(data []byte) (out []any, err error) {
	doc, err := parseDocument(data)
	if err != nil {
		return nil, err
	}
	ours := map[string]bool{}
	for _, k := range memoryKeys() {
		ours[k] = true
	}
	for i := 0; i < len(doc.head.Content); i += 2 {
		if k := doc.head.Content[i]; !ours[k.Value] {
			out = append(out, k.Value, plain(doc.head.Content[i+1]))
		}
	}
	return out, nil
}

// plain returns the content of a node without its formatting.
func plain(n *yaml.Node) any {
	out := []any{n.Kind, n.ShortTag(), n.Value, n.Anchor}
	if n.ShortTag() == "!!null" {
		out = []any{n.Kind, n.ShortTag()}
	}
	for _, c := range n.Content {
		out = append(out, plain(c))
	}
	return out
}
