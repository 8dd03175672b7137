// Command rulegen writes privacy/rules/gitleaks.rules from the default rules of gitleaks. It is a module of its own,
// because their configuration package pulls in more than twenty modules that the product does not need.
//
//	go run . -out ../../privacy/rules/gitleaks.rules
//	go run . -fill ../../privacy/rules/own.rules
//	go run . -bigrams ../../privacy/value/bigrams.txt
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "", "file to write the rules to")
	bigrams := flag.String("bigrams", "", "file to write the letter statistics of Go's own sources to")
	own := flag.String("fill", "", "file of rules to add missing samples to")
	flag.Parse()
	if *out == "" && *bigrams == "" && *own == "" {
		flag.Usage()
		os.Exit(2)
	}
	if *out != "" {
		write(*out, rules)
	}
	if *bigrams != "" {
		write(*bigrams, letterPairs)
	}
	if *own != "" {
		write(*own, fill(*own))
	}
}

func write(path string, content func() ([]byte, error)) {
	data, err := content()
	if err != nil {
		log.Fatalf("%s: %v", filepath.Base(path), err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		log.Fatal(err)
	}
}
