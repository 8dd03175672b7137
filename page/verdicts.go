package page

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"keepmum/api"
)

// verdict records what the user says about a value, or withdraws that. The value is never in an answer: the next page
// says what was understood, and the API stores a hash of it.
func (v *visit) verdict() error {
	if id, act, _ := strings.Cut(v.rest, "/"); act == "remove" {
		if err := v.post("/verdicts/"+url.PathEscape(id)+"/remove", struct{}{}, nil); err != nil {
			return err
		}
		return v.back("Undone: it is judged again, like any other text.")
	} else if v.rest != "" {
		return errNoRoom
	}
	in, err := v.saying()
	if err != nil {
		return err
	}
	if err := v.post("/verdicts", in, nil); err != nil {
		return err
	}
	if in.Secret {
		return v.back("Marked as a secret: it is removed from now on. To remove what was kept before, use Forget, below.")
	}
	if in.Redaction != 0 {
		return v.back("Marked as not a secret: it is kept from now on. " +
			"Where it was removed before, the value is gone.")
	}
	still, err := v.stillGoes(in.Value)
	if err != nil {
		return err
	}
	if still {
		return v.back("Marked as not a secret. " +
			"It is still removed, because another rule finds something in it: try it below.")
	}
	return v.back("Marked as not a secret: it is kept from now on.")
}

// saying reads what a form says about a value: a redaction by its number, a piece of the tested text, or a typed value.
func (v *visit) saying() (in api.Say, err error) {
	if row := v.form("redaction"); row != "" {
		in.Redaction, err = strconv.ParseInt(row, 10, 64)
		if err != nil {
			return in, errNoRoom
		}
		return in, nil
	}
	for _, as := range []string{"public", "secret"} {
		if at := v.form(as); at != "" {
			in.Secret = as == "secret"
			in.Value, err = v.pieceAt(at)
			return in, err
		}
	}
	in.Value, in.Secret = v.r.PostForm.Get("value"), v.form("say") == "secret"
	if !in.Secret && v.form("say") != "public" {
		return in, errForm
	}
	return in, nil
}

var errMoved = &api.Error{
	Code:    api.Conflict,
	Message: "the text has changed since you tried it: nothing was recorded",
	Hint:    "try it again, then give your verdict",
}

// pieceAt returns a piece of the tested text that the gate now removes or scores.
func (v *visit) pieceAt(at string) (string, error) {
	text := v.tryText()
	var out api.Redacted
	if err := v.post("/redact", api.Redact{Text: text}, &out); err != nil {
		return "", err
	}
	all := out.Reasons
	if out.Nearest != nil {
		all = append(all, *out.Nearest)
	}
	i := slices.IndexFunc(all, func(r api.Reason) bool { return place(r) == at && r.To <= len(text) })
	if i < 0 {
		return "", errMoved
	}
	return text[all[i].From:all[i].To], nil
}

// place returns the name of a piece of a text.
func place(r api.Reason) string { return strconv.Itoa(r.From) + "-" + strconv.Itoa(r.To) }

// stillGoes reports whether anything is removed from a value on its own.
func (v *visit) stillGoes(value string) (bool, error) {
	var out api.Redacted
	err := v.post("/redact", api.Redact{Text: value}, &out)
	return len(out.Reasons) > 0, err
}

// taken returns the values that were removed recently, of one entry or of all ("").
func (v *visit) taken(entry string) ([]api.Redaction, error) {
	q := url.Values{"limit": {"10"}}
	if entry != "" {
		q.Set("entry", entry)
	}
	var out api.Redactions
	err := v.get("/ledger/redactions", q, &out)
	return out.Redactions, err
}

// tryText returns the text of the box, with its original line ends.
func (v *visit) tryText() string { return strings.ReplaceAll(v.r.PostForm.Get("text"), "\r\n", "\n") }

// try shows what the gate would store of a text, with the rule for each place. It stores nothing.
func (v *visit) try() error {
	text := v.tryText()
	var out api.Redacted
	if err := v.post("/redact", api.Redact{Text: text}, &out); err != nil {
		return err
	}
	t := &tried{Text: text, Kept: out.Text, Spans: out.Reasons}
	at := 0
	for _, r := range out.Reasons {
		if r.From < at || r.To > len(text) {
			continue
		}
		t.Parts = append(t.Parts, piece{Text: text[at:r.From]},
			piece{Text: text[r.From:r.To], Rule: r.Rule, Word: r.Word})
		at = r.To
	}
	t.Parts = append(t.Parts, piece{Text: text[at:]})
	if n := out.Nearest; n != nil && n.To <= len(text) {
		t.Nearest = &nearly{Reason: *n, Text: text[n.From:n.To]}
	}
	return v.showPrivacy(http.StatusOK, t)
}
