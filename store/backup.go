package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"keepmum/atomicfile"
	"keepmum/safefile"
	"keepmum/sorting"
)

// Backup describes a copy of the database.
type Backup struct {
	Path  string
	Bytes int64
	Docs  int64
}

const (
	backupPrefix = "memory-"
	backupSuffix = ".db"
	besideSuffix = ".files.tar"
	keySuffix    = ".key"
)

// Beside returns the file that holds what belongs to a copy. It is removed together with the copy.
func Beside(backup string) string { return strings.TrimSuffix(backup, backupSuffix) + besideSuffix }

// Backup writes a copy into a directory, opens it, counts its documents and keeps the newest copies (keep < 1 = all).
// Writes continue meanwhile. A copy gets its final name only when it is complete; the next backup removes one that was
// interrupted.
func (db *DB) Backup(ctx context.Context, dir string, keep int) (Backup, error) {
	if err := errors.Join(db.inPlace(), os.MkdirAll(dir, 0o700)); err != nil {
		return Backup{}, fmt.Errorf("backup: %w", err)
	}
	if err := removeParts(dir); err != nil {
		return Backup{}, fmt.Errorf("backup: %w", err)
	}
	path, err := nextBackup(dir, db.now())
	if err != nil {
		return Backup{}, fmt.Errorf("backup: %w", err)
	}
	b, part := Backup{Path: path}, path+".part"
	if err := db.copyTo(ctx, part); err != nil {
		return Backup{}, errors.Join(fmt.Errorf("backup to %s: %w", part, translate(err)), os.RemoveAll(part))
	}
	if b.Docs, err = VerifyBackup(ctx, part); err != nil {
		return Backup{}, errors.Join(fmt.Errorf("the copy is damaged: %w", err), os.RemoveAll(part))
	}
	if err := errors.Join(db.keepKey(b.Path), os.Rename(part, b.Path)); err != nil {
		return Backup{}, fmt.Errorf("backup: %w", err)
	}
	st, err := os.Stat(b.Path)
	if err != nil {
		return Backup{}, fmt.Errorf("backup: %w", err)
	}
	b.Bytes = st.Size()
	if lost, err := db.Emptied(ctx, dir); err != nil || lost.Copy != "" {
		return b, err // the older ones are all that is left of the previous database
	}
	return b, rotate(dir, keep)
}

// copyTo makes a compact copy. It creates the file first, so that it is private from its first byte.
func (db *DB) copyTo(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	// Not over a reader's connection: those are query_only.
	conn, err := sqlx.Open("sqlite", dsn(db.path, "mode=rw&_pragma=busy_timeout(5000)"))
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `VACUUM INTO ?`, path)
	return errors.Join(err, conn.Close(), syncFile(path))
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// VerifyBackup opens a copy read-only, checks its pages, and compares the number of its documents with its index.
func VerifyBackup(ctx context.Context, path string) (docs int64, err error) {
	if err := safefile.Regular(path); err != nil { // SQLite would wait for a pipe forever
		return 0, err
	}
	conn, err := sqlx.Open("sqlite", dsn(path, "mode=ro&immutable=1&_pragma=query_only(1)"))
	if err != nil {
		return 0, &FileError{path, err}
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	var state string
	var app, indexed int64
	for dest, query := range map[any]string{&app: "PRAGMA application_id", &state: "PRAGMA quick_check(1)"} {
		if err := conn.GetContext(ctx, dest, query); err != nil {
			return 0, &FileError{path, translate(err)}
		}
	}
	switch {
	case app != applicationID:
		return 0, &FileError{path, ErrForeign}
	case state != "ok":
		return 0, &FileError{path, fmt.Errorf("%w: %s", ErrCorrupt, state)}
	}
	// A copy that is opened folds in what is above the mark, and continues a rebuild.
	const counts = `SELECT (SELECT count(*) FROM docs), (SELECT count(*) FROM docs_indexed), (SELECT count(*) FROM docs
		WHERE id <= coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'indexed'), id)
		AND (id <= ? OR id > ?))`
	progress, err := loadRebuild(ctx, conn)
	if err != nil {
		return 0, &FileError{path, translate(err)}
	}
	var due int64 // documents that must have an index entry
	if err := conn.QueryRowxContext(ctx, counts, progress.Done, progress.Top).Scan(&docs, &indexed, &due); err != nil {
		return 0, &FileError{path, translate(err)}
	}
	if due != indexed {
		return 0, &FileError{path, fmt.Errorf("%w: %d documents, %d in the index", ErrCorrupt, due, indexed)}
	}
	return docs, nil
}

// Backups lists the copies in a directory, newest first. It sorts by the number in the name, not the date: a clock that
// was wrong once must not make an old copy the newest. What [NoBackups] returns is left out.
func Backups(dir string) ([]string, error) {
	names, err := namedBackups(dir)
	return slices.DeleteFunc(names, notRegular), err
}

// NoBackups lists what has the name of a copy and cannot be one: a pipe or a directory, for example.
func NoBackups(dir string) ([]string, error) {
	names, err := namedBackups(dir)
	return slices.DeleteFunc(names, func(path string) bool { return !notRegular(path) }), err
}

// notRegular reports whether a path is known to be no regular file. One that cannot be looked at may be one.
func notRegular(path string) bool { return errors.Is(safefile.Regular(path), safefile.ErrNotRegular) }

// namedBackups lists everything that has the name of a copy, in the order of [Backups].
func namedBackups(dir string) ([]string, error) {
	names, err := safefile.Glob(dir, backupPrefix+"*"+backupSuffix)
	sorting.Stable(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(backupNumber(b), backupNumber(a)), cmp.Compare(b, a))
	})
	return names, err
}

// nextBackup returns the name for a new copy, such as memory-000007-20260301-120000.db.
func nextBackup(dir string, now time.Time) (string, error) {
	all, err := namedBackups(dir)
	if err != nil {
		return "", err
	}
	number := 1
	if len(all) > 0 {
		number += backupNumber(all[0])
	}
	return filepath.Join(dir,
		fmt.Sprintf("%s%06d-%s%s", backupPrefix, number, now.UTC().Format("20060102-150405"), backupSuffix)), nil
}

// backupNumber returns the number in the name of a copy. Copies of older versions have no number and sort before all
// others.
func backupNumber(path string) int {
	parts := strings.Split(filepath.Base(path), "-")
	if len(parts) != 4 {
		return 0
	}
	n, _ := strconv.Atoi(parts[1]) // so do names that a user gave
	return n
}

func rotate(dir string, keep int) error {
	all, err := Backups(dir)
	if err != nil || keep < 1 {
		return err
	}
	for _, old := range all[min(keep, len(all)):] {
		if err := errors.Join(os.Remove(old), removeIfThere(Beside(old)), removeIfThere(KeyBeside(old))); err != nil {
			return fmt.Errorf("remove an old backup: %w", err)
		}
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func removeParts(dir string) error {
	parts, err := safefile.Glob(dir, backupPrefix+"*.part*")
	for _, p := range parts {
		err = errors.Join(err, os.Remove(p))
	}
	return err
}

// Restore replaces a database that no process has open with a copy. It keeps the old database next to it and returns
// its new name ("" when there was none).
func Restore(ctx context.Context, backup, path string) (aside string, err error) {
	moves, err := Stage(ctx, backup, path)
	if err != nil {
		return "", err
	}
	if moves, err = atomicfile.Together(RestoreJournal(path), moves); err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	return moves[len(moves)-1].Aside, nil
}

// RestoreJournal is the file that records how far a restore has come. The next start finishes one that was interrupted.
func RestoreJournal(path string) string { return path + ".restoring" }

// Stage verifies a backup, copies it next to the database, and returns the renames that put it in place. The old
// database's log and the number of its latest entry move with it, because they belong to that database alone.
func Stage(ctx context.Context, backup, path string) ([]atomicfile.Move, error) {
	if _, err := VerifyBackup(ctx, backup); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	fresh := path + ".restored"
	if err := copyFile(backup, fresh); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	return []atomicfile.Move{{To: path + "-wal"}, {To: path + "-shm"}, {To: markPath(path)}, {From: fresh, To: path}}, nil
}

func copyFile(from, to string) error {
	data, err := safefile.Open(from)
	if err != nil {
		return err
	}
	defer data.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.ReadFrom(data)
	return errors.Join(err, out.Sync(), out.Close())
}

// RemoveBackups deletes everything with the name of a copy in a directory except one ("" = none is kept), because
// forgotten text must not survive there. It returns how many it deleted.
func RemoveBackups(dir, except string) (n int, err error) {
	all, err := namedBackups(dir)
	for _, b := range all {
		if b == except {
			continue
		}
		if rerr := os.Remove(b); rerr != nil {
			err = errors.Join(err, rerr)
			continue
		}
		n++
	}
	for _, suffix := range []string{besideSuffix, keySuffix} {
		beside, gerr := safefile.Glob(dir, backupPrefix+"*"+suffix)
		err = errors.Join(err, gerr)
		for _, b := range beside {
			if except == "" || b != Beside(except) && b != KeyBeside(except) {
				err = errors.Join(err, os.Remove(b))
			}
		}
	}
	return n, errors.Join(err, removeParts(dir))
}

// Searched is what a search in files found.
type Searched struct {
	Found  []string // files that contain one of the texts,
	Unread []string // files and directories that could not be read, so they may contain one
	Files  int      // number of files read completely
}

// FindBytes looks for texts in every byte of the files under a directory. It proves that something is gone. It reads in
// chunks.
func FindBytes(dir string, texts ...string) (Searched, error) {
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	return walk(dir, func(path string, e fs.DirEntry, out *Searched) error {
		if !e.Type().IsRegular() {
			return nil
		}
		hit, err := holds(path, texts, longest)
		if err == nil {
			out.Files++
		}
		if hit {
			out.Found = append(out.Found, path)
		}
		return err
	})
}

// FindNames looks for texts in the names of the files and directories under a directory.
func FindNames(dir string, texts ...string) (Searched, error) {
	return walk(dir, func(path string, e fs.DirEntry, out *Searched) error {
		named := func(text string) bool { return text != "" && strings.Contains(e.Name(), text) }
		if path != dir && slices.ContainsFunc(texts, named) {
			out.Found = append(out.Found, path)
		}
		return nil
	})
}

// walk calls f for a directory and all that is in it. What cannot be read does not end it.
func walk(dir string, f func(path string, e fs.DirEntry, out *Searched) error) (out Searched, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil {
			err = f(path, e, &out)
		}
		switch {
		case err == nil || errors.Is(err, fs.ErrNotExist) && path != dir: // removed meanwhile
		case path == dir:
			return err
		default:
			out.Unread = append(out.Unread, path)
		}
		return nil
	})
	return out, err
}

func holds(path string, texts []string, longest int) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20+longest)
	kept := 0
	for {
		n, err := f.Read(buf[kept:])
		window := string(buf[:kept+n])
		for _, t := range texts {
			if t != "" && strings.Contains(window, t) {
				return true, nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		}
		kept = copy(buf, window[max(0, len(window)-longest):])
	}
}
