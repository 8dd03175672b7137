package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/capture"
	"keepmum/home"
	"keepmum/privacy/verdict"
)

// verdictOptions are the flags of `mum redact` for the user's verdicts about values.
type verdictOptions struct {
	public string
	secret string
	list   bool
	remove string
	asJSON bool
}

func (o *verdictOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.public, "not-a-secret", "",
		"this value is not a secret; - reads it from standard input, which keeps it out of your shell's history")
	f.StringVar(&o.secret, "is-a-secret", "",
		"this value is a secret, wherever it appears; - reads it from standard input")
	f.BoolVar(&o.list, "verdicts", false, "list your verdicts")
	f.StringVar(&o.remove, "remove", "", "with --verdicts: remove the verdict with this id")
	cmd.MarkFlagsMutuallyExclusive("not-a-secret", "is-a-secret", "verdicts")
}

func (o *verdictOptions) any(cmd *cobra.Command) bool {
	f := cmd.Flags()
	return o.list || f.Changed("not-a-secret") || f.Changed("is-a-secret") || f.Changed("remove")
}

// check refuses an empty value: that of a variable that is not set.
func (o *verdictOptions) check(cmd *cobra.Command) error {
	for _, name := range []string{"not-a-secret", "is-a-secret", "remove"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return usage(fmt.Errorf("--%s is empty: no verdict was changed", name))
		}
	}
	if o.remove != "" && !o.list {
		return usage(errors.New("--remove goes with --verdicts"))
	}
	return nil
}

func (a *app) runVerdict(cmd *cobra.Command, o verdictOptions, in io.Reader) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	if !o.list {
		return a.say(o, in)
	}
	dir, _, err := a.load(nil)
	if err != nil {
		return err
	}
	key, err := home.TagKey(dir)
	if err != nil {
		return err
	}
	book := verdict.Open(dir.Verdicts(), key)
	if o.remove != "" {
		if err := book.Remove(o.remove); err != nil {
			return hinted(err, "mum redact --verdicts")
		}
		a.printf("removed %s\n", o.remove)
		return nil
	}
	said, err := book.List()
	if err != nil {
		return hinted(err, "mum doctor")
	}
	if o.asJSON {
		return a.printJSON(verdictList{capture.Verdicts(said)})
	}
	if len(said) == 0 {
		a.printf("no verdicts; mum redact --not-a-secret - and --is-a-secret - read a value from standard input\n")
	}
	for _, s := range said {
		a.printf("%s  %s  %-12s  %s\n", s.ID, s.At.Local().Format("2006-01-02 15:04"), verdictText(s.Secret),
			cmp.Or(s.Shape, s.Of))
	}
	return nil
}

type verdictList struct {
	Verdicts []capture.Verdict `json:"verdicts"`
}

func verdictText(secret bool) string {
	if secret {
		return "is a secret"
	}
	return "not a secret"
}

// say records a verdict about the value of a flag or of standard input.
func (a *app) say(o verdictOptions, in io.Reader) error {
	given, secret := o.public, o.secret != ""
	if secret {
		given = o.secret
	}
	value := given
	if given == "-" {
		raw, err := io.ReadAll(io.LimitReader(in, 1<<20))
		if err != nil {
			return fmt.Errorf("read the value: %w", err)
		}
		value = strings.TrimRight(string(raw), "\r\n")
	} else {
		fmt.Fprintln(a.errs, "the value is now in the history of your shell: "+
			"next time use - and pipe it into standard input")
	}
	intake, err := a.intakeToChange()
	if err != nil {
		return err
	}
	s, err := intake.Say(value, secret)
	if err != nil {
		return &exitError{exitUsage, err, "mum redact --help"}
	}
	if o.asJSON {
		return a.printJSON(capture.Verdicts([]verdict.Said{s})[0])
	}
	a.printf("%s %s (stored as a keyed hash); to undo: mum redact --verdicts --remove %s\n",
		s.ID, verdictText(secret), s.ID)
	if secret {
		a.printf("to remove what was kept before: mum forget --secret-stdin\n")
	}
	return nil
}

// intakeToChange returns the intake of an installation with a key, and creates the key if there is none.
func (a *app) intakeToChange() (*capture.Intake, error) {
	dir, _, err := a.load(nil)
	if err != nil {
		return nil, err
	}
	if _, err := home.Prepare(dir); err != nil {
		return nil, err
	}
	return a.intake("", "")
}
