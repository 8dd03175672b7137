package extract

import (
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/privacy"
)

const causeBar = 4.0

// fromWork looks at what the assistant found out while working: why something
// failed, and what helped.
func fromWork(talk []exchange) []finding {
	var out []finding
	doubts := 0 // explanations that were given up since something was found
	for i, e := range talk {
		d := explore(e)
		d.doubts += doubts
		doubts = d.doubts
		f, ok := d.finding()
		if ok && i+1 < len(talk) && talk[i+1].user.contradicts() {
			ok = false
		}
		if ok {
			f.at = i
			out = append(out, f)
			doubts = 0
		}
		if f, ok := resolved(e, i, talk); ok {
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
	doubts   int
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
			d.doubts += int(s.cues[reject])
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

// finding is why it failed, if finding out took more than reading the error.
func (d dig) finding() (finding, bool) {
	all, _ := total(plain(d.texts))
	score := points(all, rootcause, 3) + points(all, reproduce, 1) + points(all, workaround, 1)
	if !all.has(rootcause) {
		score += points(all, cause, 1.5)
	}
	if d.doubts > 0 {
		score += 2
	}
	score += float64(min(all[subtle], 2)) + d.rules() + d.effort()
	if score < causeBar || d.repaired == nil && !(all.has(rootcause) && (d.edits || d.looks > 2)) {
		return finding{}, false
	}
	facts := d.telling()
	if _, words := total(facts); words < 12 {
		return finding{}, false
	}
	f := finding{primitive: memory.Learning, kind: memory.Pitfall, facts: facts, confidence: confidence(score, causeBar), outcome: memory.Worked, refs: d.refs}
	f.key = best(facts, func(s sentence) float64 { return s.explains() })
	if d.repaired != nil {
		f.context, f.trouble, f.files = d.repaired.command, d.repaired.trouble, d.repaired.edits
	}
	return f, true
}

// rules counts sentences that say what has to be done each time, or what
// happens otherwise.
func (d dig) rules() float64 {
	n := 0.0
	for _, s := range plain(d.texts) {
		n += points(s.cues, otherwise, 1)
		if s.cues.has(whenever) && s.cues.has(otherwise) {
			n++
		}
	}
	return min(n, 2)
}

func (d dig) effort() float64 {
	score := 0.0
	if d.repaired != nil {
		score++
		if d.repaired.dull {
			score -= 0.5
		}
		if d.repaired.failures > 1 {
			score++
		}
	}
	const long = 6
	if d.looks >= long {
		score += 0.5
	}
	return score
}

func plain(list []sentence) []sentence {
	return slices.DeleteFunc(slices.Clone(list), func(s sentence) bool { return s.question })
}

// explains weighs how much a sentence says about why.
func (s sentence) explains() float64 {
	c := s.cues
	n := points(c, rootcause, 3) + points(c, cause, 1.5) + points(c, subtle, 1) + points(c, otherwise, 1) + points(c, whenever, 1) +
		points(c, workaround, 1) + points(c, reason, 1) + points(c, harm, 0.5) - points(c, reject, 1.5) - points(c, hypo, 1) - points(c, propose, 0.5)
	const short = 8
	if len(s.words) < short {
		n -= 1.5
	}
	for _, w := range s.words {
		if w.code {
			n += 0.3
			break
		}
	}
	return n
}

// announces reports whether a sentence is about what is done just now.
func (s sentence) announces() bool {
	return slices.ContainsFunc(s.hits, func(h hit) bool { return h.class == plan && h.from <= 1 })
}

// telling are the sentences that explain most, in the order they were said.
func (d dig) telling() []sentence {
	const most = 5
	list := plain(d.texts)
	order := make([]int, 0, len(list))
	for i := range list {
		if list[i].explains() > 0 && !list[i].announces() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := list[a].explains(), list[b].explains(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return b - a // what was said last is known best
	})
	order = order[:min(most, len(order))]
	slices.Sort(order)
	out := make([]sentence, 0, len(order))
	for _, i := range order {
		out = append(out, list[i])
	}
	return out
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
