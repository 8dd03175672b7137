package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/budget"
	"keepmum/capture"
	"keepmum/hooks"
)

// eventHeader carries the id of a delivery. Its sender spools the event if it gets no answer.
const eventHeader = "X-Mum-Event"

// postHook accepts an agent's raw payload. Once the body is read, the event is stored or spooled, because the script
// that sent it cannot send it again.
func (d *Daemon) postHook(c echo.Context) error {
	agent := c.Param("agent")
	if !slices.Contains(hooks.Agents(), agent) {
		return failure(api.NotFound, "there is no agent with that name", "claude, codex, cursor, opencode")
	}
	body, err := d.readBody(c)
	if err != nil {
		return d.lose(c, err)
	}
	events, err := hooks.Decode(agent, body)
	if err != nil {
		d.count.refuse()
		return failure(api.Invalid, err.Error(), "mum doctor") // which quotes nothing
	}
	key := c.Request().Header.Get(eventHeader)
	if key == "" || len(key) > maxID {
		key = rand.Text()
	}
	var answer []byte
	for i, e := range events {
		if err := checkIDs(e.Session, e.Tool); err != nil {
			d.count.refuse()
			return err
		}
		if answer, err = d.hookEvent(c.Request().Context(),
			capture.Incoming{Event: e, Key: capture.Delivery(key, i)}); err != nil {
			return d.lose(c, err)
		}
	}
	if len(answer) == 0 {
		return c.NoContent(http.StatusOK)
	}
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, answer)
}

// lose counts an event that is lost, unless its sender holds a copy or it is counted as too large.
func (d *Daemon) lose(c echo.Context, cause error) error {
	var e *api.Error
	if c.Request().Header.Get(eventHeader) != "" || errors.As(cause, &e) && e.Code == api.TooLarge {
		return cause
	}
	return errors.Join(cause, d.spool.Drop())
}

// errTurn means that earlier events of a session have not been stored yet.
var errTurn = errors.New("earlier events of the session are waiting in the spool")

// hookEvent stores one event and returns what the agent is told. If the store is too busy, stopping or failing, or
// earlier events of the session are still in the spool, the event is spooled under the key by which the store would
// recognise it, because the hook cannot send it again.
func (d *Daemon) hookEvent(ctx context.Context, in capture.Incoming) ([]byte, error) {
	ctx = context.WithoutCancel(ctx) // the event is stored even if the hook disconnects
	soon, cancel := context.WithTimeout(ctx, budget.Of(hookPatience))
	defer cancel()
	if !d.awaitTurn(soon, in.Event) {
		return nil, d.putOff(in, errTurn)
	}
	out, err := d.ingest(soon, in)
	if err != nil {
		return nil, d.putOff(in, err)
	}
	if out.status == statusSkipped {
		return nil, nil
	}
	out.until = in.Event.Until
	switch {
	case hooks.AnswersTool(in.Event.Agent, in.Event):
		return hooks.Reply(in.Event.Agent, in.Event, d.toldOfTool(ctx, out)), nil
	case in.Event.Kind != hooks.SessionStart && in.Event.Kind != hooks.Prompt:
		return nil, nil
	}
	return hooks.Reply(in.Event.Agent, in.Event, d.withLine(in.Event, d.recallFor(ctx, out))), nil
}

// withLine adds to the start of a session that the agent may save memories. It adds nothing for a repository that wants
// no context.
func (d *Daemon) withLine(e hooks.Event, r recalled) string {
	if e.Kind != hooks.SessionStart || !d.o.Config.Remember.ByAgent || r.reason == "disabled" {
		return r.text
	}
	d.count.remind()
	return strings.TrimPrefix(r.text+"\n"+hooks.RememberLine, "\n")
}

// putOff spools an event. If that fails too, as on a full disk, it returns why the store rejected the event.
func (d *Daemon) putOff(in capture.Incoming, cause error) error {
	e, why := d.intake.Take(in)
	if why != "" {
		return nil
	}
	if err := d.spool.Put(e, in.Key, e.At); err != nil {
		d.log.Error("an event was lost", "error", errors.Join(cause, err))
		return cause
	}
	return nil
}
