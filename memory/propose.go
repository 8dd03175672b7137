package memory

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/sorting"
)

const (
	minMembers = 3 // of a proposal
	sharedTags = 2 // uncommon tags that two memories must share to belong together
	fewMembers = 5 // a tag on this many memories or fewer is uncommon in any tree
	minIDToken = 8 // characters; shorter ids are also words
	maxTopics  = 20
)

// consolidations finds memories that one richer memory could replace: they refer to each other, or share uncommon tags.
func consolidations(active []Memory) []Proposal {
	groups := newGroups(len(active))
	linkReferences(active, groups)
	linkTags(active, groups)
	var out []Proposal
	for _, members := range groups.sets() {
		if len(members) < minMembers {
			continue
		}
		p := Proposal{}
		for _, i := range members {
			p.Members = append(p.Members, active[i].ID)
		}
		p.Topic = strings.Join(commonTags(active, members), ", ")
		out = append(out, p)
	}
	return out
}

var idToken = lazyregexp.New(`[a-z0-9]+(?:[-_][a-z0-9]+)+`)

func linkReferences(active []Memory, g *groups) {
	at := map[string]int{}
	for i, m := range active {
		if len(m.ID) >= minIDToken {
			at[m.ID] = i
		}
	}
	for i, m := range active {
		for _, token := range idToken.FindAllString(m.Body, -1) {
			if k, ok := at[token]; ok {
				g.join(i, k)
			}
			if len(token) > 9 && token[8] == '-' { // a file name with a date
				if k, ok := at[token[9:]]; ok {
					g.join(i, k)
				}
			}
		}
	}
}

func linkTags(active []Memory, g *groups) {
	by := map[string][]int{}
	for i, m := range active {
		for _, t := range m.lowerTags() {
			by[t] = append(by[t], i)
		}
	}
	common := map[[2]int]int{}
	for _, members := range by {
		if len(members) > fewMembers {
			continue
		}
		for k, b := range members {
			for _, a := range members[:k] {
				common[[2]int{a, b}]++
			}
		}
	}
	for pair, n := range common {
		if n >= sharedTags {
			g.join(pair[0], pair[1])
		}
	}
}

// lowerTags returns the tags in lower case, each once.
func (m Memory) lowerTags() (out []string) {
	for _, t := range m.Tags {
		out = appendNew(out, strings.ToLower(t))
	}
	return out
}

// commonTags returns the tags that at least half of the members have.
func commonTags(active []Memory, members []int) []string {
	n := map[string]int{}
	for _, i := range members {
		for _, t := range active[i].lowerTags() {
			n[t]++
		}
	}
	maps.DeleteFunc(n, func(_ string, n int) bool { return 2*n < len(members) })
	return slices.Sorted(maps.Keys(n))
}

// groups joins numbers into sets (union-find).
type groups struct{ parent []int }

func newGroups(n int) *groups {
	g := &groups{make([]int, n)}
	for i := range g.parent {
		g.parent[i] = i
	}
	return g
}

func (g *groups) root(i int) int {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

// join merges two sets; the smallest member identifies a set.
func (g *groups) join(a, b int) {
	a, b = g.root(a), g.root(b)
	g.parent[max(a, b)] = min(a, b)
}

func (g *groups) sets() [][]int {
	by := map[int][]int{}
	for i := range g.parent {
		by[g.root(i)] = append(by[g.root(i)], i)
	}
	var out [][]int
	for _, root := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[root])
	}
	return out
}

// crossSession finds topics of several sessions that no memory mentions.
func crossSession(summaries []Summary, memories []Memory) []Proposal {
	known := bag{}
	for _, m := range memories {
		known.add(m.Title, 1)
		known.add(m.Body, 1)
		known.add(strings.Join(m.Tags, " "), 1)
	}
	topics := map[string][]string{}  // the sessions → the words they share
	members := map[string][]string{} // the sessions → their summaries
	many := max(len(summaries), 2*minMembers)
	for term, in := range termPaths(summaries) {
		if _, ok := known[term]; ok || len(in.paths) < minMembers || 2*in.anywhere > many {
			continue
		}
		key := strings.Join(in.paths, "\n")
		topics[key], members[key] = append(topics[key], in.word), in.paths
	}
	var out []Proposal
	for key, words := range topics {
		slices.Sort(words)
		out = append(out, Proposal{Members: members[key], Topic: strings.Join(words, topicSep)})
	}
	sorting.Stable(out, func(a, b Proposal) int {
		return cmp.Or(len(b.Members)-len(a.Members), cmp.Compare(a.Topic, b.Topic))
	})
	return out[:min(len(out), maxTopics)]
}

const topicSep = ", "

// occurrence says where a term occurs in summaries.
type occurrence struct {
	word     string   // as it was written
	paths    []string // of the summaries about it, one per session
	anywhere int      // number of sessions that mention it at all
}

// termPaths returns where each meaningful term of titles, descriptions and tags occurs.
func termPaths(summaries []Summary) map[string]*occurrence {
	out := map[string]*occurrence{}
	sessions := map[string]bool{}
	for _, s := range summaries {
		name := cmp.Or(s.Session, s.Path)
		if sessions[name] {
			continue
		}
		sessions[name] = true
		about := telling(s.Title + ". " + s.Description + ". " + strings.Join(s.Tags, ". "))
		for term, word := range telling(s.Title + ". " + s.Description + ". " + strings.Join(s.Tags, ". ") + ". " + s.Body) {
			if out[term] == nil {
				out[term] = &occurrence{}
			}
			in := out[term]
			in.anywhere++
			if _, ok := about[term]; ok {
				in.paths = append(in.paths, s.Path)
				if in.word == "" || word < in.word {
					in.word = word
				}
			}
		}
	}
	return out
}

// telling returns the terms of a text that could be a subject, each with a word it was derived from.
func telling(text string) map[string]string {
	out := map[string]string{}
	for chunk := range strings.FieldsFuncSeq(text, notInTerm) {
		written := strings.ToLower(strings.Trim(chunk, "./:-_@#+'’%$"))
		terms(chunk, func(t term) {
			if (t.kind == ident || t.kind == word) && !isFiller(t.text) {
				out[t.text] = written
			}
		})
	}
	return out
}

// WithoutCommon removes words that are common in the project from the topics of sessions, and topics with no words
// left.
func (p *Plan) WithoutCommon(common func(words []string) map[string]bool) {
	var all []string
	for _, t := range p.CrossSession {
		all = append(all, strings.Split(t.Topic, topicSep)...)
	}
	if len(all) == 0 {
		return
	}
	gone, kept := common(all), []Proposal{}
	for _, t := range p.CrossSession {
		words := slices.DeleteFunc(strings.Split(t.Topic, topicSep), func(w string) bool { return gone[w] })
		if t.Topic = strings.Join(words, topicSep); t.Topic != "" {
			kept = append(kept, t)
		}
	}
	p.CrossSession = kept
}
