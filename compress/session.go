package compress

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"keepmum/lazyregexp"
	"keepmum/store"
)

// request is one turn of a session: what was asked, and the result.
type request struct{ asked, came string }

// heuristicSession summarises a session by its turns: what was asked, and the result. A session with one turn gets that
// turn's summary.
func heuristicSession(rows []store.ObservationRow) draft {
	var files []string
	all := requests(rows)
	for _, r := range rows {
		if ofTurn(r) {
			for _, f := range r.Files {
				files = addOnce(files, f)
			}
		}
	}
	d := draft{Type: "note", Files: files[:min(len(files), maxFiles)]}
	if len(files) > 0 {
		d.Type = "change"
	}
	asked := make([]string, len(all))
	for i, r := range all {
		asked[i] = r.asked
	}
	d.Text = shorten(withoutStops(sayRequests(all)), maxText)
	d.Title = shorten("Session: "+strings.Join(asked, "; "), maxTitle)
	return d
}

// ofTurn reports whether a document is the summary of a turn. An earlier summary of the session adds nothing to those.
func ofTurn(r store.ObservationRow) bool { return r.Type == store.KindSummary && r.Turn != 0 }

// requests returns the turns that began with a prompt, each prompt once.
func requests(rows []store.ObservationRow) (out []request) {
	came := map[int64]string{}
	for _, r := range rows {
		if ofTurn(r) {
			came[r.Turn], _, _ = strings.Cut(r.Text, "\n") // the concepts are on a separate line
		}
	}
	for _, r := range rows {
		if r.Type != store.KindPrompt || r.Role != string(store.RoleUser) {
			continue
		}
		s := firstSentence(r.Text, 70)
		i := slices.IndexFunc(out, func(o request) bool { return o.asked == s })
		switch {
		case s == "":
		case i >= 0:
			out[i].came = cmp.Or(came[r.ID], out[i].came)
		default:
			out = append(out, request{s, came[r.ID]})
		}
	}
	return out
}

// sayRequests describes the first and the last two requests, each with its result.
func sayRequests(all []request) string {
	const shown = 3
	switch n := len(all); {
	case n == 0:
		return "Nothing was asked in this session"
	case n == 1 && all[0].came != "":
		return all[0].came
	case n <= shown:
		return within(all, maxText)
	default:
		head := fmt.Sprintf("%d requests. ", n)
		return head + within([]request{all[0], all[n-2], all[n-1]}, maxText-len(head))
	}
}

// within divides the space among requests.
func within(all []request, room int) string {
	each := (room - 2*len(all)) / len(all)
	parts := make([]string, len(all))
	for i, r := range all {
		asked := shorten(r.asked, min(60, each/2))
		parts[i] = asked
		if came := outcomeOf(r.came); came != "" {
			parts[i] = asked + ": " + shorten(came, each-len(asked)-2)
		}
	}
	return strings.Join(parts, "; ")
}

// answeredAsked and askedTail match what a turn's summary says about the request itself.
var (
	answeredAsked = lazyregexp.New(`^(?:Answered “[^”]*”|Asked|Decided): `)
	askedTail     = lazyregexp.New(`\.? Asked: .*$`)
)

// outcomeOf returns the result of a turn: a finding or an answer rather than what was done.
func outcomeOf(came string) string {
	if strings.HasPrefix(came, "Asked: ") {
		return ""
	}
	came = askedTail.ReplaceAllString(answeredAsked.ReplaceAllString(came, ""), "")
	for _, mark := range []string{"Found: ", "Said: "} {
		if _, said, ok := strings.Cut(came, mark); ok {
			return said
		}
	}
	return came
}
