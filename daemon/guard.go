package daemon

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/safefile"
	"keepmum/store"
	"keepmum/team"
)

const (
	maxBody        = 10 << 20 // bytes of one request
	maxInFlight    = 256      // requests in flight, except hooks
	maxDrained     = 64 << 20 // bytes of a rejected request that are read and dropped
	maxLargeBodies = 4        // bodies over smallBody in memory at once
	smallBody      = 256 << 10
	hookBody       = 2 * time.Second        // time limit for a hook's body to arrive
	hookPatience   = 250 * time.Millisecond // how long a busy daemon keeps a hook waiting before it spools the event
)

func failure(code api.Code, message, hint string) *api.Error {
	return &api.Error{Code: code, Message: message, Hint: hint}
}

// guardHost rejects host names other than this machine's: a web page whose DNS name was rebound to 127.0.0.1 still
// sends its own name.
func (d *Daemon) guardHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		host := c.Request().Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.Trim(host, "[]")
		ip := net.ParseIP(host)
		ours := host == "localhost" || host == "mum" || ip != nil && ip.IsLoopback() || host == d.o.Config.Daemon.Host
		if !ours {
			return failure(api.Forbidden, "the Host header is not a name of this machine", "use 127.0.0.1 or localhost")
		}
		return next(c)
	}
}

// guardOrigin rejects requests that a browser sends for a web page.
func guardOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Request().Header
		if isPage(c.Request().URL.Path) { // the page has its own, stricter checks
			return next(c)
		}
		if h.Get("Origin") != "" || h.Get("Sec-Fetch-Site") == "cross-site" {
			return failure(api.Forbidden, "requests from web pages are refused", "")
		}
		return next(c)
	}
}

// withToken says how to send the token. It names no path of this daemon: every user of the machine reaches the port.
const withToken = `curl -H "@${MUM_HOME:-$HOME/.mum}/curl.header" …`

func (d *Daemon) guardToken(next echo.HandlerFunc) echo.HandlerFunc {
	want := []byte("Bearer " + d.token)
	return func(c echo.Context) error {
		got := []byte(c.Request().Header.Get("Authorization"))
		if subtle.ConstantTimeCompare(got, want) != 1 {
			return failure(api.Unauthorized, "the token is missing or wrong", withToken)
		}
		return next(c)
	}
}

// guardLoad limits concurrent requests. Hooks do not count, because an accepted hook cannot be sent again.
func (d *Daemon) guardLoad(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		select {
		case d.slots <- struct{}{}:
			defer func() { <-d.slots }()
			return next(c)
		default:
			c.Response().Header().Set("Retry-After", "1")
			return failure(api.Busy, "too many requests at once", "try again in a second")
		}
	}
}

func guardJSON(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		kind, _, _ := strings.Cut(c.Request().Header.Get("Content-Type"), ";")
		if c.Request().Method == http.MethodPost && strings.TrimSpace(kind) != "application/json" {
			return failure(api.Invalid, "the body must be JSON", "send it with Content-Type: application/json")
		}
		return next(c)
	}
}

// answerError is the only place where an error becomes a response.
func (d *Daemon) answerError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	e := d.wireError(err)
	if e.Code == api.Internal {
		d.log.Error("request failed", "route", c.Path(), "error", err)
	}
	if err := c.JSON(e.Code.Status(), api.ErrorBody{Error: e}); err != nil {
		d.log.Debug("answer not sent", "route", c.Path(), "error", err)
	}
}

// unknownFailure is the message for an error whose details are only in the log.
const unknownFailure = "something went wrong inside the daemon"

func (d *Daemon) wireError(err error) *api.Error {
	var e *api.Error
	var same *store.SameNameError
	var shared *team.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &shared):
		return failure(api.Conflict, shared.What, shared.Hint)
	case errors.Is(err, store.ErrFull), errors.Is(err, syscall.ENOSPC):
		return failure(api.Unavailable, "the disk is full: nothing was stored",
			"free some space; keepmum then continues automatically")
	case errors.Is(err, context.DeadlineExceeded):
		return failure(api.Unavailable, "the daemon did not finish in time", "send it again: a key is stored only once")
	case errors.Is(err, store.ErrReadOnly):
		return failure(api.Unavailable,
			"the database cannot be written to: "+d.whyReadOnly()+"; nothing was stored", "mum doctor")
	case errors.Is(err, store.ErrCorrupt):
		return failure(api.Internal, api.DatabaseDamaged, api.DamagedNext)
	case errors.Is(err, store.ErrClosed):
		return failure(api.Unavailable, "the daemon is stopping", "mum up")
	case errors.Is(err, store.ErrNoProject):
		return failure(api.NotFound, store.ErrNoProject.Error(), "mum project list")
	case errors.As(err, &same):
		return failure(api.Invalid, sameName(same.Projects),
			fmt.Sprintf("use the number: --project %d", same.Projects[0].ID))
	case errors.Is(err, store.ErrNotFound):
		return failure(api.NotFound, "there is no entry with that id", "mum search finds ids")
	case errors.Is(err, store.ErrMoved), d.moved():
		return failure(api.Unavailable,
			"the database was moved or replaced while the daemon ran: mum restart; nothing is stored", "mum restart")
	default:
		return cmp.Or(routeError(err), d.fileError(err))
	}
}

// whyReadOnly returns what keeps the database from being written.
func (d *Daemon) whyReadOnly() string {
	switch err := safefile.Writable(string(d.o.Home)); {
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only"
	case err != nil:
		return "you may not write in its directory"
	}
	return "its file or its header is read-only"
}

// routeError converts an error of the router, nil for any other error.
func routeError(err error) *api.Error {
	var h *echo.HTTPError
	switch {
	case errors.As(err, &h) && h.Code == http.StatusNotFound:
		return failure(api.NotFound, "there is no such endpoint", "docs/api.md lists them")
	case errors.As(err, &h) && h.Code == http.StatusMethodNotAllowed:
		return failure(api.Invalid, "this endpoint does not answer that method", "docs/api.md lists them")
	}
	return nil
}

// fileError converts an error of the file system by its kind; all details go only to the log.
func (d *Daemon) fileError(err error) *api.Error {
	var at *fs.PathError
	refused := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR)
	if refused && errors.As(err, &at) {
		return failure(
			api.Unavailable,
			d.loggable(fmt.Errorf("%s cannot be written to or read: %w", at.Path, at.Err)),
			"mum doctor",
		)
	}
	return failure(api.Internal, unknownFailure, "mum logs")
}

// moved reports whether the database has been moved away, which alone explains an error.
func (d *Daemon) moved() bool {
	return d.db != nil && errors.Is(d.db.Health(context.Background()), store.ErrMoved)
}

// sameName distinguishes projects with the same name by their directories.
func sameName(rows []store.ProjectRow) string {
	each := make([]string, len(rows))
	for i, r := range rows {
		each[i] = fmt.Sprintf("%d (only its name is known)", r.ID)
		for _, a := range r.Aliases {
			if a.Kind == store.AliasDir {
				each[i] = fmt.Sprintf("%d (%s)", r.ID, a.Value)
				break
			}
		}
	}
	return fmt.Sprintf("%d projects have that name: %s", len(rows), strings.Join(each, ", "))
}
