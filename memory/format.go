package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// defaultConfidence is the confidence of a memory whose file does not state one, such as one written by hand.
const defaultConfidence = 0.8

// The directories of a tree.
const (
	archiveDir  = "archived"
	summaryDir  = "summaries"
	indexFile   = "index.md"
	hotFile     = "hot-memory.md"
	decisionDir = "decisions"
	learningDir = "learnings"
)

// dir returns the directory of a primitive.
func (p Primitive) dir() string {
	switch p {
	case Decision:
		return decisionDir
	case Learning:
		return learningDir
	}
	return ""
}

// placeOf says what kind of file a path is for.
func placeOf(rel string) (p Primitive, archived bool) {
	dir := path.Dir(rel)
	if inner, ok := strings.CutPrefix(dir, archiveDir+"/"); ok {
		dir, archived = inner, true
	}
	switch dir {
	case decisionDir:
		return Decision, archived
	case learningDir:
		return Learning, archived
	}
	return "", archived
}

func hashOf(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// parseMemory parses the file at a path relative to the root.
func parseMemory(rel string, data []byte) (Memory, *document, error) {
	doc, err := parseDocument(data)
	if err != nil {
		return Memory{}, nil, err
	}
	if doc.head == nil {
		return Memory{}, nil, &formatError{1, "there is no frontmatter"}
	}
	m, err := doc.memory()
	if err != nil {
		return Memory{}, nil, err
	}
	m.Primitive, m.Archived = placeOf(rel)
	m.Path, m.Hash = rel, hashOf(data)
	m.ID = cmp.Or(m.ID, Slug(nameOf(rel)))
	m.Title = cmp.Or(m.Title, heading(m.Body), nameOf(rel))
	if m.Created.IsZero() {
		m.Created = dateOf(rel)
	}
	if m.Updated.IsZero() { // written by hand
		m.Updated = m.Created
	}
	return m, doc, valid(m)
}

func (d *document) memory() (Memory, error) {
	r := reader{doc: d}
	m := Memory{
		ID: r.text("id"), Title: r.text("title"), Created: r.time("created"), Updated: r.time("updated"),
		Source: r.text("source"), Confidence: r.share("confidence", defaultConfidence), Tags: r.list("tags"),
		Kind: Kind(r.text("kind")), Outcome: Outcome(r.text("outcome")), Sources: r.origins("sources"),
		Supersedes: r.list("supersedes"), SupersededBy: r.text("superseded_by"),
		ValidFrom: r.time("valid_from"), ValidTo: r.time("valid_to"), Held: r.intervals("held"), Pinned: r.flag("pinned"),
		Branch: r.text("branch"), BranchHead: r.text("branch_head"), BranchBase: r.text("branch_base"),
		Everywhere: r.time("everywhere"), Key: r.key(), Links: r.links("links"), Body: d.text(),
	}
	return m, r.err
}

// fill writes a memory into the document.
func (d *document) fill(m Memory) {
	w := writer{d, memoryKeys()}
	w.text("id", m.ID)
	w.text("title", m.Title)
	w.time("created", m.Created)
	w.time("updated", m.Updated)
	w.text("source", m.Source)
	w.share("confidence", m.Confidence)
	w.list("tags", m.Tags, true)
	w.text("kind", string(m.Kind))
	w.text("outcome", string(m.Outcome))
	if r := (reader{doc: d}); r.key() != m.Key || r.err != nil { // the file may spell it differently, or as a category
		d.drop("category")
		w.text("key", m.Key)
	}
	w.origins("sources", m.Sources)
	w.list("supersedes", m.Supersedes, false)
	w.text("superseded_by", m.SupersededBy)
	w.links("links", m.Links)
	w.time("valid_from", m.ValidFrom)
	w.time("valid_to", m.ValidTo)
	w.intervals("held", m.Held)
	w.flag("pinned", m.Pinned)
	w.text("branch", m.Branch)
	w.text("branch_head", m.BranchHead)
	w.text("branch_base", m.BranchBase)
	w.time("everywhere", m.Everywhere)
	d.setText(m.Body)
}

func newDocument() *document {
	return &document{head: &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}}
}

// valid checks that a file says what this package needs.
func valid(m Memory) error {
	switch {
	case m.Primitive != Decision && m.Primitive != Learning:
		return &formatError{why: "it is neither a decision nor a learning"}
	case !safeID(m.ID):
		return &formatError{why: "its id is not made of lower-case letters, digits and hyphens"}
	case strings.TrimSpace(m.Title) == "":
		return &formatError{why: "it has no title"}
	case m.Primitive == Decision && m.Kind != "":
		return &formatError{why: "a decision has no kind"}
	case !m.Kind.Known():
		return &formatError{why: "its kind is not one of insight, procedure, friction, pitfall, preference, fact"}
	case !m.Outcome.known():
		return &formatError{why: "its outcome is not one of worked, failed, unknown"}
	}
	return nil
}

// Known reports whether memories can have a kind.
func (k Kind) Known() bool {
	switch k {
	case "", Insight, Procedure, Friction, Pitfall, Preference, Fact:
		return true
	}
	return false
}

// stated returns the outcome if it is known.
func (o Outcome) stated() Outcome {
	if o == Unknown {
		return ""
	}
	return o
}

func (o Outcome) known() bool {
	switch o {
	case "", Worked, Failed, Unknown:
		return true
	}
	return false
}

func safeID(s string) bool {
	for i := range len(s) {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", rune(s[i])) {
			return false
		}
	}
	return s != "" && len(s) <= 120
}

// nameOf returns the name of a file without its date and extension.
func nameOf(rel string) string {
	name := strings.TrimSuffix(path.Base(rel), path.Ext(rel))
	if _, ok := parseTime(name[:min(8, len(name))]); ok && len(name) > 9 && name[8] == '-' {
		return name[9:]
	}
	return name
}

// dateOf returns the date in the name of a file.
func dateOf(rel string) time.Time {
	name := path.Base(rel)
	at, _ := parseTime(name[:min(8, len(name))])
	return at
}

// heading returns the first line of a body if it is a heading.
func heading(body string) string {
	line, _, _ := strings.Cut(body, "\n")
	if !strings.HasPrefix(line, "#") {
		return ""
	}
	return strings.TrimSpace(strings.TrimLeft(line, "#"))
}

func parseSummary(rel string, data []byte) (Summary, *document, error) {
	doc, err := parseDocument(data)
	if err != nil {
		return Summary{}, nil, err
	}
	if doc.head == nil {
		return Summary{}, nil, &formatError{1, "there is no frontmatter"}
	}
	r := reader{doc: doc}
	s := Summary{
		ID: r.text("id"), Title: r.text("title"), Created: r.time("created"), Source: r.text("source"),
		Description: r.text("description"), Agent: r.text("coding_agent"), Session: r.text("session_id"),
		Repo: r.text("repo"), Branch: r.text("branch"), Tags: r.list("tags"), Body: doc.text(),
		Path: rel, Hash: hashOf(data),
	}
	s.ID = cmp.Or(s.ID, Slug(nameOf(rel)))
	s.Title = cmp.Or(s.Title, heading(s.Body), nameOf(rel))
	return s, doc, r.err
}

func (d *document) fillSummary(s Summary) {
	w := writer{d, summaryKeys()}
	w.text("id", s.ID)
	w.text("title", s.Title)
	w.time("created", s.Created)
	w.text("source", s.Source)
	w.text("description", s.Description)
	w.text("coding_agent", s.Agent)
	w.text("session_id", s.Session)
	w.text("repo", s.Repo)
	w.text("branch", s.Branch)
	w.list("tags", s.Tags, true)
	d.setText(s.Body)
}

// brokenAt describes a file that cannot be read, for display: a name may contain a secret just as a text may.
func (t *Tree) brokenAt(rel string, err error) Broken {
	b := Broken{Path: t.Shown(rel), Why: err.Error(), Closed: errors.Is(err, fs.ErrPermission)}
	if f, ok := err.(*formatError); ok { //nolint:errorlint // made here, wrapped nowhere
		b.Line, b.Why = f.line, f.why
	}
	b.Why = t.Shown(b.Why)
	return b
}

// Shown returns a name, or a text with names in it, as the gate passes it.
func (t *Tree) Shown(s string) string {
	if t.gate == nil { // of a tree that is restored: its copy has passed the gate
		return s
	}
	c, _ := t.gate.Text(s)
	return c.String()
}

// Error returns the file, the line and the reason.
func (b Broken) Error() string {
	if b.Line == 0 {
		return fmt.Sprintf("%s: %s", b.Path, b.Why)
	}
	return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Why)
}
