package distill

import (
	"context"
	"encoding/json"
	"strings"

	"keepmum/transcript"
)

// stored yields what hooks captured of a session in the form of its transcript.
func (r *run) stored(ctx context.Context, session int64, yield func(transcript.Entry) error) error {
	for after := int64(0); ; {
		rows, err := r.w.DB.SessionDocs(ctx, session, after, 500)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			after = row.ID
			e := transcript.Entry{At: row.Date, Ref: "#" + decimal(row.ID), Sidechain: row.Subagent != ""}
			switch {
			case row.Tool != "":
				e.Role, e.Tool, e.Input, e.Output, e.Failed = transcript.Tool, row.Tool, jsonValue(row.Input),
					jsonValue(row.Output), row.Failed
			case row.Role == "user":
				e.Role, e.Text = transcript.User, row.Text
			case row.Who == "compaction":
				e.Role, e.Text = transcript.Summary, row.Text
			default:
				e.Role, e.Text = transcript.Assistant, row.Text
			}
			if err := yieldWith(e, yield); err != nil {
				return err
			}
		}
	}
}

// yieldWith yields an entry, and what the user answered in it.
func yieldWith(e transcript.Entry, yield func(transcript.Entry) error) error {
	if err := yield(e); err != nil || e.Role != transcript.Tool || e.Failed {
		return err
	}
	for _, said := range transcript.Answered(e.Tool, e.Output) {
		said.At, said.Ref, said.Sidechain = e.At, e.Ref, e.Sidechain
		if err := yield(said); err != nil {
			return err
		}
	}
	return nil
}

// jsonValue decodes stored JSON and returns other text as a string.
func jsonValue(s string) any {
	dec := json.NewDecoder(strings.NewReader(s))
	dec.UseNumber()
	var v any
	if s == "" || dec.Decode(&v) != nil || dec.More() {
		return s
	}
	return v
}
