package daemon

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/privacy"
	"keepmum/privacy/verdict"
	"keepmum/store"
)

func (d *Daemon) getVerdicts(c echo.Context) error {
	said, err := d.intake.Said()
	if err != nil {
		return failure(api.Invalid, d.loggable(err), "mum redact --verdicts")
	}
	out := api.Verdicts{Verdicts: []api.Verdict{}}
	for _, v := range capture.Verdicts(said) {
		out.Verdicts = append(out.Verdicts, api.Verdict(v))
	}
	return c.JSON(http.StatusOK, out)
}

// postVerdict stores what the user says about a value, with its keyed hash, never the value.
func (d *Daemon) postVerdict(c echo.Context) error {
	var in api.Say
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	var said verdict.Said
	var err error
	switch {
	case in.Redaction == 0:
		said, err = d.intake.Say(in.Value, in.Secret)
	case in.Secret || in.Value != "":
		err = errors.New("a redaction can only be marked as not a secret, because its value is gone")
	default:
		var row store.LedgerRow
		row, err = d.db.LedgerRowOf(c.Request().Context(), in.Redaction)
		if errors.Is(err, store.ErrNotFound) || err == nil && row.Kind != store.LedgerRedaction {
			return failure(api.NotFound, "there is no redaction with that number", "GET /ledger/redactions")
		}
		if err == nil {
			said, err = d.intake.SayOf(row.MAC, row.Rule)
		}
	}
	if err != nil {
		return failure(api.Invalid, d.loggable(err), "mum redact --help")
	}
	return c.JSON(http.StatusOK, api.Verdict(capture.Verdicts([]verdict.Said{said})[0]))
}

// maxRedactionsRead limits the rows in which occurrences of a value are counted; a screen shows twenty.
const maxRedactionsRead = 500

// getRedactions lists recent redactions, each value once, with the user's verdict.
func (d *Daemon) getRedactions(c echo.Context) error {
	q := c.QueryParams()
	if err := onlyParams(q, "entry", "limit"); err != nil {
		return err
	}
	limit, err1 := intParam(q, "limit", 20, 1, 100)
	entry, err2 := strconv.ParseInt(cmp.Or(q.Get("entry"), "0"), 10, 64)
	if err2 != nil || entry < 0 {
		err2 = failure(api.Invalid, "entry must be the number of an entry", "docs/api.md")
	}
	if err := firstError(err1, err2); err != nil {
		return err
	}
	rows, err := d.db.Redactions(c.Request().Context(), entry, maxRedactionsRead)
	if err != nil {
		return err
	}
	said, _ := d.intake.Said() // GET /verdicts reports the error
	out, at := api.Redactions{Redactions: []api.Redaction{}}, map[string]int{}
	for _, r := range rows {
		i, seen := at[r.MAC]
		if !seen && len(out.Redactions) == limit {
			continue
		}
		if !seen {
			i = len(out.Redactions)
			at[r.MAC] = i
			out.Redactions = append(out.Redactions, wireRedaction(r, said))
		}
		out.Redactions[i].Times++
	}
	return c.JSON(http.StatusOK, out)
}

func wireRedaction(r store.LedgerRow, said []verdict.Said) api.Redaction {
	out := api.Redaction{ID: r.ID, At: time.UnixMilli(r.At).UTC(), Entry: r.Doc, Rule: r.Rule,
		Tag: r.MAC[:min(4, len(r.MAC))], Field: r.Field, Bytes: r.Bytes, Sure: !privacy.MayBeWrong(r.Rule)}
	for _, s := range said {
		if s.MAC == r.MAC {
			out.Said = s.ID
		}
	}
	return out
}

func (d *Daemon) postVerdictRemove(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	err := d.intake.Unsay(c.Param("id"))
	if errors.Is(err, verdict.ErrNone) {
		return failure(api.NotFound, d.loggable(err), "mum redact --verdicts")
	}
	if err != nil {
		return err
	}
	return d.getVerdicts(c)
}
