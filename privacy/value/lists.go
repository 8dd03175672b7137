package value

import (
	_ "embed"
	"strings"

	"keepmum/privacy/wordlist"
)

// wordsText contains the lists, each with a comment.
//
//go:embed words.txt
var wordsText string

var (
	lists = wordlist.Read(wordsText)

	DescriptionWords = lists["description"]
	ComponentWords   = lists["component"]
	codeWords        = lists["code"]
	programWords     = lists["program"]
	Examples         = lists["example"]
	standIns         = lists["stand-in"]

	StopWords = func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(lists["stop"]) {
			set[w] = true
		}
		return set
	}()

	// labelStems are by their first byte.
	labelStems = func() (out [256][]string) {
		for w := range strings.FieldsSeq(lists["label"]) {
			out[w[0]] = append(out[w[0]], w)
		}
		return out
	}()
)
