package daemon

import (
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/capture"
	"keepmum/config"
	"keepmum/hooks"
)

func (d *Daemon) getPause(c echo.Context) error {
	until, paused := d.intake.Paused()
	return c.JSON(http.StatusOK, api.Paused{Paused: paused, Until: until})
}

func (d *Daemon) postPause(c echo.Context) error {
	var in api.Pause
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	until := time.Time{}
	if in.For != "" {
		var length config.Duration
		if err := length.UnmarshalText([]byte(in.For)); err != nil || length <= 0 {
			return failure(api.Invalid, "for must be a duration like 30m, 2h or 1d", "mum pause 30m")
		}
		until = d.o.Now().Add(time.Duration(length))
	}
	if err := capture.Pause(string(d.o.Home), until); err != nil {
		return err
	}
	return d.getPause(c)
}

func (d *Daemon) postResume(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	if err := capture.Resume(string(d.o.Home)); err != nil {
		return err
	}
	return d.getPause(c)
}

// postPrivate stops capture of a session, as a prompt that starts with #private does.
func (d *Daemon) postPrivate(c echo.Context) error {
	var in api.Private
	if err := d.exactly(c, &in); err != nil {
		return err
	}
	if err := firstError(need("session", in.Session), need("agent", in.Agent),
		checkIDs(in.Session, in.Agent)); err != nil {
		return err
	}
	if !slices.Contains(hooks.Agents(), in.Agent) {
		return failure(api.Invalid, "agent must be one of those that have hooks", "claude, codex, cursor, opencode")
	}
	if err := d.intake.MakePrivate(in.Agent, in.Session); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, api.Done{Status: statusOK})
}
