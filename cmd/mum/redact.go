package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/privacy"
)

// redactOptions are the flags of `mum redact`.
type redactOptions struct {
	report bool
	jsonl  bool
	mode   string
}

// newRedactCmd makes the filter. It needs no daemon and no data directory: its
// tags are made with a key of the moment.
func newRedactCmd() *cobra.Command {
	var o redactOptions
	cmd := &cobra.Command{
		Use:   "redact [FILE|-]",
		Short: "Take secrets out of a text (a filter)",
		Long: `Reads a file or standard input and writes it without its secrets.

With --jsonl each line is an event of its own, {"text": …, "path"?: …}, and is
answered by {"text": …, "findings": […]}; nothing is carried over between lines.

EXIT STATUS
  0  the text was written
  1  it could not be read or written
  2  wrong usage`,
		Example: `  kubectl describe pod api | mum redact
  mum redact --report build.log > clean.log`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if len(args) == 1 && args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			return runRedact(o, in, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&o.report, "report", false, "say on standard error what was taken out")
	cmd.Flags().BoolVar(&o.jsonl, "jsonl", false, "read and write one JSON object per line")
	cmd.Flags().StringVar(&o.mode, "mode", string(privacy.ModeSafe), "safe, strict or none")
	return cmd
}

func runRedact(o redactOptions, in io.Reader, out, talk io.Writer) error {
	gate, err := privacy.New(privacy.Options{Mode: privacy.Mode(o.mode), MaxField: 10 << 20})
	if err != nil {
		return err
	}
	counts := map[string]int{}
	w := bufio.NewWriterSize(out, 64<<10)
	if o.jsonl {
		err = redactLines(gate, in, w, counts)
	} else {
		err = redactText(gate, in, w, counts)
	}
	if err = errors.Join(err, w.Flush()); err != nil {
		return err
	}
	if o.report {
		report(talk, counts)
	}
	return nil
}

// redactText cleans a text as one event, so that a secret known from one line
// is taken out of all.
func redactText(gate *privacy.Gate, in io.Reader, out io.Writer, counts map[string]int) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	clean, findings := gate.Text(string(text))
	tally(counts, findings)
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
				return fmt.Errorf("line %d is not {\"text\": …}: %w", n, bad)
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
		return redactedLine{}, errors.New("malformed JSON") // the decoder's message quotes the text
	}
	raw := privacy.Raw{Output: event.Text}
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
