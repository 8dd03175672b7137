package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/home"
	"keepmum/memory"
	"keepmum/store"
)

func newBackupCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "backup", Short: "Copy the database and the memory files now; the daemon does it daily", Args: cobra.NoArgs,
		Long: `Copy the database and the memory files, also those in repositories, into the backups
directory. The copy is opened and its entries are counted. Memory files pass the gate:
a key that was pasted into one is not copied. The newest copies are kept
(store.backups).`,
		Example: "  mum backup",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runBackup(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runBackup(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var b api.Backup
	if err := client.Post(ctx, "/backup", struct{}{}, &b); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(b)
	}
	a.printf("%s  %s, %s, checked\n", a.tilde(b.Path), plural(b.Documents, "entry", "entries"),
		sizeOf(b.Bytes))
	if b.MemoryFiles > 0 {
		a.printf("%s  %s, read back\n", a.tilde(b.Files), plural(b.MemoryFiles, "memory file", "memory files"))
	}
	a.printProblems(b.Left)
	return nil
}

func newRestoreCmd(a *app) *cobra.Command {
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use: "restore [BACKUP]", Short: "Replace the database with a backup", Args: cobra.MaximumNArgs(1),
		Long: `Replace the database with a backup (the newest, unless you name one), and the memory
files in the data directory with those of the backup. The daemon must be down. The
previous database is kept next to it under another name; if it was a new one that
replaced a lost one, the next start imports its entries. In a repository only missing
memory files are restored: files that differ are listed and stay as they are.`,
		Example: "  mum down && mum restore --yes && mum up",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !yes {
				return usage(errors.New("a restore hides everything newer than the backup; add --yes"))
			}
			return a.runRestore(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "really do it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// restored is the result of a restore.
type restored struct {
	Backup string          `json:"backup"`
	Aside  string          `json:"set_aside,omitempty"` // the previous database
	Files  memory.Restored `json:"memory_files"`
	// entries of the previous database that the next start takes in: it was in place of a lost one
	Carried int64 `json:"carried_over,omitempty"`
}

func (a *app) runRestore(ctx context.Context, args []string, asJSON bool) error {
	dir, err := a.home()
	if err != nil {
		return err
	}
	if err := a.roomFor(dir, args); err != nil {
		return err
	}
	release, err := alone(dir)
	if err != nil {
		return err
	}
	defer release()
	all, err := store.Backups(dir.Backups())
	if err != nil {
		return err
	}
	if all = append(args, all...); len(args) == 0 {
		a.sayNoBackups(dir)
	}
	if len(all) == 0 {
		return hinted(errors.New("there is no backup"), "mum backup")
	}
	if _, err := os.Stat(all[0]); err != nil {
		return hinted(fmt.Errorf("there is no backup %s: %w", a.tilde(all[0]), err), "ls "+a.tilde(dir.Backups()))
	}
	r, err := a.putBack(ctx, dir, all[0])
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(r)
	}
	a.printRestored(r)
	return nil
}

// roomFor makes the data directory for a backup that comes from elsewhere, as on a new machine.
func (a *app) roomFor(dir home.Dir, args []string) error {
	if exists(string(dir)) {
		return nil
	}
	if len(args) == 0 {
		return hinted(fmt.Errorf("there is no backup: %s does not exist", a.tilde(string(dir))), "mum restore BACKUP --yes")
	}
	if !exists(args[0]) {
		return fmt.Errorf("there is no backup %s", a.tilde(args[0]))
	}
	return os.MkdirAll(string(dir), 0o700)
}

// sayNoBackups names what has the name of a backup and is none, because the user may count on it.
func (a *app) sayNoBackups(dir home.Dir) {
	all, _ := store.NoBackups(dir.Backups())
	for _, path := range all {
		a.complain("warning", a.tilde(path)+" is not a regular file, so it is not a backup; it is skipped")
	}
}

// putBack stages everything in the backup next to the current files, and then renames it into place. If this process
// ends before the renames are done, the next start finishes them.
func (a *app) putBack(ctx context.Context, dir home.Dir, backup string) (restored, error) {
	r := restored{Backup: backup}
	journal := store.RestoreJournal(dir.Database())
	if err := finishEarlier(journal); err != nil {
		return r, fmt.Errorf("finish the restore before this one: %w", err)
	}
	docs, interim, err := store.Interim(ctx, dir.Database())
	if interim && err != nil {
		return r, hinted(fmt.Errorf("entries made since the database was lost cannot be kept: %w", err), "mum doctor")
	}
	r.Carried = docs
	database, err := store.Stage(ctx, backup, dir.Database())
	if err != nil {
		return r, hinted(err, "mum restore OTHER_BACKUP --yes")
	}
	moves, err := stageKey(ctx, dir, backup)
	if err != nil {
		return r, hinted(err, "mum restore OTHER_BACKUP --yes, or put the key of that time into "+a.tilde(dir.HMACKey()))
	}
	var trees []atomicfile.Move
	if file := store.Beside(backup); exists(file) { // there are none, or the backup is an older one
		if r.Files, trees, err = memory.StageBackup(file, string(dir)); err != nil {
			return r, hinted(err, "tar -tf "+a.tilde(file)+"; nothing was replaced")
		}
	}
	done, err := atomicfile.Together(journal, slices.Concat(moves, trees, database))
	if err != nil {
		return r, hinted(fmt.Errorf("put the backup in place: %w", err), "mum up   (it finishes the restore)")
	}
	r.Aside = done[len(done)-1].Aside
	r.Files.Kept(slices.DeleteFunc(done, func(m atomicfile.Move) bool {
		return !slices.ContainsFunc(trees, func(t atomicfile.Move) bool { return t.To == m.To })
	}))
	return r, nil
}

// finishEarlier finishes an interrupted restore. It sets a damaged journal aside: this restore brings everything that
// the earlier one would have brought.
func finishEarlier(journal string) error {
	_, err := atomicfile.Finish(journal)
	if errors.Is(err, atomicfile.ErrDamaged) {
		return os.Rename(journal, journal+".damaged")
	}
	return err
}

// stageKey stages the backup's key next to the current key, if the two differ.
func stageKey(ctx context.Context, dir home.Dir, backup string) ([]atomicfile.Move, error) {
	have, _ := home.TagKey(dir) // a damaged key fits no database
	if have != nil && store.FitsKey(ctx, backup, have) == nil {
		return nil, nil
	}
	key, err := store.KeyFor(ctx, backup, store.KeyBeside(backup))
	if err != nil {
		return nil, store.FitsKey(ctx, backup, have) // an older backup does not tell
	}
	fresh := dir.HMACKey() + ".restored"
	if err := atomicfile.Write(fresh, []byte(hex.EncodeToString(key)+"\n"), 0o600); err != nil {
		return nil, err
	}
	return []atomicfile.Move{{From: fresh, To: dir.HMACKey()}}, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func (a *app) printRestored(r restored) {
	a.printf("restored %s\n", a.tilde(r.Backup))
	if r.Aside != "" {
		a.printf("the previous version is kept as %s until you remove it, or forget something in it\n", a.tilde(r.Aside))
	}
	if r.Carried > 0 {
		a.printf("it has %s made after the database was lost; the next start (mum up) imports them\n",
			plural(r.Carried, "entry", "entries"))
	}
	if r.Files.Files > 0 {
		a.printf("put back %s\n", plural(r.Files.Files, "memory file", "memory files"))
	}
	for _, dir := range r.Files.Aside {
		a.printf("the previous version is kept as %s\n", a.tilde(dir))
	}
	for _, f := range r.Files.Left {
		a.printf("not changed: %s\n", a.tilde(f))
	}
}
