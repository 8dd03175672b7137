package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// exitStatus is at the end of every command's help.
const exitStatus = `
EXIT STATUS
  0 done   1 failed   2 wrong usage   3 partly done   4 another run holds the lock   130 stopped`

// everyday lists the commands that a person uses, in the order in which a user first needs them.
var everyday = []string{"up", "connect", "status", "doctor", "open", "search", "ask", "session", "memory", "review",
	"pause", "forget"}

// helper prints help as wide as the reader's window.
type helper struct {
	b     strings.Builder
	width int
	all   bool // every command, in groups
}

// Widths of help: text wider than 100 columns is hard to read; a table needs at least 40.
const (
	narrowest    = 40
	widest       = 100
	usualColumns = 80
)

// screen returns the width of the reader's window, otherwise $COLUMNS; 0 = lines may have any length.
func (a *app) screen() int { return a.widthOf(a.out) }

func (a *app) widthOf(w io.Writer) int {
	n := 0
	if f, ok := terminalOf(w); ok {
		n, _, _ = term.GetSize(int(f.Fd()))
	}
	if n <= 0 {
		n, _ = strconv.Atoi(a.getenv("COLUMNS"))
	}
	if n <= 0 {
		return 0
	}
	return max(n, narrowest)
}

// columns returns the width of help.
func (a *app) columns() int { return min(cmp.Or(a.screen(), usualColumns), widest) }

// hang writes text after the beginning of its line. Text that does not fit continues on the next lines, indented to
// where it began.
func (a *app) hang(begin, text string) { a.hangStyled(begin, unstyledText(text)) }

// hangStyled is hang for a text with styles.
func (a *app) hangStyled(begin string, text style) {
	lines := []string{string(text)}
	if n := a.screen(); n > 0 {
		lines = wrap(strings.Fields(lines[0]), " ", n-utf8.RuneCountInString(begin))
	}
	gap := strings.Repeat(" ", utf8.RuneCountInString(begin))
	a.raw("%s%s\n", begin, style(strings.Join(lines, "\n"+gap)))
}

// showHelp prints what a command does; all lists every command of the root.
func (a *app) showHelp(c *cobra.Command, all bool) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	h := helper{width: a.columns(), all: all}
	text, _, _ := strings.Cut(cmp.Or(c.Long, c.Short), exitStatus)
	h.fill(text)
	h.title("Usage")
	if c.HasSubCommands() && !c.HasParent() {
		h.fill("  mum COMMAND")
	} else {
		for _, line := range wrap(strings.Fields(c.UseLine()), " ", h.width-2) {
			fmt.Fprintln(&h.b, "  "+line)
		}
	}
	h.commands(c)
	if c.HasExample() {
		h.title("Examples")
		h.examples(c.Example)
	}
	h.title("Flags")
	h.b.WriteString(c.LocalFlags().FlagUsagesWrapped(h.width))
	h.b.WriteString(c.InheritedFlags().FlagUsagesWrapped(h.width))
	h.fill(exitStatus)
	a.raw("%s", strings.TrimLeft(h.b.String(), "\n"))
}

func (h *helper) title(name string) { fmt.Fprintf(&h.b, "\n%s:\n", name) }

// commands lists the subcommands of a command.
func (h *helper) commands(c *cobra.Command) {
	switch {
	case !c.HasAvailableSubCommands():
	case c.HasParent():
		h.title("Commands")
		h.table(c.Commands())
	case h.all:
		for _, g := range c.Groups() {
			fmt.Fprintf(&h.b, "\n%s\n", g.Title)
			h.table(in(c, g.ID))
		}
		fmt.Fprintln(&h.b, "\nOther:")
		h.table(in(c, ""))
	default:
		h.title("Commands")
		var list []*cobra.Command
		for _, name := range everyday {
			if sub, _, err := c.Find([]string{name}); err == nil {
				list = append(list, sub)
			}
		}
		h.table(list)
		h.fill("\n`mum help all` lists all commands, `mum help COMMAND` explains one.")
	}
}

// in returns the visible commands of a group.
func in(c *cobra.Command, group string) (list []*cobra.Command) {
	for _, sub := range c.Commands() {
		if sub.GroupID == group && sub.IsAvailableCommand() {
			list = append(list, sub)
		}
	}
	return list
}

// table writes a name and a description in each row.
func (h *helper) table(list []*cobra.Command) {
	const gap = 13
	for _, c := range list {
		if !c.IsAvailableCommand() {
			continue
		}
		lines := wrap(strings.Fields(c.Short), " ", h.width-gap)
		for i, line := range lines {
			name := ""
			if i == 0 {
				name = c.Name()
			}
			fmt.Fprintf(&h.b, "  %-*s%s\n", gap-2, name, line)
		}
	}
}

// fill wraps text to the width. It fills paragraphs; a line that begins with spaces is broken only between parts that
// three spaces separate.
func (h *helper) fill(text string) {
	var words []string
	flush := func() {
		for _, line := range wrap(words, " ", h.width) {
			fmt.Fprintln(&h.b, line)
		}
		words = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.TrimSpace(line) == "", strings.ToUpper(line) == line && !strings.HasPrefix(line, " "):
			flush()
			fmt.Fprintln(&h.b, line)
		case strings.HasPrefix(line, " "):
			flush()
			for _, part := range wrap(strings.Split(strings.TrimSpace(line), "   "), "   ", h.width-2) {
				fmt.Fprintln(&h.b, "  "+part)
			}
		default:
			words = append(words, strings.Fields(line)...)
		}
	}
	flush()
}

func newHelpCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND|all]", Short: "Show what a command does",
		Example: "  mum help all\n  mum help sync\n  mum help memory add",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] == "all" {
				a.showHelp(cmd.Root(), true)
				return nil
			}
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return &exitError{exitUsage, fmt.Errorf("there is no command %q%s", strings.Join(args, " "),
					similar(about, args[len(args)-1])), "mum help all"}
			}
			a.showHelp(about, false)
			return nil
		},
	}
}
