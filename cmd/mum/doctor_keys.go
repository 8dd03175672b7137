package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/capture"
	"keepmum/home"
	"keepmum/privacy/verdict"
	"keepmum/safefile"
	"keepmum/store"
)

// repairSecrets fixes the token and the key, which everything else needs, before the other checks run.
func repairSecrets(ctx context.Context, dir home.Dir) (done []finding) {
	for _, f := range []finding{checkToken(dir), checkKey(ctx, dir)} {
		if f.State != stateOK && f.repair != nil {
			done = append(done, repaired(f))
		}
	}
	return done
}

// checkToken checks whether the token is valid: without it the daemon refuses every client.
func checkToken(dir home.Dir) finding {
	f := finding{Check: "token", State: stateOK, Detail: "readable"}
	err := errors.Join(home.CheckToken(dir), safefile.OwnFile(dir.Token()))
	if err == nil && !exists(dir.Token()) && owned(dir) {
		err = fmt.Errorf("it is missing: %w", home.ErrDamaged)
	}
	if err == nil {
		return f
	}
	var foreign *safefile.Foreign
	if errors.As(err, &foreign) || errors.Is(err, fs.ErrPermission) || errors.Is(err, safefile.ErrNotRegular) {
		f.Detail = "it cannot be: see files" // checkForeign names it
		return f
	}
	f.State, f.Detail, f.Fix = stateProblem,
		fmt.Sprintf("%s is damaged: %v; events wait in the spool", dir.Token(), err), "mum doctor --fix"
	if errors.Is(err, home.ErrDamaged) {
		f.repair = func() error { return home.RestoreToken(dir) }
	}
	return f
}

// checkVerdicts checks whether the user's verdicts can be read: if not, nothing is known to be public, and the gate
// withholds every text. --fix leaves the file alone, because it may be the only record of a value that is a secret.
func checkVerdicts(ctx context.Context, dir home.Dir) (f finding, bad bool) {
	tag, err := home.TagKey(dir)
	if err != nil {
		return finding{}, false // checkKey reports it
	}
	if err = verdict.Open(dir.Verdicts(), tag).Refresh(); err == nil {
		return finding{}, false
	}
	fix := fmt.Sprintf("mv '%s' '%s.old'; then say again: mum redact --is-a-secret -", dir.Verdicts(), dir.Verdicts())
	switch key := checkKey(ctx, dir); {
	case errors.Is(err, fs.ErrPermission):
		fix = fmt.Sprintf("chmod u+rw '%s'", dir.Verdicts())
	case key.State != stateOK:
		fix = "first the key: " + key.Fix
	case errors.Is(err, verdict.ErrOtherKey) && store.FitsKey(ctx, dir.Database(), tag) == nil:
		fix = "mum redact --verdicts --remove ID; for all verdicts: " + fix
	case errors.Is(err, verdict.ErrOtherKey):
		fix = fmt.Sprintf("put the previous key in %s; only if it is lost for good: %s", dir.HMACKey(), fix)
	}
	return finding{Check: "verdicts", State: stateProblem, Detail: api.VerdictsUnread + ": " + err.Error(), Fix: fix}, true
}

// checkPrivate checks whether the list of private sessions and its reserve can be read: if not, nothing is captured.
// --fix leaves the files alone: without them, sessions that were declared private are captured again.
func checkPrivate(dir home.Dir) (f finding, bad bool) {
	path, err := capture.CheckPrivate(string(dir))
	if err == nil {
		return finding{}, false
	}
	which := "that is to stay private"
	if path != dir.Private() {
		which = "that was declared private on a full disk (the others are in private.json, which stays)"
	}
	fix := fmt.Sprintf("mv '%s' '%s.old'; then start a prompt with #private in each session %s", path, path, which)
	if errors.Is(err, fs.ErrPermission) {
		fix = fmt.Sprintf("chmod u+rw '%s'", path)
	}
	return finding{Check: "private", State: stateProblem, Detail: api.PrivateUnread + ": " + err.Error(), Fix: fix}, true
}

// checkKey checks whether the key belongs to the database.
func checkKey(ctx context.Context, dir home.Dir) finding {
	f := finding{Check: "key", State: stateOK, Detail: "belongs to the database"}
	key, err := home.TagKey(dir)
	switch {
	case err == nil && key == nil && !exists(dir.Database()):
		f.Detail = "not made yet"
		return f
	case err == nil:
		err = store.FitsKey(ctx, dir.Database(), key)
	}
	if !errors.Is(err, store.ErrKey) && !errors.Is(err, home.ErrDamaged) {
		return f // another check reports what else is wrong with the database
	}
	f.State = stateProblem
	f.Detail = err.Error() +
		": forgotten items would no longer be recognised, so no daemon starts; events wait in the spool"
	f.Fix = "put the previous key in " + dir.HMACKey() + "; if it is lost for good: mum doctor --new-key"
	if key, err := rightKey(ctx, dir); err == nil {
		f.Fix = "mum doctor --fix   (restores the key from a backup)"
		f.repair = func() error { return putKey(dir, key) }
	}
	return f
}

// rightKey searches the saved keys for the one of the database.
func rightKey(ctx context.Context, dir home.Dir) ([]byte, error) {
	kept, err := store.BackupKeys(dir.Backups())
	if err != nil {
		return nil, err
	}
	return store.KeyFor(ctx, dir.Database(), kept...)
}

// putKey replaces the current key, and sets the old one aside.
func putKey(dir home.Dir, key []byte) error {
	fresh := dir.HMACKey() + ".restored"
	if err := atomicfile.Write(fresh, []byte(hex.EncodeToString(key)+"\n"), 0o600); err != nil {
		return err
	}
	_, err := atomicfile.Together(dir.HMACKey()+".restoring", []atomicfile.Move{{From: fresh, To: dir.HMACKey()}})
	return err
}

// runNewKey makes the current key, or a new one, the key of the database.
func (a *app) runNewKey(ctx context.Context) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	release, err := alone(dir)
	if err != nil {
		return err
	}
	defer release()
	if checkKey(ctx, dir).repair != nil {
		return hinted(errors.New("the key of the database is not lost: it is kept with a backup"),
			"mum doctor --fix   (restores it)")
	}
	if _, err := home.TagKey(dir); errors.Is(err, home.ErrDamaged) {
		if err := os.Rename(dir.HMACKey(), dir.HMACKey()+".damaged"); err != nil {
			return err
		}
	}
	keys, err := home.Prepare(dir)
	if err != nil {
		return err
	}
	if err := store.AcceptKey(ctx, dir.Database(), keys.HMAC); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	a.printf("the database now uses the key in %s; what was forgotten before is not recognised if it "+
		"comes again, nor are sessions that were declared private before\n", a.tilde(dir.HMACKey()))
	return nil
}

// checkRestore checks for an interrupted restore.
func checkRestore(dir home.Dir) (finding, bool) {
	journal := store.RestoreJournal(dir.Database())
	if !exists(journal) || owned(dir) {
		return finding{}, false
	}
	if err := atomicfile.Check(journal); errors.Is(err, atomicfile.ErrDamaged) {
		return finding{Check: "restore", State: stateProblem,
			Detail: "a restore was interrupted and cannot be finished: " + err.Error(), Fix: "mum restore --yes"}, true
	}
	return finding{Check: "restore", State: stateWarning,
		Detail: "a restore was interrupted; the next start of the daemon finishes it", Fix: "mum up"}, true
}
