package team

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"keepmum/privacy"
	"keepmum/store"
)

// The kinds of item. Nothing else is ever shared.
const (
	KindMemory = "memory"
	KindNote   = "note"
)

// kindSummary was shared by earlier versions. A round withdraws what this machine sent of it.
const kindSummary = "summary"

// Content is what an item says, cleaned. The id of a memory is not part of it: it is derived from the title, and each
// machine makes its own.
type Content struct {
	Form       privacy.Clean   `json:"form"` // decision | learning
	Kind       privacy.Clean   `json:"kind"`
	Title      privacy.Clean   `json:"title"`
	Body       privacy.Clean   `json:"body"`
	Key        privacy.Clean   `json:"key"`
	Tags       []privacy.Clean `json:"tags"`
	State      privacy.Clean   `json:"state"` // active | archived | superseded
	Confidence float64         `json:"confidence"`
	Created    int64           `json:"created"` // unix ms
	Updated    int64           `json:"updated"`
}

// Raw is the same as it was received: untrusted text that has passed no gate here.
type Raw struct {
	Form       string   `json:"form"`
	Kind       string   `json:"kind"`
	Title      string   `json:"title"`
	Body       string   `json:"body"`
	Key        string   `json:"key"`
	Tags       []string `json:"tags"`
	State      string   `json:"state"`
	Confidence float64  `json:"confidence"`
	Created    int64    `json:"created"`
	Updated    int64    `json:"updated"`
}

// Local is something on this machine that may be shared.
type Local struct {
	Ref     string // by which the place finds it again; "" = not stored
	Kind    privacy.Clean
	Content Content
}

// Incoming is a received item.
type Incoming struct {
	ID         store.TeamID
	Kind       string
	Author     privacy.Clean
	Machine    privacy.Clean
	Mine       bool   // from the same member, on another machine
	Ref        string // where it is already stored here; "" = nowhere
	Conflict   bool   // it lost to another version: store it as out of use
	ConflictOf store.TeamID
	Content    Raw
}

// Gone is an item that must be forgotten here.
type Gone struct {
	ID  store.TeamID
	Ref string    // "" = the place finds it by id alone
	At  time.Time // when it was forgotten: the same words written later are kept
}

// textual returns every part of a content that the egress gate checks, one per line.
func (c Content) textual() string {
	parts := []string{c.Title.String(), c.Body.String(), c.Key.String(), c.Kind.String()}
	for _, t := range c.Tags {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, "\n")
}

// said returns what versions are compared by. The time of writing does not count.
func (c Content) said() string {
	c.Updated = 0
	b, _ := json.Marshal(c) // strings and numbers always encode
	return string(b)
}

func (r Raw) said() string {
	r.Updated = 0
	b, _ := json.Marshal(r) // strings and numbers always encode
	return string(b)
}

// maxBody is the maximum size of an item: 64 KiB. A memory is a paragraph.
const maxBody = 64 << 10

var errTooLarge = errors.New("too_large")

func (c Content) encode() ([]byte, error) {
	b, err := json.Marshal(c)
	if err == nil && len(b) > maxBody {
		err = errTooLarge
	}
	return b, err
}

// decode parses a body, which anyone may have made by hand.
func decode(body []byte) (Raw, error) {
	var r Raw
	if len(body) > maxBody {
		return r, errTooLarge
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return r, errors.New("the body is not an item")
	}
	if r.Form != "decision" && r.Form != "learning" || strings.TrimSpace(r.Title) == "" || len(r.Tags) > maxTags {
		return r, errors.New("the body is not an item")
	}
	if r.State != "active" {
		r.State = "archived"
	}
	r.Confidence = min(max(r.Confidence, 0), 1)
	return r, nil
}

// maxTags limits the tags of a received item; ours have a handful.
const maxTags = 64

func newID() (store.TeamID, error) {
	id, err := uuid.NewV7()
	return store.TeamID(id), err
}

func idText(id store.TeamID) string {
	if id.IsZero() {
		return ""
	}
	return uuid.UUID(id).String()
}

func parseID(s string) store.TeamID {
	id, err := uuid.Parse(s)
	if err != nil {
		return store.TeamID{}
	}
	return store.TeamID(id)
}
