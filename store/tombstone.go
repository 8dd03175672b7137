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

// ErrForgotten says that a text was forgotten before and is not kept again.
var ErrForgotten = errors.New("this was forgotten, and is not kept again")

// A tombstone is the keyed hash of something that was forgotten: it tells the
// same thing when it comes again (from an import, a transcript, a retry) and
// cannot tell what it was. It holds within one session, so that forgetting one
// "yes" does not refuse every other.

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

// buryAt is the same of something that was forgotten before. A later tombstone stays.
func (s *txState) buryAt(mac string, at int64) error {
	s.graves = true
	return s.exec(`INSERT INTO tombstones (mac, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)`, mac, at)
}

func (s *txState) loadGraves() error {
	_, err := s.get(&s.graves, `SELECT EXISTS (SELECT 1 FROM tombstones)`)
	return err
}

// buried returns [ErrForgotten] when something that happened at a time was
// forgotten after it. The same words said again are kept. Where nothing was
// ever forgotten, nothing is hashed.
func (s *txState) buried(at int64, mac func() string) error {
	if !s.graves {
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

// storedKey is the key of a database that was opened without one.
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
