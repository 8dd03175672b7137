package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// record is a line of a dump.
type record struct {
	Set   string `json:"set"`
	N     int    `json:"n"`
	Spans []span `json:"spans"`
}

func dump(mum, to string, sets []string) error {
	var w io.Writer = os.Stdout
	if to != "" {
		f, err := os.Create(to)
		if err != nil {
			return err
		}
		defer f.Close()
		w = f
	}
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	err := each(sets, func(set string) error {
		_, err := redacted(mum, set, func(n int, s sample, a answer) error {
			if a.Text == s.Text {
				return nil
			}
			return enc.Encode(record{filepath.Base(set), n, align(s.Text, a)})
		})
		return err
	})
	if err != nil {
		return err
	}
	return b.Flush()
}

type place struct {
	set string
	n   int
}

func readDump(path string) (map[place][]span, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[place][]span{}
	for dec := json.NewDecoder(f); ; {
		var r record
		if err := dec.Decode(&r); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out[place{r.Set, r.N}] = r.Spans
	}
}

// change is a span that is in only one of two dumps.
type change struct {
	sign, set, rule string
}

func diff(args []string, show int) error {
	if len(args) < 3 {
		return fmt.Errorf("diff needs two dumps and their sets")
	}
	before, err := readDump(args[0])
	if err != nil {
		return err
	}
	after, err := readDump(args[1])
	if err != nil {
		return err
	}
	found := map[change][]string{}
	for _, set := range args[2:] {
		err := readSet(set, func(n int, s sample) {
			at := place{filepath.Base(set), n}
			compare(found, at.set, s.Text, before[at], after[at])
		})
		if err != nil {
			return err
		}
	}
	keys := slices.SortedFunc(maps.Keys(found), func(a, b change) int {
		return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.sign, b.sign), len(found[b])-len(found[a]),
			cmp.Compare(a.rule, b.rule))
	})
	total := 0
	for _, k := range keys {
		total += len(found[k])
		fmt.Printf("%s %s %-24s %d\n", k.sign, k.set, k.rule, len(found[k]))
		for _, example := range found[k][:min(show, len(found[k]))] {
			fmt.Printf("      %s\n", example)
		}
	}
	fmt.Printf("%d spans differ\n", total)
	return nil
}

// compare records the spans that the other dump does not cover completely. A span that only has another name there is
// recorded with both names.
func compare(found map[change][]string, set, text string, before, after []span) {
	covered := func(s span, by []span) (string, bool) {
		at := s.From
		for _, b := range by {
			if b.From <= at && b.To > at {
				if at = b.To; at >= s.To {
					return b.Rule, true
				}
			}
		}
		return "", false
	}
	for _, s := range before {
		switch rule, ok := covered(s, after); {
		case !ok:
			k := change{"-", set, s.Rule}
			found[k] = append(found[k], around(text, s))
		case rule != s.Rule:
			k := change{"~", set, s.Rule + "→" + rule}
			found[k] = append(found[k], around(text, s))
		}
	}
	for _, s := range after {
		if _, ok := covered(s, before); !ok {
			k := change{"+", set, s.Rule}
			found[k] = append(found[k], around(text, s))
		}
	}
}

func around(text string, s span) string {
	from, to := max(0, s.From-50), min(len(text), s.To+30)
	end := min(s.To, s.From+80)
	return fmt.Sprintf("%q", text[from:s.From]+"«"+text[s.From:end]+"»"+text[s.To:to])
}

func readSet(path string, do func(n int, s sample)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	dec := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for n := 0; ; n++ {
		var s sample
		if err := dec.Decode(&s); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		do(n, s)
	}
}

// recall prints the share of samples whose longest secret is gone; strict: of which no half is left; all: of which no
// labelled piece is left.
func recall(mum, set string, show int) error {
	var tp, gone, strict, all, fp, touched int
	var missed []string
	_, err := redacted(mum, set, func(_ int, s sample, a answer) error {
		if s.Kind == "fp" {
			fp++
			if a.Text != s.Text {
				touched++
			}
			return nil
		}
		if len(s.Secrets) == 0 || s.Visible != nil && !*s.Visible {
			return nil
		}
		tp++
		secret := slices.MaxFunc(s.Secrets, func(a, b string) int { return len(a) - len(b) })
		if !strings.Contains(a.Text, secret) {
			gone++
			if !halfLeft(secret, a.Text) {
				strict++
			}
		} else {
			missed = append(missed, fmt.Sprintf("%s: %.160q", s.Rule, s.Text))
		}
		if !slices.ContainsFunc(s.Secrets, func(x string) bool { return strings.Contains(a.Text, x) }) {
			all++
		}
		return nil
	})
	if err != nil {
		return err
	}
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
	fmt.Printf("%-24s tp %5d recall %5.1f%% strict %5.1f%% all %5.1f%%   fp %5d touched %5.1f%%\n",
		filepath.Base(set), tp, share(gone, tp), share(strict, tp), share(all, tp), fp, share(touched, fp))
	for _, m := range missed[:min(show, len(missed))] {
		fmt.Println("   ", m)
	}
	return nil
}

// halfLeft reports whether half of a secret, at least 8 bytes, is in a text.
func halfLeft(secret, text string) bool {
	n := max(8, len(secret)/2)
	if len(secret) < n {
		return strings.Contains(text, secret)
	}
	for i := 0; i+n <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+n]) {
			return true
		}
	}
	return false
}

// tally is what was taken out of ordinary text.
type tally struct {
	bytes    int
	raw      int
	distinct map[string]bool // rule and value
	spent    time.Duration
	rules    map[string][]string // examples
	counts   map[string]int
}

func (t *tally) add(s sample, spans []span) {
	text := s.Text
	if len(spans) > 0 && spans[len(spans)-1].To <= len(text) && reminders.MatchString(text) {
		text = reminders.ReplaceAllString(text, "")
	}
	for _, sp := range spans {
		if sp.Rule == unaligned || strings.HasPrefix(sp.Rule, "EXCLUDED") {
			continue // withheld for what it is, not for how it looks
		}
		t.raw++
		t.counts[sp.Rule]++
		value := text[sp.From:sp.To]
		if key := sp.Rule + "\x00" + value; !t.distinct[key] {
			t.distinct[key] = true
			t.rules[sp.Rule] = append(t.rules[sp.Rule], s.Source+": "+around(text, sp))
		}
	}
}

func rates(mum string, sets []string, show int) error {
	all := tally{distinct: map[string]bool{}}
	err := each(sets, func(set string) error {
		t := tally{distinct: map[string]bool{}, rules: map[string][]string{}, counts: map[string]int{}}
		spent, err := redacted(mum, set, func(_ int, s sample, a answer) error {
			t.bytes += len(s.Text)
			t.add(s, align(s.Text, a))
			return nil
		})
		if err != nil {
			return err
		}
		t.spent = spent
		t.print(filepath.Base(set))
		t.examples(show)
		all.bytes, all.raw, all.spent = all.bytes+t.bytes, all.raw+t.raw, all.spent+t.spent
		maps.Copy(all.distinct, t.distinct)
		return nil
	})
	if err != nil {
		return err
	}
	all.print("together")
	return nil
}

func (t *tally) print(name string) {
	mb := float64(max(t.bytes, 1)) / 1e6
	fmt.Printf("%-24s %7.1f MB  raw %5d %6.2f/MB  distinct %5d %6.2f/MB  %5.1f MB per second of a processor\n",
		name, mb, t.raw, float64(t.raw)/mb, len(t.distinct), float64(len(t.distinct))/mb, mb/t.spent.Seconds())
}

func (t *tally) examples(show int) {
	for _, rule := range slices.SortedFunc(maps.Keys(t.counts),
		func(a, b string) int { return cmp.Or(t.counts[b]-t.counts[a], cmp.Compare(a, b)) }) {
		fmt.Printf("    %5d %5d distinct  %s\n", t.counts[rule], len(t.rules[rule]), rule)
		for _, e := range t.rules[rule][:min(show, len(t.rules[rule]))] {
			fmt.Printf("          %s\n", e)
		}
	}
}
