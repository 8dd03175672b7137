package memory

import (
	"cmp"
	"path"
	"strings"
	"time"
)

// earliest returns when something was made, or now if the given time is missing or implausible.
func earliest(said, now time.Time) time.Time {
	if said.IsZero() || said.After(now) {
		return now.UTC()
	}
	return said
}

// lenient reads what it can. A value that is malformed counts as missing.
func lenient(rel string, doc *document) Memory {
	r := func() *reader { return &reader{doc: doc} } // one per value: an error affects no other
	m := Memory{
		ID: r().text("id"), Title: cmp.Or(r().text("title"), r().text("name")), Body: doc.text(),
		Created: r().time("created"), Updated: r().time("updated"), Source: r().text("source"), Tags: r().list("tags"),
		Sources: r().origins("sources"), Supersedes: r().list("supersedes"), SupersededBy: r().text("superseded_by"),
		ValidFrom: r().time("valid_from"), ValidTo: r().time("valid_to"), Held: r().intervals("held"),
		Pinned: r().flag("pinned"), Key: r().key(), Links: r().links("links"),
		Branch: r().text("branch"), BranchHead: r().text("branch_head"), BranchBase: r().text("branch_base"),
		Everywhere: r().time("everywhere"),
	}
	share := r()
	if m.Confidence = share.share("confidence", defaultConfidence); share.err != nil {
		m.Confidence = defaultConfidence
	}
	name, kind := nameOf(rel), r().text("kind")
	m.Primitive, m.Archived = placeOf(rel)
	if m.Primitive == "" {
		m.Archived = strings.HasPrefix(rel, archiveDir+"/")
		kindOfFile, rest, _ := strings.Cut(name, "_")
		m.Primitive, kind = typeNamed(cmp.Or(r().text("primitive"), r().text("type"), kindOfFile), kind)
		name = cmp.Or(rest, name)
	}
	m.Kind = keepUnknown(doc, "kind", kind, Kind(kind).Known() && m.Primitive == Learning, Kind(kind))
	outcome := Outcome(r().text("outcome"))
	m.Outcome = keepUnknown(doc, "outcome", string(outcome), outcome.known(), outcome)
	m.Title = cmp.Or(strings.Join(strings.Fields(m.Title), " "), heading(m.Body), strings.ReplaceAll(name, "-", " "))
	if m.Created.IsZero() {
		m.Created = dateOf(rel)
	}
	if !safeID(m.ID) {
		m.ID = Slug(cmp.Or(m.ID, m.Title))
	}
	return m
}

// typeNamed translates a type of an older tree.
func typeNamed(name, kind string) (Primitive, string) {
	switch k := Kind(strings.ToLower(name)); {
	case k == "decision":
		return Decision, ""
	case kind != "":
		return Learning, kind
	case k == "user", k == "feedback":
		return Learning, string(Preference)
	case k != "" && k.Known():
		return Learning, string(k)
	}
	return Learning, string(Insight)
}

// keepUnknown removes an unknown value and keeps it under another key.
func keepUnknown[T ~string](doc *document, key, value string, known bool, is T) T {
	if known || value == "" {
		return is
	}
	doc.set("imported_"+key, nodeOf(value), nil)
	return ""
}

func (in *importing) summary(rel string, doc *document) error {
	r := func() *reader { return &reader{doc: doc} }
	s := Summary{
		Title: cmp.Or(r().text("title"), heading(doc.text()), nameOf(rel)), Created: r().time("created"),
		Source: cmp.Or(r().text("source"), in.by.By.String()), Description: r().text("description"),
		Agent: r().text("coding_agent"), Session: r().text("session_id"), Repo: r().text("repo"),
		Branch: r().text("branch"), Tags: r().list("tags"), Body: doc.text(),
	}
	said := normal(s.Title + "\n" + s.Body)
	if in.said[said] != "" {
		in.out.Same = append(in.out.Same, rel)
		return nil
	}
	if s.Created.IsZero() {
		s.Created = pathTime(rel)
	}
	s.Created = earliest(s.Created, in.by.Now)
	s.ID = hashed(Slug(s.Title), rel)
	s.Path = path.Join(summaryDir, s.Created.Format("20060102"), s.Created.Format("150405"), s.ID+".md")
	out, err := in.tree.saveSummary(s, doc)
	if err != nil {
		return err
	}
	in.said[said] = out.ID
	in.out.Summaries = append(in.out.Summaries, out)
	return nil
}

// pathTime parses the time in summaries/{YYYYMMDD}/{HHMMSS}/name.md.
func pathTime(rel string) time.Time {
	dir := path.Dir(rel)
	at, err := time.Parse("20060102150405", path.Base(path.Dir(dir))+path.Base(dir))
	if err != nil {
		return time.Time{}
	}
	return at
}
