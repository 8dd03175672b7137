package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/store"
)

// getExport streams everything that is stored. An error in the middle breaks the connection, so that an incomplete
// export does not look complete.
func (d *Daemon) getExport(c echo.Context) error {
	o, format, err := d.exportOptions(c.Request().Context(), c.QueryParams())
	if err != nil {
		return err
	}
	unhurried(c)
	c.Response().Header().Set(echo.HeaderContentType,
		map[string]string{"json": "application/json", "jsonl": "application/jsonl",
			"markdown": "text/markdown; charset=utf-8"}[format])
	out := bufio.NewWriterSize(c.Response(), 64<<10)
	w := exporters(format, out)
	if err := d.db.Export(c.Request().Context(), o, w.record); err != nil {
		d.log.Warn("an export was interrupted", "error", err)
		panic(http.ErrAbortHandler)
	}
	w.end()
	return out.Flush()
}

func (d *Daemon) exportOptions(ctx context.Context, q url.Values) (o store.ExportOptions, format string, err error) {
	if err := onlyParams(q, "format", "project", "days", "include_raw"); err != nil {
		return o, "", err
	}
	days, err := intParam(q, "days", 0, 0, 100_000)
	if err != nil {
		return o, "", err
	}
	if days > 0 {
		o.Since = d.o.Now().AddDate(0, 0, -days)
	}
	if o.Project = q.Get("project"); o.Project != "" {
		if _, err := d.db.ProjectNamed(ctx, o.Project); err != nil {
			return o, "", err
		}
	}
	switch raw := q.Get("include_raw"); raw {
	case "", "true", "1":
	case "false", "0":
		o.NoRaw = true
	default:
		return o, "", failure(api.Invalid, "include_raw must be true or false", "docs/api.md")
	}
	switch format = q.Get("format"); format {
	case "":
		return o, "jsonl", nil
	case "json", "jsonl", "markdown":
		return o, format, nil
	}
	return o, "", failure(api.Invalid, "format must be json, jsonl or markdown", "docs/api.md")
}

// exporter writes records in one format.
type exporter struct {
	record func(store.Record) error
	end    func()
}

func exporters(format string, out io.Writer) exporter {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	switch format {
	case "json":
		lead := "{\"records\":[\n"
		return exporter{func(r store.Record) error {
			if _, err := io.WriteString(out, lead); err != nil {
				return err
			}
			lead = ","
			return enc.Encode(r)
		}, func() {
			if lead != "," {
				_, _ = io.WriteString(out, lead) // the following flush reports a broken connection
			}
			_, _ = io.WriteString(out, "]}\n")
		}}
	case "markdown":
		return exporter{func(r store.Record) error { return writeMarkdown(out, r) }, func() {}}
	default:
		return exporter{func(r store.Record) error { return enc.Encode(r) }, func() {}}
	}
}

// writeMarkdown writes records for people; this format cannot be imported.
func writeMarkdown(w io.Writer, r store.Record) error {
	var err error
	when := r.At.Format(time.DateTime)
	switch r.Kind {
	case store.KindSession:
		_, err = fmt.Fprintf(w, "\n# %s, %s, %s\n\nSession `%s`, branch `%s`\n", r.Meta.Project,
			r.Meta.Started.Format(time.DateOnly), r.Agent, r.Session, r.Meta.Branch)
	case store.KindPrompt:
		who := r.Role
		if r.Who != "" {
			who += " (" + r.Who + ")"
		}
		if r.Branch != "" {
			who += ", branch `" + r.Branch + "`"
		}
		_, err = fmt.Fprintf(w, "\n## %s, %s\n\n%s\n", who, when, quoted(*r.Text))
	case store.KindCommit:
		_, err = fmt.Fprintf(w, "\n- %s commit `%s`: %s\n", when, r.Commit, strings.ReplaceAll(r.Title, "\n", " "))
	case store.KindSummary:
		_, err = fmt.Fprintf(w, "\n**Summary of the %s (%s):** %s\n", r.Summary.Scope, r.Summary.Type, *r.Text)
	default:
		_, err = fmt.Fprintf(w, "\n- %s `%s`\n", when, strings.ReplaceAll(r.Title, "`", "'"))
		for _, raw := range []json.RawMessage{r.Input, r.Output} {
			if err == nil && len(raw) > 0 {
				_, err = fmt.Fprintf(w, "\n      %s\n", strings.ReplaceAll(string(raw), "\n", "\n      "))
			}
		}
	}
	return err
}

// quoted keeps headings in a text from becoming headings of the export.
func quoted(text string) string { return "> " + strings.ReplaceAll(text, "\n", "\n> ") }
