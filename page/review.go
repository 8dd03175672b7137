package page

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"keepmum/api"
)

const proposalsPerPage = 10

// proposal is one that waits, and the memory that says nearly the same.
type proposal struct {
	api.Proposal
	Near *near
}

// near is a memory similar to a proposal, and how the two differ.
type near struct {
	api.Memory
	Diff []change
}

type reviewData struct {
	api.Proposals
	List []proposal
}

// reviewRoom lists proposals with the sentence that they come from.
func (v *visit) reviewRoom() error {
	var d reviewData
	q := url.Values{"limit": {strconv.Itoa(proposalsPerPage)}}
	if v.r.URL.Query().Get("hidden") != "" {
		q.Set("hidden", "true")
	}
	if err := v.get("/review", q, &d.Proposals); err != nil {
		return err
	}
	has := map[int64]bool{} // by project: whether it has memories to compare with
	for _, p := range d.Proposals.Proposals {
		like, err := v.near(p, has)
		if err != nil {
			return err
		}
		d.List = append(d.List, proposal{p, like})
	}
	return v.show(http.StatusOK, "review", "Review", d)
}

// The minimum share of equal words for which a memory is compared with a proposal, first of the titles, then of the
// whole: below it, the two only have some words in common.
const (
	nearTitle = 0.3
	nearWhole = 0.4
)

// near returns the memory that is most similar to a proposal; nil = none is.
func (v *visit) near(p api.Proposal, has map[int64]bool) (*near, error) {
	q := url.Values{"limit": {"3"}}
	if p.Project != "" {
		q.Set("project", numbered(p.ProjectID, p.Project))
	}
	var list api.MemoryList
	if _, known := has[p.ProjectID]; !known {
		if err := v.get("/memories", q, &list); err != nil {
			return nil, err
		}
		has[p.ProjectID] = list.Total > 0
	}
	if !has[p.ProjectID] {
		return nil, nil
	}
	q.Set("q", p.Title)
	if err := v.get("/memories/search", q, &list); err != nil {
		return nil, err
	}
	var best *near
	most := nearWhole
	for _, m := range list.Memories {
		if alike(diffWords(strings.ToLower(m.Title), strings.ToLower(p.Title))) < nearTitle {
			continue
		}
		var whole api.Memory
		if err := v.get("/memories/"+strconv.FormatInt(m.Entry, 10), nil, &whole); err != nil {
			return nil, err
		}
		all := diffWords(whole.Title+"\n"+whole.Body, p.Title+"\n"+p.Body)
		if a := alike(all); a >= most {
			best, most = &near{whole, all}, a
		}
	}
	return best, nil
}

// decide keeps, rewords, drops or reopens a proposal.
func (v *visit) decide() error {
	id, act, _ := strings.Cut(v.rest, "/")
	var in api.ReviewAct
	if act == "edit" {
		title, body := v.form("title"), strings.ReplaceAll(v.form("body"), "\r\n", "\n")
		in, act = api.ReviewAct{Title: &title, Body: &body}, "keep"
	}
	if !slices.Contains([]string{"keep", "drop", "never", "undo"}, act) {
		return errNoRoom
	}
	var out api.Reviewed
	if err := v.post("/review/"+url.PathEscape(id)+"/"+act, in, &out); err != nil {
		return err
	}
	said := map[string]string{"keep": "Kept: it is a memory now.", "edit": "Kept in your words.", "drop": "Dropped.",
		"never": "Dropped, and nothing like it is proposed again.", "undo": "It is open again."}[out.Action]
	if out.Action == "undo" {
		return v.back(said)
	}
	return v.backTo(note{said, "decide/" + url.PathEscape(id) + "/undo"})
}
