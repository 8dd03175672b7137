package extract

import (
	"math"
	"strings"
)

// start stands before the first word of a sentence.
const start = "^"

// features are what a model looks at in a piece of talk: its words, its cues,
// and how it stands to what was said before. Most are 1 or absent. Those that
// are no words stand in brackets.
type features map[string]float64

// remark returns the features of what a user said.
func (e exchange) remark(unit []sentence) features {
	f := features{"[message]": 1}
	f.text(unit)
	f.mark("[first]", e.first)
	f.mark("[objects]", e.user.opener())
	f.mark("[for this text only]", e.user.onlyThisTask())
	f.mark("[pasted]", e.user.raw > 2*textBytes(e.user.list)+200)
	offered, shared := e.offers(), e.shared(unit)
	f["[ways offered]"] = offered
	if offered >= 1.25 {
		all, _ := total(unit)
		f.cues("[of those offered] ", all)
		f.mark("[of those offered] [named]", shared > 0)
	}
	f["[words of what it answers]"] = float64(min(shared, 4)) / 4
	f.roots(unit)
	f.shape(unit)
	f.size(unit)
	f.sequel(e)
	return f
}

// size adds how long a text is, so that the weights of it are worth something
// beside those of hundreds of words.
func (f features) size(list []sentence) {
	const scale, brief, long = 2, 6, 250
	_, words := total(list)
	n := math.Log(float64(min(words, long)) + 1)
	f["[words]"], f["[many words]"] = scale*n, scale*n*n/6
	if words < brief {
		f["[few words]"] = scale
	}
}

// sequel adds how the user went on.
func (f features) sequel(e exchange) {
	const most = 8 // words
	n := 0
	for _, s := range e.next.list {
		for _, w := range s.words {
			if n++; n > most {
				return
			}
			f["[then] "+w.name()] = 1
		}
	}
}

// roots adds how long words begin: their endings change with the language's
// grammar, and few of them stand in the lessons in each form.
func (f features) roots(list []sentence) {
	const letters = 5
	for _, s := range list {
		for _, w := range s.words {
			if r := []rune(w.lower); !w.code && len(r) > letters {
				f["~"+string(r[:letters])] = 1
			}
		}
	}
}

// shape adds how much of a text is names, numbers, negations and the past.
func (f features) shape(list []sentence) {
	const least, scale = 8, 4 // a short text is not all of a kind; shares weigh about as much as words
	count, words := map[string]float64{}, 0
	for _, s := range list {
		words += len(s.words)
		for _, w := range s.words {
			count[w.sort()]++
		}
	}
	for sort, n := range count {
		if sort != "" {
			f["[share of "+sort+"]"] = scale * n / float64(max(words, least))
		}
	}
	f["[sentences]"] = math.Log(float64(len(list)) + 1)
}

// sort is what kind of word a word is.
func (w token) sort() string {
	switch w.name() {
	case "<code>":
		return "names"
	case "<number>":
		return "numbers"
	case "no", "not", "never", "nicht", "pas":
		return "negations"
	case "was", "were", "had":
		return "the past"
	}
	switch {
	case strings.HasSuffix(w.lower, "n't"):
		return "negations"
	case strings.HasSuffix(w.lower, "ed"):
		return "the past"
	}
	return ""
}

// reply adds to the features of a remark those of what it answers: a choice is
// one by what was asked.
func (e exchange) reply(f features) features {
	if n := len(e.before.list); n > 0 {
		last := e.before.list[n-1]
		f.mark("[after a question]", last.question)
		for _, w := range last.words {
			f["[after] "+w.name()] = 1
		}
	}
	return f
}

// report returns the features of what the assistant said while it worked.
func (e exchange) report(d dig) features {
	f := features{"[message]": 1}
	f.text(d.texts)
	f.mark("[files changed]", d.edits)
	f.mark("[repaired]", d.repaired != nil)
	f.mark("[dull]", d.repaired != nil && d.repaired.dull)
	f.size(d.texts)
	f.sequel(e)
	const many = 20 // rounds: the more there are, the less is each of them worth
	f["[late]"], f["[rounds]"] = 2*e.at, math.Log(float64(max(1, min(e.of, many))))
	return f
}

func (f features) mark(name string, is bool) {
	if is {
		f[name] = 1
	}
}

// text adds the words and cues of sentences.
func (f features) text(list []sentence) {
	words, questions, statements := 0, 0, 0
	for _, s := range list {
		words += len(s.words)
		if s.question {
			questions++
		} else {
			statements++
		}
		last := start
		for _, w := range s.words {
			name := w.name()
			f[name] = 1
			f[last+" "+name] = 1
			last = name
		}
		f.cues("", s.cues)
	}
	f["[length]"] = math.Log(float64(words)+1) / 2
	f.mark("[asks]", questions > 0)
	f.mark("[only asks]", questions > 0 && statements == 0)
}

// name is a word as a feature: what names something is one of a kind.
func (w token) name() string {
	switch {
	case w.code && strings.ContainsAny(w.lower, "abcdefghijklmnopqrstuvwxyz"):
		return "<code>"
	case strings.ContainsAny(w.lower, "0123456789"):
		return "<number>"
	}
	return w.lower
}

// shared counts the words that a reply takes up from what it answers.
func (e exchange) shared(unit []sentence) int {
	said := map[string]bool{}
	for _, s := range e.before.list {
		for _, w := range s.words {
			if content(w) {
				said[stem(w.lower)] = true
			}
		}
	}
	taken := map[string]bool{}
	for _, s := range unit {
		for _, w := range s.words {
			if k := stem(w.lower); content(w) && said[k] {
				taken[k] = true
			}
		}
	}
	return len(taken)
}

func textBytes(list []sentence) int {
	n := 0
	for _, s := range list {
		n += len(s.text.String())
	}
	return n
}

// cues marks the classes of which there are any.
func (f features) cues(lead string, all cues) {
	for c, n := range all {
		if n > 0 {
			f[lead+"["+classNames()[c]+"]"] = 1
		}
	}
}
