package daemon

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/lazyregexp"
	"keepmum/store"
)

func (d *Daemon) getLedger(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "by"); err != nil {
		return err
	}
	by := c.QueryParam("by")
	if by == "" {
		by = "rule"
	}
	if by != "rule" && by != "project" && by != "day" {
		return failure(api.Invalid, "by must be rule, project or day", "docs/api.md")
	}
	rows, err := d.db.LedgerTotals(c.Request().Context(), by)
	if err != nil {
		return err
	}
	out := api.LedgerTotals{By: by, Totals: []api.LedgerTotal{}}
	for _, r := range rows {
		out.Totals = append(out.Totals,
			api.LedgerTotal{Name: r.Name, Redactions: r.Redactions, Secrets: r.Secrets, Last: time.UnixMilli(r.Last).UTC()})
	}
	return c.JSON(http.StatusOK, out)
}

var macForm = lazyregexp.New(`^[0-9a-f]{64}$`)

// getLedgerSeen accepts the HMAC of a value instead of the value; the caller has the key.
func (d *Daemon) getLedgerSeen(c echo.Context) error {
	if !macForm.MatchString(c.Param("mac")) {
		return failure(api.Invalid, "the HMAC must be 64 hexadecimal digits", "mum ledger check")
	}
	ctx := c.Request().Context()
	rows, err := d.db.LedgerOf(ctx, c.Param("mac"), 20)
	if err != nil {
		return err
	}
	n, err := d.db.LedgerSeen(ctx, c.Param("mac"))
	if err != nil {
		return err
	}
	out := api.LedgerSeen{Seen: n, Rows: []api.LedgerFinding{}}
	for _, r := range rows {
		out.Rows = append(out.Rows,
			api.LedgerFinding{At: time.UnixMilli(r.At).UTC(), ID: r.Doc, Rule: r.Rule, Field: r.Field})
	}
	return c.JSON(http.StatusOK, out)
}

func (d *Daemon) getLedgerVerify(c echo.Context) error {
	rows, broken, err := d.db.VerifyLedger(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.LedgerVerified{Rows: rows, Broken: broken})
}

func (d *Daemon) getEgress(c echo.Context) error {
	if err := onlyParams(c.QueryParams(), "limit"); err != nil {
		return err
	}
	limit, err := intParam(c.QueryParams(), "limit", 50, 1, 1000)
	if err != nil {
		return err
	}
	rows, err := d.db.Ledger(c.Request().Context(), store.LedgerEgress, limit)
	if err != nil {
		return err
	}
	out := api.EgressList{Egress: []api.Egress{}}
	for _, r := range rows {
		out.Egress = append(out.Egress, api.Egress{At: time.UnixMilli(r.At).UTC(), SHA256: r.SHA256, Job: r.Job,
			Sending: api.Sending{Host: r.Host, Model: r.Model, Purpose: r.Purpose, Bytes: r.Bytes, Left: store.Left(r.Host)}})
	}
	return c.JSON(http.StatusOK, out)
}

// getSent returns the totals of what was sent to models.
func (d *Daemon) getSent(c echo.Context) error {
	rows, err := d.db.SentTo(c.Request().Context())
	if err != nil {
		return err
	}
	out := api.SentList{Sent: []api.Sent{}}
	for _, r := range rows {
		out.Sent = append(out.Sent, wireSent(r))
	}
	return c.JSON(http.StatusOK, out)
}
