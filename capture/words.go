package capture

import (
	"strings"

	"keepmum/lazyregexp"
	"keepmum/privacy"
)

const (
	maxTitle = 160
	maxBody  = 64 << 10 // bytes of one observation that are indexed
)

// target lists the input fields that say what a tool was used on, best first.
var target = []string{
	"file_path", "filePath", "notebook_path", "path", "command", "cmd", "pattern", "query", "url", "description", "prompt",
}

// title returns one line: the tool and what it was used on.
func title(e Event) privacy.Clean {
	if e.Tool.IsZero() {
		return privacy.Clean{}
	}
	for _, key := range target {
		if v := e.Input.Field(key); !v.IsZero() {
			return privacy.Join(" ", e.Tool, what(v, e.Project.Root)).Cut(maxTitle)
		}
	}
	return e.Tool
}

var patched = lazyregexp.New(`(?m)^\*\*\* (?:Update|Add|Delete) File: ([^\r\n]*[^\s])\s*$`)

// what returns what a tool was used on: a path or the first line of a command, or the files that a patch changes.
func what(v, root privacy.Clean) privacy.Clean {
	var files []privacy.Clean
	if strings.HasPrefix(v.String(), "*** Begin Patch") {
		for _, at := range patched.FindAllStringSubmatchIndex(v.String(), -1) {
			files = append(files, short(v.Slice(at[2], at[3]), root))
		}
	}
	if len(files) == 0 {
		return line(short(v, root))
	}
	return privacy.Join(", ", files...)
}

// short removes the project's root from a path.
func short(v, root privacy.Clean) privacy.Clean {
	if root.IsZero() || !strings.HasPrefix(v.String(), root.String()+"/") {
		return v
	}
	return v.Slice(len(root.String())+1, len(v.String()))
}

func line(v privacy.Clean) privacy.Clean {
	if i := strings.IndexByte(v.String(), '\n'); i >= 0 {
		return v.Slice(0, i)
	}
	return v
}

// body returns the text of an observation for the index.
func body(e Event) privacy.Clean {
	var parts []privacy.Clean
	for _, p := range []privacy.Clean{e.Input.Text(), e.Output.Text(), e.Error} {
		if !p.IsZero() {
			parts = append(parts, p)
		}
	}
	return privacy.Join("\n", parts...).Cut(maxBody)
}
