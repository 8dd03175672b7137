package compress

import (
	"strings"

	"keepmum/lazyregexp"
)

// definition matches a definition in the usual languages.
var definition = lazyregexp.New(
	`^\s*(?:export\s+|default\s+|pub(?:\([a-z]+\))?\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|abstract\s+|final\s+)*` +
		`(?:func\s+(?:\([^)]*\)\s*)?|function\s*\*?\s*|def\s+|class\s+|fn\s+|type\s+|interface\s+|struct\s+|enum\s+|trait\s+|impl\s+|module\s+|(?:CREATE|ALTER)\s+TABLE\s+(?:IF NOT EXISTS\s+)?)` +
		`([A-Za-z_][\w.]*)|^\s*(?:export\s+)?(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::\s*[\w<>\[\]| ]+)?=>|\w+\s*=>)`)

// defined returns the name that a line defines, or "".
func defined(line string) string {
	m := definition.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// maxNames is the maximum number of names that are told of one file.
const maxNames = 4

// changedNames returns the functions and types that an edit changed: those defined in changed lines, otherwise the last
// one defined above a change.
func changedNames(in, out map[string]any) []string {
	if content, ok := in["content"].(string); ok {
		return namesIn(strings.Split(content, "\n"))
	}
	if names := hunkNames(hunks(out)); len(names) > 0 {
		return names
	}
	var lines []string
	for _, k := range []string{"new_string", "newString", "new_str"} {
		if s, ok := in[k].(string); ok {
			lines = append(lines, strings.Split(s, "\n")...)
		}
	}
	edits, _ := in["edits"].([]any)
	for _, e := range edits {
		if s, ok := object(e)["new_string"].(string); ok {
			lines = append(lines, strings.Split(s, "\n")...)
		}
	}
	return namesIn(lines)
}

func namesIn(lines []string) []string {
	var names []string
	for _, l := range lines {
		names = addName(names, defined(l))
	}
	return names
}

// addName appends a name that is not in the list yet, up to the limit.
func addName(names []string, name string) []string {
	if name == "" || len(names) >= maxNames {
		return names
	}
	return addOnce(names, name)
}

// hunks returns the lines of a change with their marks, as agents report them.
func hunks(out map[string]any) [][]string {
	var all [][]string
	patch, _ := out["structuredPatch"].([]any)
	for _, h := range patch {
		raw, _ := object(h)["lines"].([]any)
		var lines []string
		for _, l := range raw {
			if s, ok := l.(string); ok {
				lines = append(lines, s)
			}
		}
		all = append(all, lines)
	}
	if diff, ok := object(out["metadata"])["diff"].(string); ok {
		for _, h := range strings.Split(diff, "\n@@")[1:] {
			all = append(all, strings.Split(h, "\n")[1:])
		}
	}
	return all
}

// hunkNames returns the functions and types that some hunks change.
func hunkNames(all [][]string) (out []string) {
	for _, lines := range all {
		for _, name := range namesOfHunk(lines) {
			out = addName(out, name)
		}
	}
	return out
}

// namesOfHunk reads a hunk from the top: a change belongs to the definition above it.
func namesOfHunk(lines []string) []string {
	var names []string
	within := ""
	for _, l := range lines {
		if l == "" {
			continue
		}
		if d := defined(l[1:]); d != "" {
			within = d
		}
		if l[0] == '+' || l[0] == '-' {
			names = addName(names, within)
		}
	}
	return names
}

// patchText returns the patch of an agent that edits by applying one.
func patchText(s step, in map[string]any) string {
	for _, p := range []string{s.Command, firstOf(in, "patch", "patchText", "input")} {
		if i := strings.Index(p, "*** Begin Patch"); i >= 0 {
			return p[i:]
		}
	}
	return ""
}

var patchFile = lazyregexp.New(`(?m)^\*\*\* (Update|Add|Delete) File: (.+)$`)

// patchSteps makes one step for each file that a patch changes.
func patchSteps(patch string, base step) []step {
	var steps []step
	at := patchFile.FindAllStringSubmatchIndex(patch, -1)
	for i, m := range at {
		end := len(patch)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		s := base
		s.Action, s.Command, s.File = edit, "", strings.TrimSpace(patch[m[4]:m[5]])
		if strings.HasPrefix(s.File, "/") {
			s.File = lastParts(s.File)
		}
		if patch[m[2]:m[3]] == "Add" {
			s.Action = write
		}
		s.Names = hunkNames([][]string{strings.Split(patch[m[1]:end], "\n")})
		steps = append(steps, s)
	}
	return steps
}
