package store

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jmoiron/sqlx"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// ErrKey means that this installation's key is not the one that the database was written with. With another key, it
// would not recognise what was forgotten.
var ErrKey = errors.New("hmac.key is not the key that this database was written with")

// keyCheck is the key in meta of the value that shows whether an HMAC key is the right one: a keyed hash of a constant,
// so it reveals nothing about the key.
const (
	keyCheck = "key_check"
	noteKey  = `INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING`
)

// maxKeyFile is more than enough for a file with one line.
const maxKeyFile = 4 << 10

func keyed(key []byte) *DB { return &DB{key: key} }

// checkKey refuses a key that does not match. A database without a check value gets one, unless its tombstones cannot
// be recognised with this key.
func (db *DB) checkKey(ctx context.Context) error {
	known, err := fits(ctx, db.write, db.key)
	if err != nil || known {
		return err
	}
	if db.unkeyed {
		return db.noteFirst(ctx)
	}
	// on a full disk, say: the next start writes it
	if _, err := db.write.ExecContext(ctx, noteKey, keyCheck, db.mac(keyCheck)); err != nil {
		db.log.Debug("the check value of the key is not stored yet", "error", err)
	}
	return nil
}

// noteFirst writes the check value into a new database without a sync: the first commit that is acknowledged makes it
// durable, too, and without one there is nothing to protect.
func (db *DB) noteFirst(ctx context.Context) error {
	if _, err := db.write.ExecContext(ctx, "PRAGMA synchronous = OFF"); err != nil {
		return err
	}
	_, err := db.write.ExecContext(ctx, noteKey, keyCheck, db.mac(keyCheck))
	_, perr := db.write.ExecContext(ctx, "PRAGMA synchronous = FULL")
	return errors.Join(err, perr)
}

// fits returns [ErrKey] if a key is not that of the database. If the database has nothing to compare with, known is
// false.
func fits(ctx context.Context, conn *sqlx.DB, key []byte) (known bool, err error) {
	var value string
	found, err := one(ctx, conn, &value, `SELECT value FROM meta WHERE key = ?`, keyCheck)
	switch {
	case err != nil:
		return false, err
	case found && value != keyed(key).mac(keyCheck):
		return true, ErrKey
	case found:
		return true, nil
	}
	var macs []string
	if err := conn.SelectContext(ctx, &macs, textGraves); err != nil {
		return false, err
	}
	if len(macs) > 0 && len(keyed(key).forgottenTexts(macs).texts) == 0 {
		return true, ErrKey
	}
	return false, nil
}

// FitsKey returns [ErrKey] if a database was written with another key. It changes nothing.
func FitsKey(ctx context.Context, path string, key []byte) error {
	return withFile(path, readBeside(path), func(conn *sqlx.DB) error {
		_, err := fits(ctx, conn, key)
		return err
	})
}

// readBeside returns the options for reading a file that another process may have open.
func readBeside(path string) string {
	how := "mode=ro&_pragma=busy_timeout(2000)&_pragma=query_only(1)"
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		how += "&immutable=1" // nobody writes it, and nothing may be created next to it
	} else if unindexed(path) {
		how += unlocked
	}
	return how
}

// unlocked makes SQLite keep the index of a log in memory. It must be the first pragma that reads the file.
const unlocked = "&vfs=unix-none&_pragma=locking_mode(exclusive)"

// unindexed reports whether the index of a log (its -shm file) is missing where SQLite cannot create it: in a copy on
// a read-only file system.
func unindexed(path string) bool {
	_, err := os.Stat(path + "-shm")
	return errors.Is(err, fs.ErrNotExist) && safefile.Writable(filepath.Dir(path)) != nil
}

// AcceptKey makes a key that of a database that no process has open. Nothing that was forgotten under the old key is
// recognised any more.
func AcceptKey(ctx context.Context, path string, key []byte) error {
	return withFile(path, "_pragma=busy_timeout(2000)", func(conn *sqlx.DB) error {
		_, err := conn.ExecContext(ctx,
			`INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
			keyCheck, keyed(key).mac(keyCheck))
		return err
	})
}

func withFile(path, query string, f func(*sqlx.DB) error) error {
	if err := safefile.Regular(path); err != nil { // SQLite would wait for a pipe forever
		return err
	}
	conn, err := sqlx.Open("sqlite", dsn(path, query))
	if err != nil {
		return err
	}
	if err := errors.Join(f(conn), conn.Close()); err != nil {
		return &FileError{path, translate(err)}
	}
	return nil
}

// KeyBeside returns the file that holds the key of a copy. It is removed together with the copy.
func KeyBeside(backup string) string { return strings.TrimSuffix(backup, backupSuffix) + keySuffix }

// keepKey writes the key next to a copy that is about to be made.
func (db *DB) keepKey(backup string) error {
	return atomicfile.Write(KeyBeside(backup), []byte(hex.EncodeToString(db.key)+"\n"), 0o600)
}

// KeyFor looks for the key of a database among the given files: copies of keys next to backups, and keys that were set
// aside.
func KeyFor(ctx context.Context, path string, candidates ...string) ([]byte, error) {
	for _, file := range candidates {
		// if one cannot be read, the next one may be readable
		if key, err := ReadKey(file); err == nil && FitsKey(ctx, path, key) == nil {
			return key, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", path, ErrKey)
}

// ReadKey reads the copy of a key.
func ReadKey(file string) ([]byte, error) {
	text, err := safefile.Read(file, maxKeyFile)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err == nil && len(key) == 0 {
		err = fmt.Errorf("%s is empty", file)
	}
	return key, err
}

// BackupKeys lists the copies of keys in a directory, newest first.
func BackupKeys(dir string) ([]string, error) {
	all, err := Backups(dir)
	var keys []string
	for _, b := range all {
		keys = append(keys, KeyBeside(b))
	}
	aside, gerr := safefile.Glob(filepath.Dir(dir), "hmac.key.replaced*")
	return append(keys, aside...), errors.Join(err, gerr)
}
