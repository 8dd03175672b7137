package rules

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// CommandRules is the text of commands.rules.
//
//go:embed commands.rules
var CommandRules string

// Command says which words of a command line are secrets.
type Command struct {
	ID          string
	Words       []string // what it begins with, in small letters
	From, To    int      // the words with these numbers, none if 0
	Flags       string   // the word behind one of these
	Glued       string   // what follows one of these in the same word
	Pairs       bool     // each value of NAME=value
	Only, Never string   // texts of the line with and without which something is taken
	Alone       bool     // it must begin the line
	Made        bool     // only what looks made up; flags are not counted
	Yes, No     []string
}

// Commands returns the rules of commands.rules.
var Commands = sync.OnceValue(func() []*Command {
	list, err := ParseCommands(CommandRules)
	if err != nil {
		panic("commands.rules: " + err.Error()) // a test parses the same text
	}
	return list
})

// ParseCommands reads the format that the head of commands.rules describes.
func ParseCommands(text string) ([]*Command, error) {
	var list []*Command
	for n, line := range strings.Split(text, "\n") {
		key, arg, _ := strings.Cut(line, " ")
		if line == "" || line[0] == '#' {
			continue
		}
		if key == "rule" {
			list = append(list, &Command{ID: arg})
			continue
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("line %d: no rule begun", n+1)
		}
		if err := list[len(list)-1].set(key, arg); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	return list, nil
}

func (c *Command) set(key, arg string) error {
	switch arg = strings.ReplaceAll(arg, "␣", " "); key {
	case "words":
		c.Words = strings.Split(arg, " | ")
	case "take":
		return c.take(arg)
	case "only":
		c.Only = arg
	case "never":
		c.Never = arg
	case "alone":
		c.Alone = true
	case "judge":
		c.Made = arg == "made"
	case "yes":
		c.Yes = append(c.Yes, arg)
	case "no":
		c.No = append(c.No, arg)
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}

// take reads what of the line is taken.
func (c *Command) take(arg string) error {
	what, rest, _ := strings.Cut(arg, " ")
	switch what {
	case "argument":
		if n, err := fmt.Sscanf(rest, "%d-%d", &c.From, &c.To); n == 0 {
			return fmt.Errorf("take argument %q: %w", rest, err)
		}
		c.To = max(c.From, c.To)
	case "behind":
		c.Flags = rest
	case "glued":
		c.Glued = rest
	case "pairs":
		c.Pairs = true
	default:
		return fmt.Errorf("take %q: it must be argument, behind, glued or pairs", what)
	}
	return nil
}
