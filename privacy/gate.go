package privacy

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"keepmum/privacy/denylist"
	"keepmum/privacy/judge"
	"keepmum/privacy/known"
	"keepmum/privacy/scan"
	"keepmum/privacy/verdict"
)

// Mode says how much the gate redacts.
type Mode string

// The modes. Flexible is another name of Safe.
const (
	ModeSafe     Mode = "safe"
	ModeFlexible Mode = "flexible"
	ModeStrict   Mode = "strict"
	ModeNone     Mode = "none"
)

// Pattern is a user's own rule (`[[privacy.patterns]]` in the config).
type Pattern struct {
	Name     string
	Regex    string
	Keywords []string
}

// Options configure a [Gate]; the zero value is a working gate in safe mode with a temporary key.
type Options struct {
	Mode         Mode          // "" = safe
	Sensitivity  string        // of the learned judge: low, normal, high; "" = normal
	Key          []byte        // HMAC key of this installation; empty = a random one
	ExcludePaths []string      // the user's globs, added to the default denylist; "!glob" allows
	RepoPaths    []string      // a repository's globs, added too; "!glob" is ignored
	Patterns     []Pattern     // user patterns
	Trial        time.Duration // time limit for testing all patterns on bad inputs; 0 = no limit, < 0 = no test
	MaxField     int           // bytes kept of one field; 0 = 512 KiB
	Home         string        // home directory, for ~ in paths; "" = unknown
	Vault        bool          // redact the secrets that are stored on this machine
	Env          []string      // NAME=value lines of our own process, for the vault
	Verdicts     *verdict.Book // what the user said about values; nil = nothing
}

// Gate cleans text. It is safe for concurrent use.
type Gate struct {
	mode     Mode
	reads    scan.Options
	maxField int
	macs     *scan.MACs
	denylist *denylist.List
	memory   *known.Memory
	dialog   *dialog
	vault    *known.Vault
	patterns *patterns
	rules    func() *scan.RuleSet // read when the first text is cleaned
	verdicts *verdict.Book
	ownIDs   map[string]bool // rule names of the user's patterns
}

// New compiles a gate. An invalid or too slow user pattern is an error that names it.
func New(o Options) (*Gate, error) {
	mode, err := o.Mode.canonical()
	if err != nil {
		return nil, err
	}
	if !slices.Contains(append(judge.Sensitivities(), ""), o.Sensitivity) {
		return nil, fmt.Errorf("privacy sensitivity %q: must be low, normal or high", o.Sensitivity)
	}
	denied := denylist.Options{Home: o.Home, User: o.ExcludePaths, Repo: o.RepoPaths}
	if o.Vault {
		denied.Values = valuesOf
	}
	deny, err := denylist.New(denied)
	if err != nil {
		return nil, err
	}
	own, err := newPatterns(o.Patterns, o.Trial)
	if err != nil {
		return nil, err
	}
	key := o.Key
	if len(key) == 0 {
		key = make([]byte, 32)
		rand.Read(key)
	}
	hashes := scan.NewMACs(key)
	ids := map[string]bool{known.RuleVault: true, scan.RuleMemory: true, verdict.Rule: true}
	for _, id := range own.names() {
		ids[id] = true
	}
	var secrets *known.Vault
	if o.Vault {
		secrets = known.NewVault(o.Home, o.Env)
	}
	reads := scan.Options{Strict: mode == ModeStrict, Sensitivity: o.Sensitivity}
	return &Gate{mode: mode, reads: reads, maxField: cmp.Or(o.MaxField, defaultMaxField), macs: hashes, denylist: deny,
		memory: known.NewMemory(), dialog: newDialog(), vault: secrets, patterns: own, rules: sharedRules,
		verdicts: o.Verdicts, ownIDs: ids}, nil
}

// canonical resolves aliases of modes.
func (m Mode) canonical() (Mode, error) {
	switch m {
	case "", ModeSafe, ModeFlexible:
		return ModeSafe, nil
	case ModeStrict, ModeNone:
		return m, nil
	}
	return "", fmt.Errorf("privacy mode %q: must be safe, flexible, strict or none", string(m))
}

// Mode returns the current mode, with aliases resolved.
func (g *Gate) Mode() Mode { return g.mode }

// MAC returns the keyed hash of a value in hex, as in [Finding.MAC].
func (g *Gate) MAC(value string) string { return g.macs.Hex(value) }

// detect finds what must not be kept of a node.
func (g *Gate) detect(l *node, dir string, o scan.Options) ([]scan.Span, error) {
	if g.mode == ModeNone {
		return nil, nil
	}
	out, err := g.patterns.spans(l.text)
	if err != nil {
		return nil, err
	}
	known, err := g.vault.Spans(dir, l.text)
	if err != nil {
		return nil, err
	}
	out = append(out, known...)
	said, err := g.verdicts.Spans(l.text)
	if err != nil {
		return nil, err
	}
	out = append(out, said...)
	return append(out, memberSpans(g.rules(), l, o)...), nil
}

// Raw is one event from outside, as decoded values.
type Raw struct {
	Session string            // scope of the session's remembered secrets; "" = none are remembered
	Speaker Speaker           // who wrote Fields["text"], "" = unknown
	Dir     string            // working directory, to resolve relative paths
	Stored  bool              // a gate has passed it before, so the files of that time have been taken into account
	Links   *Links            // of the events that are read together; nil = it is read alone
	Tool    string            // the agent's name of the tool, "" if no tool was used
	Input   any               // decoded JSON (string, []any, map[string]any, json.Number, bool, nil)
	Output  any               // decoded JSON
	Fields  map[string]string // all other strings of the event, by our own names
}

// Links remembers the links of paths during one reading of several events; see [denylist.Links].
type Links = denylist.Links

// NewLinks begins a reading of several events.
func NewLinks() *Links { return denylist.NewLinks() }

// Cleaned is what may be kept of a [Raw] event.
type Cleaned struct {
	Tool     Clean
	Input    Tree
	Output   Tree
	Fields   map[string]Clean
	Paths    []Clean // paths in the event, cleaned, without duplicates
	Findings []Finding
	Excluded Clean // the denied path because of which the content was withheld; zero otherwise
	Private  bool  // it contained only private text: do not store it
}

// Finding records that something was redacted, never what it was.
type Finding struct {
	Rule  string `json:"rule"`
	Field string `json:"field"` // "input.command", "output", "prompt"
	Bytes int    `json:"bytes"`
	MAC   string `json:"mac,omitempty"` // HMAC-SHA256 of the value, hex; "" if no hash is kept
}

// Event cleans one event as a whole, so that a secret in one field is redacted in all of them.
func (g *Gate) Event(r Raw) Cleaned {
	if g.mode == ModeNone {
		p := passage{g: g, raw: r}
		return p.run()
	}
	_ = g.verdicts.Refresh() // if the verdicts cannot be read, every text is withheld
	kept, w := withhold(g.denylist, r)
	g.memory.Learn(r.Session, w.secrets)
	p := passage{g: g, raw: kept, verdict: w.Verdict, findings: w.findings, withheld: w.secrets,
		dropped: w.secrets[len(w.Learned):], answers: g.dialog.listen(r)}
	if g.dialog.terminal(r) {
		p.typed = keystrokes(r)
	}
	return p.run()
}

// Text cleans one string as an event of its own.
func (g *Gate) Text(s string) (Clean, []Finding) {
	c := g.Event(Raw{Fields: map[string]string{"text": s}})
	return c.Fields["text"], c.Findings
}
