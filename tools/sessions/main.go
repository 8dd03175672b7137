// Command sessions measures what `mum sync` learns from real sessions of public repositories.
//
//	sessions fetch DIR               clone the repositories of sources.txt, extract their transcripts
//	sessions layout RAW HOME         lay transcripts out as the agents store them, for `mum sync`
//	sessions score LABELS DATA       compare what `mum sync` wrote below DATA with labels
//	sessions gotchas HOME            count the lines about failures that agents would be told, laid out below HOME
//	sessions hide RAW OUT LABELLER…  turn what people wrote into labels that may be committed
//
// So `mum sync` is measured as a user runs it:
//
//	go run ./tools/sessions fetch ~/.cache/keepmum/sessions
//	go run ./tools/sessions layout ~/.cache/keepmum/sessions/dev/raw /tmp/dev
//	HOME=/tmp/dev MUM_HOME=/tmp/dev/mum mum sync --window all --max-sessions 1000
//	go run ./tools/sessions score testdata/extract/real/dev.jsonl /tmp/dev/mum
//
// The transcripts are other people's: they are read and measured, never committed. Only labels are committed, by
// session id and a hash of the session's text.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sessions:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	commands := map[string]func([]string) error{"fetch": fetch, "layout": layout, "score": score, "hide": hide,
		"gotchas": gotchas}
	if len(args) == 0 || commands[args[0]] == nil {
		return fmt.Errorf("say fetch, layout, score, gotchas or hide; see the comment in tools/sessions/main.go")
	}
	return commands[args[0]](args[1:])
}
