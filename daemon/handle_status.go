package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/privacy"
	"keepmum/store"
)

func (d *Daemon) getHealth(c echo.Context) error {
	return c.JSON(http.StatusOK, api.Health{OK: len(d.problems(c)) == 0, Version: d.o.Version})
}

// maxChallenge limits what a stranger can have signed.
const maxChallenge = 128

// getProof shows a client on the TCP port that this listener knows the token, before the client sends it.
func (d *Daemon) getProof(c echo.Context) error {
	challenge := c.QueryParam("challenge")
	at, tcp := c.Request().Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !tcp || challenge == "" || len(challenge) > maxChallenge {
		return failure(api.Invalid, "a proof is for a challenge on the TCP port", "GET /proof?challenge=TEXT")
	}
	return c.JSON(http.StatusOK, api.Proof{Proof: api.Prove(d.token, challenge, strconv.Itoa(at.Port))})
}

// problems lists what keeps the daemon from doing its work, in the user's words.
func (d *Daemon) problems(c echo.Context) []string {
	var out []string
	if d.o.readOnly {
		return []string{api.NotWritable}
	}
	if err := d.db.Health(c.Request().Context()); err != nil {
		out = append(out, d.unwritten(err))
	}
	if err := d.unsaved.Load(); err != nil {
		out = append(out, "the daily backup fails: "+d.told(*err))
	}
	if err := d.uncarried.Load(); err != nil {
		out = append(out, "what came before the last restore could not be taken in: "+d.told(*err)+
			"; mum import takes the file that the restore set aside")
	}
	if lost, err := d.db.Emptied(c.Request().Context(), d.o.Home.Backups()); err == nil && lost != (store.Lost{}) {
		problem, fix := api.WasEmptied(lost.Copy, lost.Entries)
		out = append(out, problem+": "+fix)
	}
	out = append(out, d.lost(c.Request().Context())...)
	if d.o.Config.Privacy.Mode == string(privacy.ModeNone) {
		out = append(out, "privacy.mode is none: secrets are stored unchanged")
	}
	if _, err := d.intake.Said(); err != nil { // the reason would be withheld too
		out = append(out, api.VerdictsUnread)
	}
	if _, err := capture.CheckPrivate(string(d.o.Home)); err != nil {
		out = append(out, api.PrivateUnread)
	}
	out = append(out, d.found()...)
	if err := d.spool.Usable(); err != nil {
		out = append(out, api.SpoolUnusable+": "+d.loggable(err))
	}
	if p := d.compressProblem(); p != "" {
		out = append(out, p)
	}
	return out
}

// unwritten says why nothing is stored. Of damage it says what the database knows of it: nothing is stored until the
// user acts.
func (d *Daemon) unwritten(err error) string {
	if errors.Is(err, store.ErrCorrupt) {
		return strings.ReplaceAll(d.loggable(err), "\n", "; ") + "; nothing is stored: " + api.DamagedNext
	}
	return "writing fails: " + d.told(err)
}

// lost returns which entries are gone since the user last settled it.
func (d *Daemon) lost(ctx context.Context) (out []string) {
	if n, err := d.db.LostLog(ctx); err == nil && n > 0 {
		out = append(out, fmt.Sprintf("%s: %d entries at least%s; mum doctor says what to do", api.LogDamaged, n,
			d.newestBackup()))
	}
	if b, err := d.db.SetBack(ctx); err == nil && b != (store.SetBack{}) {
		out = append(out, api.WasSetBack(b.Backup, b.Made, b.Gone, cmp.Or(b.Aside, "memory.db.replaced…"))+
			"; mum doctor says what to do")
	}
	return out
}

// found returns what the last check of the database found, and what helps.
func (d *Daemon) found() []string {
	switch found := d.inspected(); {
	case found == "" || found == "ok":
		return nil
	case found == indexRebuilding: // nobody needs to do anything
		return []string{found}
	case strings.HasPrefix(found, damagedIndex):
		return []string{"the database is " + found + "; mum doctor --fix rebuilds it"}
	default:
		return []string{"the database " + found +
			"; mum down && mum restore --yes restores the newest backup and keeps the current files next to it"}
	}
}

// told returns the API's message for an error, or the error's own message if there is none.
func (d *Daemon) told(err error) string {
	if e := d.wireError(err); e.Message != unknownFailure {
		return e.Message
	}
	return d.loggable(err)
}

// getStatus answers also if the database cannot be read, because it is then that the user asks.
func (d *Daemon) getStatus(c echo.Context) error {
	s := d.ownStatus()
	s.Problems = d.problems(c)
	switch err := d.addStored(c.Request().Context(), &s); {
	case store.IsFault(err):
		s.Unread = true
		if len(s.Problems) == 0 {
			s.Problems = []string{"reading fails: " + d.told(err)}
		}
	case err != nil:
		return err
	}
	s.OK = len(s.Problems) == 0
	return c.JSON(http.StatusOK, s)
}

// ownStatus returns what the daemon knows without its database.
func (d *Daemon) ownStatus() api.Status {
	lost, last := d.spool.Drops()
	withheld, lastWithheld := d.spool.Withheld()
	capture := d.count.capture()
	capture.Enabled = d.o.Config.Capture.Enabled
	capture.Until, capture.Paused = d.intake.Paused()
	return api.Status{
		Version: d.o.Version, PID: d.pid(), Instance: d.instance,
		Home: string(d.o.Home), Socket: d.endpoints.socket, Address: d.endpoints.address, Started: d.started.UTC(),
		Mode: d.o.Config.Privacy.Mode, Rules: privacy.RulesVersion(), Capture: capture,
		Compress: d.compressStatus(), Spool: d.spool.Len(), SpoolBad: d.spool.Bad(), Lost: lost, LastLost: last.UTC(),
		Withheld: withheld, LastWithheld: lastWithheld.UTC(), Integrity: d.inspected(),
	}
}

// addStored adds what the database says.
func (d *Daemon) addStored(ctx context.Context, s *api.Status) error {
	stats, err := d.db.Stats(ctx)
	if err != nil {
		return err
	}
	s.Queue, s.Egress, s.Asked = stats.Jobs, stats.Left, stats.Asked
	if limit := int64(d.o.Config.Store.MaxSize); limit > 0 && stats.Bytes > limit {
		s.Problems = append(s.Problems,
			"the database is larger than store.max_size; nothing is deleted: mum forget, or a larger limit")
	}
	if s.Sync, err = d.syncStatus(ctx); err != nil {
		return err
	}
	if s.Blocked, err = d.blocked(ctx); err != nil {
		return err
	}
	s.Team, err = d.teamGlance(ctx)
	return err
}

func (d *Daemon) getStats(c echo.Context) error {
	s, err := d.db.Totals(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.Stats{
		Projects: s.Projects, Sessions: s.Sessions, Prompts: s.Prompts, Answers: s.Answers, Observations: s.Observations,
		Summaries: s.Summaries, Memories: s.Memories, Commits: s.Commits, Redactions: s.Redactions, Bytes: s.Bytes,
		Hooks: d.count.hooks(),
	})
}

// pid returns the process of the daemon; 0 = none can run.
func (d *Daemon) pid() int {
	if d.o.readOnly {
		return 0
	}
	return os.Getpid()
}

// newestBackup names the newest backup, for a problem that it may help with.
func (d *Daemon) newestBackup() string {
	all, err := store.Backups(d.o.Home.Backups())
	if err != nil || len(all) == 0 {
		return ", and there is no backup"
	}
	return "; the newest backup is " + all[0]
}
