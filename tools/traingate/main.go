// Traingate fits the weights of the gate's learned judge to labelled and ordinary texts, and reports what it would find
// in a voice that it was not fitted to.
//
//	traingate -benign DIR [-o privacy/judge] [-named] [-folds] [-halves|-misses SETS] testdata/privacy/*.jsonl kept*.txt
//
// A .txt contains texts that must stay. DIR is what tools/gatediff/benign.sh collects: KIND.tune.jsonl for fitting,
// KIND.report.jsonl for the reported rates. The same input gives the same weights; the present weights are part of it,
// because they decide which values with a name are already taken when words near cues are judged.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"keepmum/privacy/judge"
)

// options are the command-line options.
type options struct {
	benign    string
	out       string
	present   string
	folds     bool
	onlyNamed bool
	halves    string
	misses    string
	fit       int // MB of each kind of ordinary text for fitting
	bar       int // MB of each kind for setting the threshold
	swaps     int
	verbose   bool
}

func main() {
	var o options
	flag.StringVar(&o.benign, "benign", "", "the folder that tools/gatediff/benign.sh made")
	flag.StringVar(&o.out, "o", "", "where to write weights.txt and common.txt (nowhere)")
	flag.StringVar(&o.present, "present", "privacy/judge", "where the present ones are")
	flag.BoolVar(&o.folds, "folds", false, "leave each voice out in turn and say what is found of it")
	flag.BoolVar(&o.onlyNamed, "named", false, "fit only the judge of values with a name, and keep the other weights")
	flag.StringVar(&o.halves, "halves", "", "`sets`, joined by commas: say what half of each does to the misses of its other half")
	flag.StringVar(&o.misses, "misses", "", "`sets`: what stands between their misses and the gate")
	flag.IntVar(&o.fit, "fit", 12, "MB of each kind of ordinary text to fit to (of the rest: what is nearly taken)")
	flag.IntVar(&o.bar, "bar", 30, "MB of each kind of ordinary text that the bar is set by")
	flag.IntVar(&o.swaps, "swaps", 8, "values swapped into each text")
	flag.BoolVar(&o.verbose, "v", false, "print what is missed and what is taken wrongly")
	flag.Parse()
	if err := run(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "traingate: error:", err)
		os.Exit(1)
	}
}

func run(o options, sets []string) error {
	if o.benign == "" || len(sets) == 0 {
		return fmt.Errorf("-benign names the ordinary text, the arguments the labelled sets")
	}
	common, err := wordsFor(o)
	if err != nil {
		return err
	}
	t := newTrainer(o)
	list, err := os.ReadFile(filepath.Join(o.present, "weights.txt"))
	if err != nil {
		return fmt.Errorf("the present weights: %w", err)
	}
	judge.UseWeights(t.split(string(list))+"bar.normal\t1000\n", common)
	if err := t.read(sets); err != nil {
		return err
	}
	m := t.fit("")
	if o.onlyNamed {
		t.reportNamed()
	} else {
		t.report("all sets", m)
	}
	if o.out != "" {
		if err := t.save(o.out, common, m); err != nil {
			return err
		}
	}
	if o.folds {
		t.leaveOneOut()
	}
	if o.halves != "" {
		t.halves(strings.Split(o.halves, ","))
	}
	if o.misses != "" {
		t.misses(strings.Split(o.misses, ","))
	}
	return nil
}

// read reads the labelled sets, the texts that must stay, and ordinary text.
func (t *trainer) read(sets []string) (err error) {
	for _, set := range sets {
		if strings.HasSuffix(set, ".txt") {
			err = t.harmless(set)
		} else {
			err = t.labelled(strings.TrimSuffix(filepath.Base(set), ".jsonl"), set)
		}
		if err != nil {
			return err
		}
	}
	if err := t.ordinary(); err != nil {
		return err
	}
	return t.mined()
}

// wordsFor returns the common words: those of ordinary text, or the present ones.
func wordsFor(o options) (string, error) {
	if !o.onlyNamed {
		return commonWords(o.benign)
	}
	list, err := os.ReadFile(filepath.Join(o.present, "common.txt"))
	return string(list), err
}

// save writes the words, the weights and the list of their features.
func (t *trainer) save(dir, common string, m *model) error {
	list := t.write(m)
	for name, text := range map[string]string{"common.txt": common, "weights.bin": judge.Pack(list), "weights.txt": list} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
