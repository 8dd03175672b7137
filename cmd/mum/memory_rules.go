package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/memory"
	"keepmum/project"
	"keepmum/recall"
	"keepmum/safefile"
	"keepmum/sorting"
)

type memoryRules struct {
	placeFlags
	to            string
	write, remove bool
}

// rulesFiles returns the files in which agents read rules, and how a new one begins.
func rulesFiles() map[string][2]string {
	return map[string][2]string{"claude": {"CLAUDE.md", ""}, "agents": {"AGENTS.md", ""},
		"cursor": {".cursor/rules/mum.mdc",
			"---\ndescription: What holds in this project\nalwaysApply: true\n---\n"}}
}

const (
	maxRulesFile = 1 << 20
	ruleSureness = 0.8 // for what the user said; an agent's word has a maximum of 0.6
	maxRule      = 300
)

func newMemoryRulesCmd(a *app) *cobra.Command {
	var o memoryRules
	cmd := &cobra.Command{
		Use: "rules", Short: "Write rules into CLAUDE.md, AGENTS.md or Cursor's rules", Args: cobra.NoArgs,
		Long: `Write the rules of this project into the file that an agent reads at each start: pinned memories, and
your own statements with a confidence of at least 0.8. Without --write it only shows what would change.
The lines are between two markers. What you change between them is kept, and a line that you delete is
not written again. --remove restores the file, byte for byte.`,
		Example: "  mum memory rules --to claude\n" +
			"  mum memory rules --to agents --write\n  mum memory rules --to cursor --remove",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.rules(cmd.Context(), o) },
	}
	o.register(cmd, false)
	cmd.Flags().StringVar(&o.to, "to", "", "claude (CLAUDE.md), agents (AGENTS.md) or cursor (.cursor/rules/mum.mdc)")
	cmd.Flags().BoolVar(&o.write, "write", false, "write the file")
	cmd.Flags().BoolVar(&o.remove, "remove", false, "remove the rules from the file")
	cmd.MarkFlagsMutuallyExclusive("write", "remove")
	return cmd
}

// ruled is what memory rules did, or would do.
type ruled struct {
	File    string            `json:"file"`
	Changed bool              `json:"changed"` // the file differs from what it should be
	Written bool              `json:"written"`
	Added   []string          `json:"added"`
	Removed []string          `json:"removed"`
	ByHand  []memory.HandLine `json:"by_hand"` // lines that are kept
	Taken   []string          `json:"taken"`   // removed or changed by hand: not written again

	none bool // no memory of this place is a rule
}

func (a *app) rules(ctx context.Context, o memoryRules) error {
	to, ok := rulesFiles()[o.to]
	if !ok {
		return usage(errors.New("--to must be claude, agents or cursor"))
	}
	dir, err := a.here()
	if err != nil {
		return err
	}
	root := project.Of(project.Path(dir)).Root
	if root == "" {
		root = dir
	}
	path := filepath.Join(root, filepath.FromSlash(to[0]))
	was, exists, err := readRules(root, to[0])
	if err != nil {
		return err
	}
	file, err := memory.ParseRules(was)
	if err != nil {
		return hinted(errors.New(to[0]+" "+err.Error()),
			"repair the line, or remove both markers by hand: nothing was changed")
	}
	out := ruled{File: path, Added: []string{}, Removed: []string{}, ByHand: file.ByHand(), Taken: []string{}}
	now, gone := file.Without(to[1])
	if !o.remove {
		list, err := a.ruleLines(ctx, o.placeFlags)
		if err != nil {
			return err
		}
		out.Taken = append(out.Taken, slices.DeleteFunc(slices.Clone(list),
			func(l string) bool { return !file.Taken(l) })...)
		if out.none = len(list) == 0; !out.none || len(out.ByHand) > 0 {
			now, gone = file.With(list, to[1], exists), false
		}
	}
	out.Added, out.Removed = lineDiff(was, now)
	out.Changed = was != now || gone
	if out.Changed && (o.write || o.remove) {
		if err := putRules(root, to[0], now, gone); err != nil {
			return err
		}
		out.Written = true
	}
	return a.showRuled(o, out)
}

// readRules reads the file of an agent. It refuses a link, because its target belongs to another agent, or to nobody.
func readRules(root, name string) (text string, exists bool, err error) {
	for part := name; part != "."; part = filepath.Dir(part) {
		if info, err := os.Lstat(filepath.Join(root, part)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", false, hinted(errors.New(part+" is a symbolic link; nothing was written"),
				"mum memory rules --to agents writes AGENTS.md")
		}
	}
	data, err := safefile.ReadBelow(root, name, maxRulesFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	return string(data), err == nil, err
}

func putRules(root, name, text string, gone bool) error {
	path := filepath.Join(root, name)
	if gone {
		return os.Remove(path)
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	} else if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path, []byte(text), mode)
}

// ruleLines returns the rules of a place by their keys.
func (a *app) ruleLines(ctx context.Context, o placeFlags) ([]string, error) {
	var found api.MemoryList
	if err := a.lookUp(ctx, o, "/memories", url.Values{"limit": {"1000"}}, &found); err != nil {
		return nil, err
	}
	var list []api.Memory
	for _, m := range found.Memories {
		said := m.Confidence >= ruleSureness && !strings.HasPrefix(m.Origin, "agent/")
		if (m.Pinned || said) && !m.Foreign && m.Branch == "" && !recall.SpeaksToAModel(m.Title) {
			list = append(list, m)
		}
	}
	sorting.Stable(list, func(x, y api.Memory) int {
		return cmp.Or(cmp.Compare(x.Key, y.Key), cmp.Compare(x.Title, y.Title), cmp.Compare(x.Entry, y.Entry))
	})
	out := []string{}
	for _, m := range list {
		if line := ruleLine(m); !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out, nil
}

// ruleLine returns a memory as one line of plain text: without our markers, and without @path, which Claude Code would
// read as a file to include.
func ruleLine(m api.Memory) string {
	words := strings.Fields(strings.ReplaceAll(oneLine(m.Title, maxRule), "mum:", "mum "))
	for i, w := range words {
		if strings.Contains(w, "@") && !strings.Contains(w, "`") {
			words[i] = "`" + w + "`"
		}
	}
	if m.Key != "" {
		return "- " + m.Key + ": " + strings.Join(words, " ")
	}
	return "- " + strings.Join(words, " ")
}

// lineDiff returns the lines that only one of two texts has.
func lineDiff(was, now string) (added, removed []string) {
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	only := func(list, other []string) []string {
		out := []string{}
		for _, l := range list {
			if l != "" && !slices.Contains(other, l) {
				out = append(out, l)
			}
		}
		return out
	}
	return only(b, a), only(a, b)
}

func (a *app) showRuled(o memoryRules, out ruled) error {
	if o.json {
		return a.printJSON(out)
	}
	c := a.colours()
	a.printf("%s%s%s\n", c.bold, a.tilde(out.File), c.off)
	for _, l := range out.Removed {
		a.printf("  - %s\n", l)
	}
	for _, l := range out.Added {
		a.printf("  + %s\n", l)
	}
	for _, h := range out.ByHand {
		a.printf("kept, written by hand (line %d): %s\n", h.No, h.Text)
	}
	for _, l := range out.Taken {
		a.printf("not written again, removed or changed by hand: %s\n", l)
	}
	if out.none {
		a.printf("no memory of this project is a rule: none is pinned, "+
			"or said by you with a confidence of %g or more\n", ruleSureness)
	}
	switch {
	case out.Written:
		a.printf("written\n")
	case out.Changed:
		a.printf("nothing was written; add --write to write it\n")
	case out.none:
		a.printf("nothing to write\n")
	default:
		a.printf("up to date\n")
	}
	return nil
}
