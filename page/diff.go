package page

import (
	"encoding/json"
	"html/template"
	"strings"

	"keepmum/lazyregexp"
)

// change is a piece of a text that is unchanged (""), deleted ("del") or inserted ("ins").
type change struct{ Kind, Text string }

// mostDiffed limits what is compared piece by piece: the time grows with its square.
const mostDiffed = 600

var words = lazyregexp.New(`\S+\s*`)

// diffWords compares two texts word by word, and diffLines line by line.
func diffWords(a, b string) []change {
	return diff(words.FindAllString(a, -1), words.FindAllString(b, -1))
}

func diffLines(a, b string) []change { return diff(linesOf(a), linesOf(b)) }

func linesOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.SplitAfter(s, "\n")
}

// diff finds a longest common subsequence; for long texts it returns all of one, then all of the other.
func diff(a, b []string) (out []change) {
	add := func(kind, text string) {
		if n := len(out); n > 0 && out[n-1].Kind == kind {
			out[n-1].Text += text
			return
		}
		out = append(out, change{kind, text})
	}
	if len(a) > mostDiffed || len(b) > mostDiffed {
		return []change{{"del", strings.Join(a, "")}, {"ins", strings.Join(b, "")}}
	}
	longest := common(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && equal(a[i], b[j]):
			add("", b[j])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || longest[i+1][j] >= longest[i][j+1]):
			add("del", a[i])
			i++
		default:
			add("ins", b[j])
			j++
		}
	}
	return out
}

// common returns how much the rest of a and the rest of b have in common, for each position in both.
func common(a, b []string) [][]int {
	out := make([][]int, len(a)+1)
	for i := range out {
		out[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			out[i][j] = max(out[i+1][j], out[i][j+1])
			if equal(a[i], b[j]) {
				out[i][j] = out[i+1][j+1] + 1
			}
		}
	}
	return out
}

func equal(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// alike returns the share of two texts that is the same, from 0 to 1.
func alike(all []change) float64 {
	same, whole := 0, 0
	for _, c := range all {
		if whole += len(c.Text); c.Kind == "" {
			same += len(c.Text)
			whole += len(c.Text) // it is in both
		}
	}
	if whole == 0 {
		return 0
	}
	return 2 * float64(same) / float64(whole)
}

// shownDiff returns a diff as HTML.
func shownDiff(all []change) template.HTML {
	var b strings.Builder
	for _, c := range all {
		text := string(shown(c.Text, textLength))
		if c.Kind != "" {
			text = "<" + c.Kind + ">" + text + "</" + c.Kind + ">"
		}
		b.WriteString(text)
	}
	return template.HTML(b.String())
}

// edited returns what an agent's tool changed in a file: nil = not an edit that can be shown as a diff.
func edited(input json.RawMessage) []change {
	type edit struct {
		Old *string `json:"old_string"`
		New *string `json:"new_string"`
	}
	var in struct {
		edit
		Edits []edit `json:"edits"`
	}
	if json.Unmarshal(input, &in) != nil {
		return nil
	}
	var out []change
	for _, e := range append(in.Edits, in.edit) {
		if e.Old == nil || e.New == nil {
			continue
		}
		if len(out) > 0 {
			out = append(out, change{"", "\n⋮\n"})
		}
		out = append(out, diffLines(*e.Old+"\n", *e.New+"\n")...)
	}
	return out
}
