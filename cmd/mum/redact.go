package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/capture"
	"keepmum/config"
	"keepmum/home"
	"keepmum/privacy"
	"keepmum/project"
)

// redactOptions are the flags of `mum redact`.
type redactOptions struct {
	report bool
	jsonl  bool
	why    bool
	json   bool
	mode   string
	level  string
	said   verdictOptions
}

// newRedactCmd returns the filter: the gate of this installation, in this process. It needs no daemon, and does not
// create a missing data directory.
func newRedactCmd(a *app) *cobra.Command {
	var o redactOptions
	cmd := &cobra.Command{
		Use:   "redact [FILE|-]",
		Short: "Remove secrets from a text (a filter)",
		Long: `Read a file or standard input and write it without its secrets, with the settings and
the key of this installation: a secret gets the same tag as in the store. The
.mum/config.toml of this repository can only tighten the settings.

--why explains each redaction on standard error: the rule, the word of the text that set
it off, what the value looks like if that mattered, and, if the learned judge decided,
the five features with the most weight. It also explains the value that was kept and
came closest to a redaction. No part of a value is printed.

--not-a-secret and --is-a-secret record your verdict about a value, for this command and
for the daemon. It is stored as keyed hashes and as a shape, on this machine only.
Vendor tokens and private keys are secrets whatever you say.

With --json the output is {"text": …, "findings": […], "why"?: …}.

A text can have up to 10 MiB. With --jsonl each line is a separate event, {"text": …, "path"?: …}, and gets the answer
{"text": …, "findings": […]}; nothing is remembered between lines.`,
		Example: `  kubectl describe pod api | mum redact
  mum redact --report --mode strict build.log > clean.log
  mum redact --why --json notes.md | jq .why.nearest_kept
  printf %s "$VALUE" | mum redact --not-a-secret -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if len(args) == 1 && args[0] != "-" {
				f, err := openFile(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			if o.said.any(cmd) {
				o.said.asJSON = o.json
				return a.runVerdict(cmd, o.said, in)
			}
			gate, err := a.gateHere(o.mode, o.level)
			if err != nil {
				return err
			}
			return runRedact(gate, o, in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	o.said.flags(cmd)
	cmd.Flags().BoolVar(&o.report, "report", false, "report on standard error what was removed")
	cmd.Flags().BoolVar(&o.why, "why", false,
		"explain each redaction on standard error: where, by which rule, and which word set it off")
	cmd.Flags().BoolVar(&o.json, "json", false, "write one JSON object: the text, the findings, and why (with --why)")
	cmd.Flags().BoolVar(&o.jsonl, "jsonl", false, "read and write one JSON object per line")
	cmd.MarkFlagsMutuallyExclusive("json", "jsonl")
	cmd.Flags().StringVar(&o.level, "sensitivity", "",
		"low, normal or high (default: privacy.sensitivity of the settings)")
	cmd.Flags().StringVar(&o.mode, "mode", "", "safe, strict or none (default: privacy.mode of the settings)")
	return cmd
}

// maxRedact is the maximum size of one text: that of an event.
const maxRedact = 10 << 20

var errTooLong = errors.New("the text is longer than 10 MiB: a secret is looked for in the text as a whole")

// gateHere returns the gate that capture uses in this directory, with another mode or sensitivity if one is given.
func (a *app) gateHere(mode, sensitivity string) (*privacy.Gate, error) {
	intake, err := a.intake(mode, sensitivity)
	if err != nil {
		return nil, err
	}
	root := project.Of(a.hereOrNowhere()).Root
	gate := intake.GateAt(root)
	if gate == nil {
		err = hinted(fmt.Errorf("%s is broken: nobody knows what it wants removed", config.RepoFile(root)),
			"fix that file, or run this in another directory")
	}
	return gate, err
}

// intake returns the intake of this installation, with a gate that passes whole files on.
func (a *app) intake(mode, sensitivity string) (*capture.Intake, error) {
	if mode != "" && !slices.Contains([]string{"safe", "flexible", "strict", "none"}, mode) {
		return nil, usage(fmt.Errorf("--mode is %q: it must be safe (or flexible, the same), strict or none", mode))
	}
	if sensitivity != "" && !slices.Contains(config.Choices("privacy.sensitivity"), sensitivity) {
		return nil, usage(fmt.Errorf("--sensitivity is %q: it must be low, normal or high", sensitivity))
	}
	dir, c, err := a.load(nil)
	if err != nil {
		return nil, err
	}
	key, err := home.TagKey(dir)
	if err != nil {
		return nil, err
	}
	c.Privacy.Mode, c.Privacy.MaxField = cmp.Or(mode, c.Privacy.Mode), max(c.Privacy.MaxField, maxRedact)
	c.Privacy.Sensitivity = cmp.Or(sensitivity, c.Privacy.Sensitivity)
	intake, err := capture.NewIntake(capture.Options{Home: string(dir), Config: c.Config, Key: key, UserHome: a.userHome,
		Env: a.environ})
	if err != nil {
		return nil, hinted(err, "mum config check")
	}
	return intake, nil
}

func runRedact(gate *privacy.Gate, o redactOptions, in io.Reader, out, talk io.Writer) error {
	counts := map[string]int{}
	w := bufio.NewWriterSize(out, 64<<10)
	var err error
	if o.jsonl {
		err = redactLines(gate, in, w, counts)
	} else {
		err = redactText(gate, o, in, w, talk, counts)
	}
	if err = errors.Join(err, w.Flush()); err != nil {
		return err
	}
	if o.report {
		report(talk, counts)
	}
	return nil
}

// redactText cleans a text as one event, so that a secret known from one line is removed from all of them.
func redactText(gate *privacy.Gate, o redactOptions, in io.Reader, out, talk io.Writer, counts map[string]int) error {
	text, err := io.ReadAll(io.LimitReader(in, maxRedact+1))
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	if len(text) > maxRedact { // the gate would withhold all of it
		return hinted(errTooLong, "split the text between two lines, and pass each part")
	}
	clean, findings := gate.Text(string(text))
	tally(counts, findings)
	told := redactedText{Text: clean, Findings: append([]privacy.Finding{}, findings...)}
	if o.why {
		if told.Why, err = explained(gate, string(text)); err != nil {
			return err
		}
	}
	if o.json {
		return json.NewEncoder(out).Encode(told)
	}
	if told.Why != nil {
		told.Why.print(talk)
	}
	_, err = io.WriteString(out, clean.String())
	return err
}

// redactedLine is one answer of --jsonl.
type redactedLine struct {
	Text     privacy.Clean     `json:"text"`
	Findings []privacy.Finding `json:"findings"`
}

func redactLines(gate *privacy.Gate, in io.Reader, out io.Writer, counts map[string]int) error {
	r := bufio.NewReaderSize(in, 64<<10)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			answer, bad := redactLine(gate, line)
			if bad != nil {
				return fmt.Errorf("line %d: %w", n, bad)
			}
			tally(counts, answer.Findings)
			if err := enc.Encode(answer); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read line %d: %w", n, err)
		}
	}
}

func redactLine(gate *privacy.Gate, line string) (redactedLine, error) {
	var event struct {
		Text string `json:"text"`
		Path string `json:"path"`
	}
	if err := json.Unmarshal([]byte(line), &event); err != nil {
		return redactedLine{}, errors.New("not {\"text\": …}: malformed JSON") // the decoder's message quotes the text
	}
	raw := privacy.Raw{Output: event.Text}
	if len(event.Text)+len(event.Path) > maxRedact {
		return redactedLine{}, errTooLong
	}
	if event.Path != "" {
		raw.Tool, raw.Input = "Read", map[string]any{"file_path": event.Path}
	}
	done := gate.Event(raw)
	answer := redactedLine{Text: done.Output.Text(), Findings: []privacy.Finding{}}
	for _, f := range done.Findings {
		if f.Field == "output" {
			answer.Findings = append(answer.Findings, f)
		}
	}
	return answer, nil
}

func tally(counts map[string]int, findings []privacy.Finding) {
	for _, f := range findings {
		counts[f.Rule]++
	}
}

func report(talk io.Writer, counts map[string]int) {
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(talk, "%6d %s\n", counts[rule], rule)
	}
}

// openFile opens a file that the user named. A directory could be opened, too, and only reading it would fail.
func openFile(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, hinted(fmt.Errorf("%s is a directory", name), "mum redact FILE")
	}
	return os.Open(name)
}
