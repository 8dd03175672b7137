package shell

import (
	"slices"

	"keepmum/privacy/wordlist"
)

// terminals are programs that keep terminals running: the words that run something in a terminal, and those that print
// what it shows.
var terminals = map[string][2]string{
	"tmux":    {" send-keys send new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window paste-buffer ", " capture-pane capturep show-buffer showb save-buffer saveb pipe-pane pipep "},
	"screen":  {" stuff -dms -ms screen exec ", " hardcopy "},
	"zellij":  {" write write-chars run ", " dump-screen "},
	"wezterm": {" send-text spawn split-pane ", " get-text "},
	"kitty":   {" send-text launch ", " get-text "},
	"kitten":  {" send-text launch ", " get-text "},
}

// terminal records what a command does with the terminals that a program keeps.
func (s *reader) terminal(name string, words []string) {
	t, ok := terminals[name]
	if !ok {
		return
	}
	does := func(list string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return wordlist.In(w, list) })
	}
	if does(t[0]) {
		s.Types = name
	}
	if does(t[1]) {
		s.Shows = name
	}
}
