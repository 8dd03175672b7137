package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"keepmum/api"
)

type privacyData struct {
	By         string
	Totals     []api.LedgerTotal
	Most       int64
	Days       []column
	Sent       []api.Sent
	Egress     []api.Egress
	Excluded   []api.Event
	Quarantine []api.Quarantined
	Verified   *api.LedgerVerified
	Mode       string
	Paths      []string
	Tried      *tried
	Taken      []api.Redaction
	Said       []api.Verdict
	Unread     bool // the verdicts could not be read
}

// tried is a text as the gate would store it.
type tried struct {
	Text  string
	Kept  string
	Spans []api.Reason
	Parts []piece
	// Nearest is the piece that stays and was closest to being removed; nil = nothing else got a score.
	Nearest *nearly
}

// nearly is a piece that stays, with the reason for which it was nearly removed.
type nearly struct {
	api.Reason
	Text string
}

// piece is a part of the tested text: what stays, or what would be removed and why.
type piece struct {
	Text, Rule, Word string
}

func (v *visit) privacy() error { return v.showPrivacy(http.StatusOK, nil) }

func (v *visit) showPrivacy(status int, t *tried) error {
	in := v.r.URL.Query()
	d := privacyData{By: in.Get("by"), Tried: t}
	if !slices.Contains([]string{"rule", "project"}, d.By) {
		d.By = "rule"
	}
	var totals, days api.LedgerTotals
	var sent api.SentList
	var egress api.EgressList
	var excluded api.Feed
	var held api.QuarantineList
	var settings api.Settings
	for _, ask := range []struct {
		path string
		q    url.Values
		out  any
	}{
		{"/ledger", url.Values{"by": {d.By}}, &totals}, {"/ledger", url.Values{"by": {"day"}}, &days},
		{"/ledger/sent", nil, &sent},
		{"/ledger/egress", url.Values{"limit": {"10"}}, &egress},
		{"/feed", url.Values{"excluded": {"true"}, "limit": {"10"}}, &excluded},
		{"/quarantine", nil, &held}, {"/settings", nil, &settings},
	} {
		if err := v.get(ask.path, ask.q, ask.out); err != nil {
			return err
		}
	}
	if in.Get("verify") != "" {
		d.Verified = &api.LedgerVerified{}
		if err := v.get("/ledger/verify", nil, d.Verified); err != nil {
			return err
		}
	}
	d.Totals, d.Sent, d.Egress = totals.Totals[:min(len(totals.Totals), 40)], sent.Sent, egress.Egress
	d.Excluded, d.Quarantine = excluded.Events, held.Quarantine
	for _, t := range d.Totals {
		d.Most = max(d.Most, t.Redactions)
	}
	d.Days = dayColumns(days.Totals)
	var err error
	if d.Taken, err = v.taken(""); err != nil {
		return err
	}
	var verdicts api.Verdicts
	d.Unread = v.get("/verdicts", nil, &verdicts) != nil // the rest of the page is shown anyway
	d.Said = verdicts.Verdicts
	for _, s := range settings.Settings {
		switch s.Key {
		case "privacy.mode":
			d.Mode = s.Text
		case "privacy.exclude_paths":
			d.Paths = strings.FieldsFunc(strings.Trim(s.Text, "[]"), func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	return v.show(status, "privacy", "Privacy", d)
}

// dayColumns returns the latest thirty days on which something was removed, oldest first.
func dayColumns(all []api.LedgerTotal) (out []column) {
	all = all[:min(len(all), 30)]
	for i, t := range slices.Backward(all) {
		c := column{
			Value: t.Redactions,
			Title: fmt.Sprintf("%s: %s removed, %s", t.Name, number(t.Redactions),
				plural(t.Secrets, "secret", "different secrets")),
		}
		if _, day, ok := strings.Cut(t.Name, "-"); ok && (i%5 == 0 || len(all) <= 10) {
			c.Name = day
		}
		out = append(out, c)
	}
	return out
}

// quarantine retries a job that was held back, or ends it.
func (v *visit) quarantine() error {
	id, act, _ := strings.Cut(v.rest, "/")
	if act != "release" && act != "purge" {
		return errNoRoom
	}
	if err := v.post("/quarantine/"+url.PathEscape(id)+"/"+act, struct{}{}, nil); err != nil {
		return err
	}
	if act == "release" {
		return v.back("Released: both gates check it again before anything is sent.")
	}
	return v.back("Dropped: it is not sent to any model; its first summary stays.")
}
