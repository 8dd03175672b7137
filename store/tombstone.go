package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
)

// ErrForgotten means that a text was forgotten before and is not stored again.
var ErrForgotten = errors.New("this was forgotten and is not stored again")

// A tombstone is the keyed hash of something forgotten: it recognises the same thing when it comes again (from an
// import, a transcript, a retry) but does not reveal what it was. It is valid within one session, so that forgetting
// one "yes" does not refuse every other.

func (s *txState) docTombstone(session sessionKey, d *docRow) string {
	return s.db.docTombstone(session, d)
}

func (db *DB) docTombstone(session sessionKey, d *docRow) string {
	return db.mac("document", session.agent, session.native, string(d.Kind), d.Role, d.Tool, d.text())
}

func (s *txState) sessionTombstone(session sessionKey) string {
	return s.mac("session", session.agent, session.native)
}

func (s *txState) mac(parts ...string) string { return s.db.mac(parts...) }

func (db *DB) mac(parts ...string) string {
	h := hmac.New(sha256.New, db.key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// ever is the time of what is refused whenever it happened.
const ever = 0

// bury adds a tombstone for something that happened at a time. It is not older than that, even if the clock was set
// back.
func (s *txState) bury(mac string, happened int64) error { return s.buryAt(mac, max(s.now, happened)) }

// buryAt does the same for something that was forgotten at an earlier time. A later tombstone stays.
func (s *txState) buryAt(mac string, at int64) error {
	s.anyForgotten = true
	return s.exec(`INSERT INTO tombstones (mac, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`, mac, at)
}

func (s *txState) loadGraves() error {
	_, err := s.get(&s.anyForgotten, `SELECT EXISTS (SELECT 1 FROM tombstones)`)
	return err
}

// buried returns [ErrForgotten] if something was forgotten after the time at which it happened. The same words said
// later are stored. If nothing was ever forgotten, nothing is hashed.
func (s *txState) buried(at int64, mac func() string) error {
	if !s.anyForgotten {
		return nil
	}
	var n int
	if _, err := s.get(&n, `SELECT count(*) FROM tombstones WHERE mac = ? AND at >= ?`, mac(), at); err != nil {
		return err
	}
	if n > 0 {
		return ErrForgotten
	}
	return nil
}

// keyOf returns the key of a session.
func (s *txState) keyOf(session int64) (sessionKey, error) {
	row := struct{ Agent, Native string }{}
	_, err := s.get(&row, `SELECT agent, native FROM sessions WHERE id = ?`, session)
	return sessionKey{row.Agent, row.Native}, err
}

// buryDoc adds the tombstones of a document: of its text as it is, and without the texts that were removed from all
// documents, as it would be stored if it came again.
func (s *txState) buryDoc(session sessionKey, d *docRow, at int64) error {
	if err := s.buryAt(s.docTombstone(session, d), at); err != nil {
		return err
	}
	rest := *d
	if changed, err := s.withoutForgotten(&rest); err != nil || !changed {
		return err
	}
	return s.buryAt(s.docTombstone(session, &rest), at)
}

// docBuried returns [ErrForgotten] for a document that was forgotten, and removes the texts that were removed from all
// documents. A document may have been forgotten before, between or after those.
func (s *txState) docBuried(session sessionKey, d *docRow) error {
	grave := func() string { return s.docTombstone(session, d) }
	if err := s.buried(d.At, grave); err != nil {
		return err
	}
	rest := *d
	if changed, err := s.withoutForgotten(&rest); err != nil || !changed {
		return err
	}
	texts, err := s.forgottenTexts()
	if err != nil {
		return err
	}
	for i := range texts.texts {
		if !d.without(ForgottenTexts{texts.db, texts.texts[i : i+1]}) {
			continue
		}
		if err := s.buried(d.At, grave); err != nil {
			return err
		}
	}
	*d = rest
	return s.buried(d.At, grave)
}

// storedKey returns the key stored in the database, for one that was opened without a key.
func storedKey(ctx context.Context, db *sqlx.DB) ([]byte, error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES ('key', ?) ON CONFLICT DO NOTHING`,
		hex.EncodeToString(fresh)); err != nil {
		return nil, err
	}
	var text string
	if err := db.GetContext(ctx, &text, `SELECT value FROM meta WHERE key = 'key'`); err != nil {
		return nil, err
	}
	return hex.DecodeString(strings.TrimSpace(text))
}
