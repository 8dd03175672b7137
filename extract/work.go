package extract

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/privacy"
)

// fromWork looks at what the assistant found out while working: why something
// failed, and what helped.
func (h *Heuristic) fromWork(talk []exchange) []finding {
	var out []finding
	for i, e := range talk {
		if i+1 < len(talk) && talk[i+1].user.contradicts() {
			continue
		}
		if f, ok := h.finding(e, explore(e)); ok {
			f.at = i
			out = append(out, f)
		}
		if f, ok := resolved(e, i, talk); ok {
			f.by, f.reported = h.judges.found, true
			out = append(out, f)
		}
	}
	return out
}

// contradicts reports whether the user says that it is not so.
func (s said) contradicts() bool {
	return s.opener() && s.cues.has(reject)
}

// dig is what was tried until the user spoke again.
type dig struct {
	texts    []sentence
	refs     []privacy.Clean
	repaired *repair
	looks    int // steps that only looked
	edits    bool
}

// repair is a command that failed and, after something was done, succeeded.
type repair struct {
	command, trouble privacy.Clean
	failures         int
	edits            []privacy.Clean
	dull             bool // a compiler or linter said it all
}

// told by the error itself: nothing had to be found out.
var dull = lazyregexp.New(`(?i)undeclared|undefined|unused|not defined|cannot find (?:name|symbol|type)|no exported member|syntax ?error|unexpected token|\bTS\d{4}|error\[E\d|\bCS\d{4}|cannot be converted|import (?:cycle|error)|ModuleNotFound|command not found|No such file|not used|lint|prettier|mypy|type error|incompatible types|missing required`)

// explore goes through the work of an exchange.
func explore(e exchange) dig {
	var d dig
	broken := map[string]*repair{}
	for i, st := range e.work {
		switch {
		case st.Role == Assistant:
			s := e.said[i]
			d.texts = append(d.texts, s.list...)
			d.refs = append(d.refs, st.Ref)
		case st.Role == Tool && st.Edit:
			d.edits = true
			for _, r := range broken {
				r.edits = append(r.edits, st.Files...)
			}
		case st.Role == Tool && !st.Command.IsZero():
			d.run(st, broken)
		default:
			d.looks++
		}
	}
	return d
}

func (d *dig) run(st Step, broken map[string]*repair) {
	name := strings.Join(strings.Fields(st.Command.Cut(1000).String()), " ")
	r := broken[name]
	switch {
	case st.Failed && r == nil:
		broken[name] = &repair{command: st.Command, trouble: st.Error, failures: 1, dull: dull.MatchString(st.Error.String())}
	case st.Failed:
		r.failures++
		r.trouble = st.Error
	case r != nil:
		if d.repaired == nil || d.repaired.dull {
			d.repaired = r
		}
		delete(broken, name)
	default:
		d.looks++
	}
}

// finding is what came of the work, if one of the reports says something that
// the code does not.
func (h *Heuristic) finding(e exchange, d dig) (finding, bool) {
	const few = 2
	if d.repaired == nil && !d.edits && d.looks <= few {
		return finding{}, false
	}
	by := h.judges.found
	p := by.chance(e.report(d))
	if p < h.bars.found && !(p >= h.bars.solved && d.repaired != nil && d.says(rootcause)) {
		return finding{}, false
	}
	facts := telling(by, slices.DeleteFunc(plain(d.texts), sentence.announces))
	if _, words := total(facts); words < leastReport {
		return finding{}, false
	}
	f := finding{by: by, reported: true, primitive: memory.Learning, kind: memory.Pitfall, facts: facts, key: best(by, facts), confidence: confidence(p), outcome: memory.Worked, refs: d.refs}
	if d.repaired != nil {
		f.context, f.trouble, f.files = d.repaired.command, d.repaired.trouble, d.repaired.edits
	}
	return f, true
}

// says reports whether a cue stands in what was said.
func (d dig) says(c class) bool {
	all, _ := total(plain(d.texts))
	return all.has(c)
}

// leastReport is how many words it takes to explain something.
const leastReport = 12

func plain(list []sentence) []sentence {
	return slices.DeleteFunc(slices.Clone(list), func(s sentence) bool { return s.question })
}

// announces reports whether a sentence is about what is done just now.
func (s sentence) announces() bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == plan && h.from <= 1 })
}

// resolved finds what the assistant chose by itself, with a reason, where the
// user let it stand.
func resolved(e exchange, i int, talk []exchange) (finding, bool) {
	if !edited(e.work) || i+1 < len(talk) && talk[i+1].user.opener() {
		return finding{}, false
	}
	for n, st := range e.work {
		for _, s := range e.said[n].list {
			const telling = 10
			if s.cues.has(firm) && s.cues.has(reason, instead) && !s.question && !s.cues.has(hypo, local, once) && len(s.words) >= telling {
				return finding{primitive: memory.Decision, key: s, facts: []sentence{s}, confidence: 0.65, outcome: memory.Unknown, at: i, refs: []privacy.Clean{st.Ref}}, true
			}
		}
	}
	return finding{}, false
}
