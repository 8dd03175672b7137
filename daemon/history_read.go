package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"keepmum/githistory"
	"keepmum/privacy"
	"keepmum/recall"
	"keepmum/store"
)

// history makes the stored commits match the repository. It compares lists, so it does not matter where an earlier
// reading stopped or whether the history was rewritten.
func (r *reading) history(ctx context.Context) error {
	db := r.d.db
	in, err := db.OpenRepository(ctx, r.of.Project.CommonDir, r.project)
	if err != nil {
		return err
	}
	state := tipsState(r.repo.Refs.Tips())
	if state == in.State {
		return nil
	}
	listed, broken := r.repo.List(ctx, maxCommits)
	known, err := db.KnownCommits(ctx, in)
	if err != nil {
		return err
	}
	if err := r.readNew(ctx, in,
		slices.DeleteFunc(slices.Clone(listed), func(h string) bool { _, ok := known[h]; return ok })); err != nil {
		return err
	}
	if broken != nil { // a commit that is not listed may still exist
		return fmt.Errorf("list the history: %w", broken)
	}
	for _, h := range listed {
		delete(known, h)
	}
	var gone []string
	for h, here := range known {
		if here {
			gone = append(gone, h)
		}
	}
	if err := db.DropCommits(ctx, in, gone); err != nil || r.postponed {
		return err // what was postponed is read after the next event here
	}
	return db.SetRepositoryState(ctx, in.ID, state)
}

// tipsState returns one value for the positions of all branches.
func tipsState(tips []string) string {
	sum := sha256.Sum256([]byte(strings.Join(tips, "\n")))
	return hex.EncodeToString(sum[:16])
}

// readNew reads commits, latest first, and stores them.
func (r *reading) readNew(ctx context.Context, in store.Repository, hashes []string) error {
	forgotten, err := r.d.db.ForgottenCommits(ctx, hashes)
	if err != nil {
		return err
	}
	hashes = slices.DeleteFunc(hashes, func(h string) bool { return forgotten[h] })
	for len(hashes) > 0 {
		if r.d.runs.busy(r.d.o.Now(), time.Duration(r.d.o.Config.Compress.Idle)) {
			return errBusy
		}
		some := hashes[:min(len(hashes), commitBatch)]
		hashes = hashes[len(some):]
		read, err := r.repo.Commits(ctx, some)
		if err != nil {
			return err
		}
		var clean []store.Commit
		for i := range read {
			was, err := r.private(ctx, &read[i])
			switch {
			case err != nil:
				return err
			case was == store.PrivateUnsure:
				r.postponed = true
				continue
			case was == store.Private:
				read[i].Message = ""
			}
			clean = append(clean, r.clean(&read[i]))
		}
		if _, err := r.d.db.PutCommits(ctx, in, clean); err != nil {
			return err
		}
	}
	return nil
}

// private reports whether a commit was made while a private session was active here.
func (r *reading) private(ctx context.Context, c *githistory.Commit) (store.PrivateTime, error) {
	written, err := r.d.db.PrivateAt(ctx, r.of.Project.CommonDir, c.Written)
	if err != nil || written == store.Private {
		return written, err
	}
	committed, err := r.d.db.PrivateAt(ctx, r.of.Project.CommonDir, c.Committed)
	return max(written, committed), err
}

// notePrivate records that a private session is active in a directory. If that fails, the hook still succeeds.
func (d *Daemon) notePrivate(ctx context.Context, dir string) {
	if dir == "" {
		return
	}
	common := d.intake.Project(dir).CommonDir
	if common.IsZero() {
		return
	}
	if err := d.db.NotePrivate(ctx, common); err != nil {
		d.log.Warn("an active private session could not be recorded", "error", err)
	}
}

// clean passes a commit through the gate.
func (r *reading) clean(c *githistory.Commit) store.Commit {
	gate := r.of.Gate
	out := store.Commit{At: c.Written, Skip: true}
	fields := map[string]string{"hash": c.Hash, "text": c.Message}
	if r.d.o.Config.Capture.GitAuthors {
		fields["author"] = c.Author
	}
	for i, f := range c.Files {
		fields[fmt.Sprint("file.", i)] = f
	}
	if !r.wanted(c) {
		fields = map[string]string{"hash": c.Hash}
	}
	got := gate.Event(privacy.Raw{Dir: r.root, Fields: fields})
	out.Hash = got.Fields["hash"]
	text := got.Fields["text"]
	if text.IsZero() {
		return out
	}
	out.Skip = false
	out.Identity = commitIdentity(gate, c.Message, c.Written, c.Files)
	out.Title, out.Body = subject(text)
	out.Author, out.Findings = got.Fields["author"], got.Findings
	for i := range c.Files {
		out.Files = append(out.Files, got.Fields[fmt.Sprint("file.", i)])
	}
	out.Instruction = recall.SpeaksToAModel(text.Cut(maxMessage).String())
	return out
}

// commitIdentity returns a hash of a commit that is the same before and after a rebase.
func commitIdentity(gate *privacy.Gate, message string, written time.Time, files []string) privacy.Clean {
	return gate.ID(append([]string{"commit", message, written.UTC().Format(time.RFC3339)}, files...)...)
}

// wanted reports whether to store a commit. It skips empty ones and those made while capture was paused.
func (r *reading) wanted(c *githistory.Commit) bool {
	if c.Message == "" || c.Merge && !strings.Contains(c.Message, "\n") {
		return false
	}
	return r.of.Second(c.Written) && r.of.Second(c.Committed)
}

// subject splits a message into its first line and the rest. If the first line is too long for a title, the rest
// contains it, too.
func subject(text privacy.Clean) (title, body privacy.Clean) {
	s := text.String()
	end := strings.IndexByte(s, '\n')
	if end < 0 {
		end = len(s)
	}
	if end > maxSubject {
		return text.Slice(0, end).Cut(maxSubject), text.Cut(maxMessage)
	}
	rest := strings.TrimLeft(s[end:], "\n")
	return text.Slice(0, end), text.Slice(len(s)-len(rest), len(s)).Cut(maxMessage)
}

// touched records which files are changed in the working tree and on its branch.
func (r *reading) touched(ctx context.Context) error {
	t, err := r.repo.Touched(ctx)
	if err != nil {
		return fmt.Errorf("read the working tree: %w", err)
	}
	fields := map[string]string{"branch": t.Branch}
	all := slices.Concat(t.Uncommitted, t.Committed)
	for i, f := range all {
		fields[fmt.Sprint("file.", i)] = f
	}
	got := r.of.Gate.Event(privacy.Raw{Dir: r.root, Fields: fields}).Fields
	out := store.TouchedTree{Root: r.of.Project.Root, Branch: got["branch"]}
	for i := range all {
		f := got[fmt.Sprint("file.", i)]
		if i < len(t.Uncommitted) {
			out.Uncommitted = append(out.Uncommitted, f)
		} else {
			out.Files = append(out.Files, f)
		}
	}
	return r.d.db.PutTouched(ctx, r.project, out)
}
