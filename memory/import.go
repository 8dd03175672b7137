package memory

import "errors"

// Imported is what came of an import.
type Imported struct {
	Added   []Memory `json:"added"`
	Same    []string `json:"same"`    // paths of what the tree holds already
	Refused []Broken `json:"refused"` // what cannot be read, or is no memory
}

// Import takes over an older tree: one of this layout (such as `.lerim/memory`), or
// one flat directory of `{type}_{slug}.md`. It is read leniently, and what is not
// known is kept.
func (t *Tree) Import(dir string, by Stamp) (Imported, error) {
	return Imported{}, errors.ErrUnsupported
}
