package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/safefile"
)

// Glance is what can be read from a database without owning it.
type Glance struct {
	Schema, Known int                  // its schema, and the newest that this program knows
	Newest        time.Time            // time of the latest event; zero = none
	Agents        map[string]time.Time // agent → its latest event
}

// Look reads a database that another process may own, and changes nothing, not even an older schema. Its errors are
// those of [Open], and [fs.ErrNotExist].
func Look(ctx context.Context, path string) (Glance, error) {
	g, err := look(ctx, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return g, &FileError{path, translate(err)}
	}
	return g, err
}

func look(ctx context.Context, path string) (g Glance, err error) {
	if empty, err := beginsWell(path); err != nil || empty {
		return g, err
	}
	db, err := sqlx.Open("sqlite", dsn(path, readBeside(path)))
	if err != nil {
		return g, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, g.Known, err = allMigrations(); err != nil {
		return g, err
	}
	if g.Schema, err = schemaVersion(ctx, db); err != nil || g.Schema == 0 {
		return g, err
	}
	if g.Schema > g.Known {
		return g, fmt.Errorf("%w (its schema is %d, this mum knows %d)", ErrNewer, g.Schema, g.Known)
	}
	return g, g.readAgents(ctx, db)
}

func (g *Glance) readAgents(ctx context.Context, db *sqlx.DB) error {
	var rows []struct {
		Agent string
		Last  int64
	}
	if err := db.SelectContext(ctx, &rows, `SELECT agent, max(last) AS last FROM sessions GROUP BY agent`); err != nil {
		return err
	}
	g.Agents = make(map[string]time.Time, len(rows))
	for _, r := range rows {
		at := time.UnixMilli(r.Last).UTC()
		g.Agents[r.Agent] = at
		if at.After(g.Newest) {
			g.Newest = at
		}
	}
	return nil
}

// beginsWell checks the first bytes of a file that must exist, as [Open] does.
func beginsWell(path string) (empty bool, err error) {
	f, err := safefile.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return checkHead(f)
}

// checkHead tells a database from an empty file and from anything else by its first bytes.
func checkHead(f io.Reader) (empty bool, err error) {
	const magic = "SQLite format 3\x00"
	head := make([]byte, 72) // up to the application id
	switch n, err := io.ReadFull(f, head); {
	case err == io.EOF:
		return true, nil
	case string(head[:min(n, len(magic))]) != magic:
		return false, fmt.Errorf("%w: it is not a SQLite file", ErrCorrupt)
	case err != nil:
		return false, fmt.Errorf("%w: it is cut off after %d bytes", ErrCorrupt, n)
	}
	return false, nil
}
