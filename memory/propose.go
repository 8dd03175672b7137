package memory

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"keepmum/lazyregexp"
)

const (
	minMembers = 3 // of a proposal
	sharedTags = 2 // uncommon ones, that make two memories belong together
	fewMembers = 5 // a tag on no more memories than this is uncommon in any tree
	minIDToken = 8 // characters; shorter ids are words too
	maxTopics  = 20
)

// consolidations finds memories that one richer memory could stand for: they refer
// to each other, or share uncommon tags.
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
			if len(token) > 9 && token[8] == '-' { // the name of a file
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
		for _, t := range m.Tags {
			by[strings.ToLower(t)] = append(by[strings.ToLower(t)], i)
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

// commonTags returns the tags of at least half of the members.
func commonTags(active []Memory, members []int) []string {
	n := map[string]int{}
	for _, i := range members {
		for _, t := range active[i].Tags {
			n[strings.ToLower(t)]++
		}
	}
	maps.DeleteFunc(n, func(_ string, n int) bool { return 2*n < len(members) })
	return slices.Sorted(maps.Keys(n))
}

// groups joins numbers to sets.
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

// join puts two into one set, which goes by its smallest member.
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

// crossSession finds what several sessions were about and no memory mentions.
func crossSession(summaries []Summary, memories []Memory) []Proposal {
	known := bag{}
	for _, m := range memories {
		known.add(m.Title, 1)
		known.add(m.Body, 1)
		known.add(strings.Join(m.Tags, " "), 1)
	}
	topics := map[string][]string{}  // what the sessions are → the terms they share
	members := map[string][]string{} // the same → the summaries
	for term, paths := range termPaths(summaries) {
		if _, ok := known[term]; ok || len(paths) < minMembers || 2*len(paths) > max(len(summaries), 2*minMembers) {
			continue
		}
		key := strings.Join(paths, "\n")
		topics[key], members[key] = append(topics[key], term), paths
	}
	var out []Proposal
	for key, words := range topics {
		slices.Sort(words)
		out = append(out, Proposal{Members: members[key], Topic: strings.Join(words, ", ")})
	}
	slices.SortFunc(out, func(a, b Proposal) int {
		return cmp.Or(len(b.Members)-len(a.Members), cmp.Compare(a.Topic, b.Topic))
	})
	return out[:min(len(out), maxTopics)]
}

// termPaths returns for each telling term of titles, descriptions and tags the
// summaries that have it, one for each session.
func termPaths(summaries []Summary) map[string][]string {
	out := map[string][]string{}
	sessions := map[string]bool{}
	for _, s := range summaries {
		name := cmp.Or(s.Session, s.Path)
		if sessions[name] {
			continue
		}
		sessions[name] = true
		words := map[string]bool{}
		terms(s.Title+". "+s.Description+". "+strings.Join(s.Tags, ". "), func(t term) {
			if t.kind == word || t.kind == ident {
				words[t.text] = true
			}
		})
		for w := range words {
			out[w] = append(out[w], s.Path)
		}
	}
	return out
}
