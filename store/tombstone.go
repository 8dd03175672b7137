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
	return s.mac("document", session.agent, session.native, string(d.Kind), d.Role, d.Tool, d.text())
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

// bury adds a tombstone.
func (s *txState) bury(mac string) error { return s.buryAt(mac, s.now) }

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
