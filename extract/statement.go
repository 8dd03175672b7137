package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"keepmum/lazyregexp"
	"keepmum/memory"
	"keepmum/privacy"
)

// Words of sentences, in lower case. A sentence with "ordinal" names an option by its place, one with "leaning" refers
// to the sentence before it.
var (
	denying  = lazyregexp.New(`^(?:no|nope|wait|actually|sorry|correction|nein|doch|moment)\b`)
	inMind   = lazyregexp.New(`\b(?:keep|bear) (?:it |this )?in mind that\b`)
	errand   = lazyregexp.New(`^(?:(?:please|pls|also|so|and|but|ok|now),? )*remember to\b`)
	nextStep = lazyregexp.New(`\b(?:proceed|commit|push|continue|next|go ahead|merge|test now|let me know)\b`)
	assent   = lazyregexp.New(`^(?:yes|yeah|yep|yup|ok|okay|sure|go ahead|do it|please do|sounds good|lgtm|perfect|great|correct|right|agreed|exactly|no|nope|thanks?|continue|proceed|approved?)\b[ ,.!]*`)
	ordinal  = lazyregexp.New(`\b(?:the )?(?:first|second|third|latter|former|last)(?: one| option)?\b|\boption \w\b|^[a-d1-4]\b`)
	leaning  = lazyregexp.New(`^(?:(?:so|and|but|then|also|because|maybe|ok|no|yes),? )?(?:it|this|that|they|these|those|he|she)\b|\bkeep (?:this|that|it) in mind\b|\b(?:do|does|did|about|of|with|like|following) (?:this|that|it|them)(?: again)?\b|^same\b`)
	cause    = lazyregexp.New(`\b(?:root cause|turned out|turns out|the culprit|the (?:real|actual|underlying) (?:problem|cause|reason|issue))\b`)
)

// How people correct what they said right before, in the same sentence as the correction, or before it.
const no = `^(?:(?:oh|ah|ok|okay|hm+|sorry|ach|ne) ?,? )*` +
	`(?:(?:no|nope|nah|nein|nee|non|não)(?:,? (?:wait|sorry|scratch that|forget (?:that|it)|moment|warte|attends|espera))?` +
	`|(?:oh )?wait(?:,? no)?|(?:scratch|scrap|strike) that|forget (?:that|it)|never ?mind(?: that)?|correction` +
	`|(?:streich|vergiss) das|doch nicht|halt|moment|stopp|oublie (?:ça|cela)|attends|espera|olvida eso)`

var (
	correcting = lazyregexp.New(no + `(?:[,.;:!…–—]| -|(?:,? wait|that|it) (?:from now on|remember)\b)`)
	amending   = lazyregexp.New(`^(?:(?:oh|ok|no),? )?(?:actually|sorry|wait)\b`)
	onlyNo     = lazyregexp.New(no + `[.!… ]*$`)
)

func (s sentence) says(what *lazyregexp.Regexp) bool { return what.MatchString(s.plain) }

// statements finds what the user said that is meant to last.
func (h *Heuristic) statements(talk []exchange) (out []finding) {
	for i, e := range talk {
		if message := e.user.text.String(); TakesBack(message, "") {
			if f := h.takenBack(out, talk[max(i-1, 0)], message); f != nil {
				f.why = TakenBack
			}
			continue
		}
		takeBack(out, e.user)
		found := h.judge(e)
		if f, ok := e.settled(); ok && len(found) == 0 {
			if f.chance = h.bar; f.why != "" {
				f.chance = h.least
			}
			found = append(found, f)
		}
		for _, f := range found {
			f.at, f.when, f.refs = i, e.at, []privacy.Clean{e.ref}
			f.sure = h.cues.curve.share(f.chance)
			out = append(out, f)
		}
	}
	return out
}

// judge finds such sentences in a message. The surest sentence of a paragraph represents the whole paragraph; list
// items, and what the user asks to remember, stand for themselves. A sentence with a hole says something else than its
// speaker did.
func (h *Heuristic) judge(e exchange) (out []finding) {
	var others []finding // of paragraphs that another sentence represents
	last := -1           // the last sentence already used
	listed := -1         // the last list item that is part of a finding
	for i := range e.user.list {
		if i <= listed || e.user.incomplete(e.user.list[i]) {
			continue
		}
		m := h.marks(&e, i, false)
		if m == 0 || h.worth(e, i, m) < h.least {
			continue
		}
		f, end := h.statement(e, i, m)
		switch k := len(out) - 1; {
		case k >= 0 && f.replaces(out[k], e.user.list):
			out[k] = f
		case k < 0 || i > last && out[k].apartFrom(f.key) || f.asked && out[k].asked:
			out = append(out, f)
		default:
			others = append(others, out[k].orRather(f)...)
		}
		last = max(last, end)
		if f.asked && out[len(out)-1].key.end == f.key.end {
			listed = e.user.listed(i)
		}
	}
	return append(out, others...)
}

// apartFrom reports whether a sentence is in another paragraph, or an item of its own.
func (f finding) apartFrom(s sentence) bool { return f.key.para != s.para || s.item }

// orRather leaves the surer of two findings of a paragraph, and returns the other one if it says something else.
func (f *finding) orRather(o finding) []finding {
	if o.surer(*f) {
		*f, o = o, *f
	}
	if o.why != "" || o.key.among(f.facts) {
		return nil
	}
	o.why = TooMany
	return []finding{o}
}

// among reports whether a sentence is in a list.
func (s sentence) among(list []sentence) bool {
	return slices.ContainsFunc(list, func(o sentence) bool { return o.end == s.end })
}

// replaces reports whether a finding corrects the one before it in the same paragraph: "from now on tabs. No, from now
// on spaces."
func (f finding) replaces(before finding, list []sentence) bool {
	if !f.asked || !before.asked || f.key.para != before.key.para {
		return false
	}
	i := slices.IndexFunc(list, func(s sentence) bool { return s.end == f.key.end })
	return f.key.says(correcting) || i > 0 && list[i-1].end != before.key.end && list[i-1].says(onlyNo)
}

// onPurpose reports whether a sentence begins by asking to remember something, or with "from now on". What begins with
// "remember to" is often an errand.
func (h *Heuristic) onPurpose(s sentence) bool {
	const early = 16 // bytes
	if s.first && newRule().MatchString(s.plain) || h.cues.told.MatchString(s.plain) && !s.says(errand) {
		return true
	}
	at := h.cues.cues[h.cues.place["standing order"]].re.FindStringIndex(s.plain)
	return at != nil && at[0] < early
}

// surer reports whether a finding should represent its paragraph rather than another one.
func (f finding) surer(o finding) bool {
	if (f.why == "") != (o.why == "") {
		return f.why == ""
	}
	return f.chance > o.chance
}

// Acts that are meant for all times, and others that say how the user wants things done.
var (
	onPurpose = []string{"standing order", "remember"}
	standing  = []string{"standing order", "remember", "always", "must ever"}
	wishes    = []string{"not wanted", "prefer", "you should", "told before", "ask first"}
)

// chance returns the probability that a sentence is worth keeping. One that says in so many words that it is meant to
// last, asks to remember it (and not to do it once), or gives the reason of what is always done reaches the threshold:
// people expect it, and in real sessions two in five of those that their words would outvote are worth keeping.
func (h *Heuristic) chance(m marks, s sentence) float64 {
	p := h.cues.chance(m, s.words)
	if s.says(inMind) {
		p = min(p, max(h.least, h.cues.chance(h.cues.without(m, "remember", "two acts"), s.words)))
	}
	lasting := h.cues.has(m, "standing order") || h.cues.has(m, "always") && h.cues.has(m, "reason") ||
		h.cues.told.MatchString(s.plain) && !h.cues.once(s.plain)
	if h.cues.noRule(s.plain) {
		return min(p, h.least)
	}
	if lasting && !h.namesNothing(m) && !h.cues.has(m, "question", "asks", "hearsay", "story", "this task", "empty") {
		return max(p, h.bar)
	}
	return p
}

// worth returns the chance of sentence i of a message. What is done instead of what the sentence before forbids, with
// its reason, is at least proposed: "Don't use npm. We use pnpm because of the workspaces."
func (h *Heuristic) worth(e exchange, i int, m marks) float64 {
	p, list := h.chance(m, e.user.list[i]), e.user.list
	if h.onPurpose(list[i]) && e.user.lists(list[i]) {
		return max(p, h.bar)
	}
	instead := i > 0 && list[i-1].para == list[i].para && h.cues.rule.MatchString(list[i-1].plain) &&
		h.cues.has(m, "we do") && h.cues.has(m, "reason")
	if instead && !h.cues.has(m, "question", "asks", "hearsay", "story", "this task", "empty", "for now", "maybe") {
		return max(p, h.least)
	}
	return p
}

// statement returns the finding for sentence i of a message, which has these cues, and the index of the last sentence
// that it uses.
func (h *Heuristic) statement(e exchange, i int, m marks) (finding, int) {
	list := e.user.list
	from, to, asked := h.reach(list, i)
	f := finding{key: list[i], facts: list[from:to], chance: h.worth(e, i, m),
		primitive: memory.Decision, told: true, corrects: list[0].says(denying)}
	if f.standing = h.cues.has(m, standing...); f.standing || h.cues.has(m, wishes...) {
		f.primitive, f.kind = memory.Learning, memory.Preference
	}
	oneText := h.cues.has(m, "for one text") && !h.cues.has(m, onPurpose...)
	if f.chance < h.bar || f.key.question || oneText {
		f.why, f.told = Unsure, false // a question states nothing, and what is said of one text ends with it
	}
	if strings.HasSuffix(f.key.text.String(), ":") {
		f.pasted = e.user.behind(f.key)
	}
	if !h.named(f, m) && !e.user.lists(f.key) {
		f.why, f.told = NoObject, false
	}
	f.asked = asked && f.why == ""
	f.corrects = f.corrects || asked && f.key.says(denying)
	f.remember = f.asked && h.cues.told.MatchString(f.key.plain)
	f.question = e.questionOf(f.key)
	return f, to - 1
}

// questionOf returns the agent's question that a sentence answers, if any.
func (e exchange) questionOf(s sentence) []sentence {
	if q, ok := e.asked(); ok && (s.shares(q) > 0 || len(s.words) < titleWords) {
		return []sentence{q}
	}
	return nil
}

// reach returns the range of sentences that explain a sentence, and whether that is said on purpose. Such a range ends
// before the first sentence with which the user asks to remember something else.
func (h *Heuristic) reach(list []sentence, i int) (from, to int, asked bool) {
	from, to = around(list, i)
	if asked = h.onPurpose(list[i]); !asked {
		return from, to, false
	}
	if n := slices.IndexFunc(list[i+1:to], h.onPurpose); n >= 0 {
		to = i + 1 + n
	}
	return from, to, true
}

// named reports whether a finding with these cues says what it is about.
func (h *Heuristic) named(f finding, m marks) bool {
	return !h.cues.has(m, "empty") && !h.namesNothing(m) && (!f.pasted.IsZero() || f.stands())
}

// namesNothing reports whether a sentence with these cues does not say what it is about. Short names of tools do: "use
// pnpm instead of npm".
func (h *Heuristic) namesNothing(m marks) bool {
	return h.cues.has(m, "names nothing") && !h.cues.has(m, "two of the work")
}

// stands reports whether a finding says what it is about.
func (f finding) stands() bool {
	stand := func(s sentence) bool { return !s.question && s.stands() && !s.leans() }
	return stand(f.key) || slices.ContainsFunc(f.facts, stand)
}

// incomplete reports whether a part of a sentence, or of what it announces, is missing.
func (m said) incomplete(s sentence) bool {
	return s.holed || strings.HasSuffix(s.text.String(), ":") && redacted.MatchString(m.behind(s).String())
}

var ordering = lazyregexp.New(`^(?:ok(?:ay)?,? )?(?:please|pls|can you|could you|fix|add|update|run|check|thanks?|great|nice|commit|push|go ahead)\b`)

// around returns the range of sentences in the same paragraph that explain a sentence.
func around(list []sentence, i int) (from, to int) {
	const before, after = 1, 2
	from, to = i, i+1
	for ; from > 0 && i-from < before && list[i].needsMore(); from-- {
		earlier := list[from-1]
		if earlier.para != list[i].para || earlier.question || earlier.holed || earlier.says(ordering) {
			break
		}
	}
	for to < len(list) && to-i <= after && list[to].para == list[i].para && list[to].explains() {
		if list[i].item && list[to].item {
			break
		}
		to++
	}
	return from, to
}

var explaining = lazyregexp.New(`\b(?:because|since|so that|otherwise|that way|this way|reason|instead|only|never|always|must|avoid|should)\b|^(?:it|this|that|they|these|if|when)\b`)

// needsMore reports whether a sentence cannot be understood without the one before it.
func (s sentence) needsMore() bool {
	return s.contents() < 2 || s.leans()
}

var ownWork = lazyregexp.New(`^(?:(?:so|and|but|then|also|because|maybe|ok|no|yes),? )?this (?:repo(?:sitory)?|project|codebase|monorepo)\b`)

// leans reports whether a sentence refers to the one before it. "This project" needs no other sentence.
func (s sentence) leans() bool { return s.says(leaning) && !s.says(ownWork) }

func (s sentence) explains() bool { return !s.question && !s.holed && s.says(explaining) }

// settled finds a short answer to a question between two options. Yes and no only decide what is done next, so they are
// ignored. An answer is kept if it names a thing by its name and files were changed then: "Postgres", but not "the
// wider margins".
func (e exchange) settled() (finding, bool) {
	const few = 8 // words
	if n := len(e.user.list); n == 0 || n > 2 || e.user.size == 0 || e.user.size > few || e.user.list[0].question {
		return finding{}, false
	}
	q, ok := e.asked()
	if !ok || !strings.Contains(q.plain, " or ") || q.says(nextStep) {
		return finding{}, false
	}
	s := e.user.list[0]
	rest := assent.Get().ReplaceAllString(s.plain, "")
	if rest == "" || s.holed || s.shares(q) == 0 && !ordinal.MatchString(rest) {
		return finding{}, false
	}
	f := finding{key: s, facts: e.user.list, question: []sentence{q}, primitive: memory.Decision, told: true}
	if !edited(e.work) || !s.shareName(q) {
		f.told, f.why = false, Unsure
	}
	return f, true
}

// shareName reports whether a word of s is a name in o: a name from the code, or a word with a capital letter in the
// middle of a sentence.
func (s sentence) shareName(o sentence) bool {
	names := map[string]bool{}
	for i, w := range o.words {
		first, _ := utf8.DecodeRuneInString(o.text.String()[w.start:])
		names[w.lower] = content(w) && (w.code || i > 0 && unicode.IsUpper(first))
	}
	return slices.ContainsFunc(s.words, func(w token) bool { return names[w.lower] })
}

// causes finds what the agent names as the cause of a failure that took it several attempts. It is only the agent's
// word, so it is proposed and not kept.
func causes(talk []exchange) (out []finding) {
	for i, e := range talk {
		tries := map[string]int{}
		var trouble privacy.Clean
		for _, st := range e.work {
			if st.Failed && !st.Command.IsZero() {
				if tries[st.Command.String()]++; tries[st.Command.String()] > 1 {
					trouble = st.Error
				}
			}
			if trouble.IsZero() || st.Role != Assistant {
				continue
			}
			list := read(st.Text).list
			k := slices.IndexFunc(list, func(s sentence) bool { return s.says(cause) && !s.question && !s.holed && s.stands() })
			if k < 0 {
				continue
			}
			from, to := around(list, k)
			out = append(out, finding{primitive: memory.Learning, kind: memory.Pitfall, key: list[k], facts: list[from:to],
				trouble: trouble, refs: []privacy.Clean{st.Ref}, at: i, when: st.At, sure: 0.3, why: ByAgent})
			trouble = privacy.Clean{}
		}
	}
	return out
}

// orders reports whether a text explicitly asks to remember something.
func (h *Heuristic) orders(text privacy.Clean) bool {
	return slices.ContainsFunc(read(text).list, func(s sentence) bool {
		return h.cues.has(h.cues.acts(s.plain), standing...)
	})
}
