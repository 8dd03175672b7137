// Gatediff shows what a change to the gate changes: it runs labelled samples and ordinary text through `mum redact
// --jsonl` of one or two builds and compares every span. It uses only that command of the gate, so any build can be
// compared with any other.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const usage = `gatediff dump    -mum BIN [-o FILE] SET…       every span of each sample
gatediff diff    [-show N] BEFORE AFTER SET…   what two dumps differ in, by rule, with the text around
gatediff recall  -mum BIN SET…                 what is found of labelled samples
gatediff rate    -mum BIN [-show N] SET…       redactions per MB of text that holds no secret
gatediff creddata -mum BIN DIR [SCANNER…]      recall and precision on CredData, which creddata.sh fetched into DIR
gatediff collect -out DIR KIND=PATH…           ordinary text, split by source into tune and report

A SET is a file of {"text", "path"?, "kind"?: "tp"|"fp", "secrets"?} lines. The
home that the build is run with is empty and is removed afterwards.
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gatediff: error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return nil
	}
	flags := flag.NewFlagSet("gatediff "+args[0], flag.ContinueOnError)
	mum := flags.String("mum", "bin/mum", "the build to run")
	out := flags.String("o", "", "where to write a dump (standard output)")
	dir := flags.String("out", "", "where to write what is collected")
	show := flags.Int("show", 3, "examples to print of each rule")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	rest := flags.Args()
	switch args[0] {
	case "dump":
		return dump(*mum, *out, rest)
	case "diff":
		return diff(rest, *show)
	case "recall":
		return each(rest, func(set string) error { return recall(*mum, set, *show) })
	case "rate":
		return rates(*mum, rest, *show)
	case "creddata":
		if len(rest) == 0 {
			return fmt.Errorf("creddata needs the folder that creddata.sh fetched")
		}
		return creddata(*mum, rest[0], rest[1:])
	case "collect":
		return collect(*dir, rest)
	}
	return fmt.Errorf("%q: the verbs are dump, diff, recall, rate, creddata and collect", args[0])
}

func each(sets []string, do func(set string) error) error {
	for _, set := range sets {
		if err := do(set); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(set), err)
		}
	}
	return nil
}
