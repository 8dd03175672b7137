package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/budget"
)

// readBody reads a whole request body. Small ones are read at once; a large
// one waits for one of few places, so that many of them cannot fill the memory.
func (d *Daemon) readBody(c echo.Context) ([]byte, error) {
	req := c.Request()
	if isHook(c) { // who sends a hook has given up by then; its place is for others
		_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(budget.Of(hookBody)))
	}
	if req.ContentLength > maxBody {
		return nil, d.tooLarge(req)
	}
	body := http.MaxBytesReader(c.Response(), req.Body, maxBody)
	head, err := io.ReadAll(io.LimitReader(body, smallBody))
	if err != nil || len(head) < smallBody {
		return head, d.bodyError(req, err)
	}
	release, err := d.largeBody(c)
	if err != nil {
		return nil, err
	}
	defer release()
	rest, err := io.ReadAll(body)
	return append(head, rest...), d.bodyError(req, err)
}

// largeBody waits for a place. A hook waits no longer than its agent can bear,
// and continues without one: it cannot be sent again.
func (d *Daemon) largeBody(c echo.Context) (release func(), err error) {
	ctx := c.Request().Context()
	hook := isHook(c)
	if hook {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, budget.Of(hookPatience))
		defer cancel()
	}
	select {
	case d.large <- struct{}{}:
		return func() { <-d.large }, nil
	case <-ctx.Done():
		if hook && c.Request().Context().Err() == nil {
			return func() {}, nil
		}
		return nil, failure(api.Busy, "too many large requests at once", "try again in a second")
	}
}

func isHook(c echo.Context) bool { return strings.HasPrefix(c.Path(), "/hooks/") }

func (d *Daemon) bodyError(req *http.Request, err error) error {
	var over *http.MaxBytesError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &over):
		return d.tooLarge(req)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return failure(api.Busy, "the body did not arrive in time", "try again")
	default:
		return failure(api.Invalid, "the body could not be read to its end", "")
	}
}

// tooLarge reads on without keeping anything: who sends a body to its end before it
// looks at the answer would find the connection closed, and no answer. Who asks
// first, as curl does, is told at once.
func (d *Daemon) tooLarge(req *http.Request) error {
	if d.count.refuseSize() == 0 {
		d.log.Warn("a request larger than 10 MiB was refused; status counts further ones", "path", req.URL.Path)
	}
	if asks := req.Header.Get("Expect") != "" && req.ContentLength > maxBody; !asks {
		_, _ = io.CopyN(io.Discard, req.Body, maxDrained) // the answer is the same, whatever comes
	}
	return failure(api.TooLarge, "the body is larger than 10 MiB", "nothing of it was stored")
}

// readJSON decodes the body into v, which must name every field: a misspelt
// field would lose what it carries.
func (d *Daemon) readJSON(c echo.Context, v any) error {
	data, err := d.readBody(c)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := dec.Decode(v); err != nil {
		d.count.refuse()
		if field := noTime(data); field != "" {
			return failure(api.Invalid, "field "+field+" must be a time like 2026-03-01T14:23:05Z", "docs/api.md")
		}
		return jsonError(err)
	}
	if dec.More() {
		d.count.refuse()
		return failure(api.Invalid, "the body holds more than one JSON value", "send one object per request")
	}
	return nil
}

// noTime names the field of ours that should hold a time and does not: the decoder
// does not say which it was.
func noTime(body []byte) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return ""
	}
	for _, name := range []string{"at", "since", "until", "updated"} {
		var at time.Time
		if value, ok := fields[name]; ok && json.Unmarshal(value, &at) != nil {
			return name
		}
	}
	return ""
}

// jsonError says what is wrong without repeating anything of the body but a
// field name of ours.
func jsonError(err error) error {
	var kind *json.UnmarshalTypeError
	sort := "value"
	if errors.As(err, &kind) {
		sort, _, _ = strings.Cut(kind.Value, " ") // "number 1e999" repeats the number
	}
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return failure(api.Invalid, "field "+kind.Field+" must be a "+kind.Type.String()+", not this "+sort, "docs/api.md")
	case errors.As(err, &kind):
		return failure(api.Invalid, "the body must be a JSON object, not a "+sort, "docs/api.md")
	case strings.Contains(err.Error(), "unknown field"):
		return failure(api.Invalid, "the body has a field that this endpoint does not know", "docs/api.md lists the fields")
	default:
		return failure(api.Invalid, "the body is not valid JSON", "docs/api.md")
	}
}
