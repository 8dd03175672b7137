package rules

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// CommandRules and PlaceRules contain the text of commands.rules and places.rules.
var (
	//go:embed commands.rules
	CommandRules string
	//go:embed places.rules
	PlaceRules string
)

// Command says which words of a command line are secrets.
type Command struct {
	ID          string
	Words       []string // how the command starts, in lower case
	Argument    int      // the word with this number, none if 0
	Flags       string   // the word after one of these
	Glued       string   // what follows one of these in the same word
	Pairs       bool     // each value of NAME=value
	Only, Never string   // texts that the line must, or must not, contain
	Alone       bool     // the command must start the line
	Account     bool     // the password of NAME:PASSWORD
	Made        bool     // of a place: only what can be no word of a manual
	Typed       bool     // of a place: only what looks like a password anywhere
	Place       Place    // what is redacted if none of the above applies
	Near        []string // texts of which one must be in the surrounding lines
	Skip        []string // words that are not counted: hash, or /* and *: for their ends
	Unless      string   // words that are not secret, between spaces
	Yes, No     []string
}

// Place is a part of the text after a word: its kind and number.
type Place struct {
	Kind  string
	Nth   int
	Flags string
}

// placeKinds are the parts of a text that can be redacted, and whether they are numbered.
var placeKinds = map[string]bool{
	"word": true, "rest": false, "answer": true, "below": true, "lines": false, "digits": false,
	"groups": false, "literal": true, "named": false, "keyword": false, "returned": false, "codes": false, "wallet": false,
	"wallet-above": false, "before": false, "first": false, "column": false, "asked": true, "typed": false, "fed": false,
	"login": false, "cell": true, "hex": false,
}

// Commands returns the rules in commands.rules and places.rules.
var Commands = sync.OnceValue(func() []*Command {
	list, err := ParseCommands(CommandRules)
	if err != nil {
		panic("commands.rules: " + err.Error()) // a test parses the same text
	}
	places, err := ParseCommands(PlaceRules)
	if err != nil {
		panic("places.rules: " + err.Error())
	}
	return append(list, places...)
})

// ParseCommands reads the format that the headers of commands.rules and places.rules describe.
func ParseCommands(text string) ([]*Command, error) {
	list, err := parse(text, func(id string) *Command { return &Command{ID: id} })
	for _, c := range list {
		if err == nil && c.Place.Kind == "" && (c.Made || c.Typed) {
			err = fmt.Errorf("rule %s: judge is for places; of the words of a command all but placeholders are taken", c.ID)
		}
	}
	return list, err
}

// blanks replaces the symbols for spaces and line breaks.
var blanks = strings.NewReplacer("␣", " ", "␤", "\n")

func (c *Command) set(key, arg string) error {
	switch arg = blanks.Replace(arg); key {
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
	case "account":
		c.Account = true
	case "judge":
		if !slices.Contains([]string{"none", "made", "typed"}, arg) {
			return fmt.Errorf("there is no judge %q: none, made or typed", arg)
		}
		c.Made, c.Typed = arg == "made", arg == "typed"
	case "near":
		c.Near = strings.Split(arg, " | ")
	case "skip":
		c.Skip = strings.Fields(arg)
	case "unless":
		c.Unless = " " + arg + " "
	case "yes":
		c.Yes = append(c.Yes, arg)
	case "no":
		c.No = append(c.No, arg)
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}

// take reads which words of the line are redacted.
func (c *Command) take(arg string) error {
	what, rest, _ := strings.Cut(arg, " ")
	switch what {
	case "argument":
		n, err := strconv.Atoi(rest)
		if err != nil {
			return fmt.Errorf("take argument %q: %w", rest, err)
		}
		c.Argument = n
	case "behind":
		c.Flags = rest
	case "glued":
		c.Glued = rest
	case "pairs":
		c.Pairs = true
	default:
		return c.place(what, rest)
	}
	return nil
}

// place reads which part of the text after a word is redacted.
func (c *Command) place(what, rest string) error {
	counted, known := placeKinds[what]
	if !known {
		return fmt.Errorf("take %q: there is no such place", what)
	}
	c.Place = Place{Kind: what, Nth: 1}
	if what == "answer" {
		c.Place.Nth = 0
	}
	switch {
	case what == "keyword":
		c.Place.Flags = " " + rest + " "
	case rest == "":
	case !counted:
		return fmt.Errorf("take %s %q: there is only one", what, rest)
	default:
		if _, err := fmt.Sscan(rest, &c.Place.Nth); err != nil {
			return fmt.Errorf("take %s %q: %w", what, rest, err)
		}
	}
	return nil
}
