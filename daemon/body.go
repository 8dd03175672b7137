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

	"github.com/labstack/echo/v4"

	"keepmum/api"
)

// readBody reads a whole request body. Small ones are read at once; a large
// one waits for one of few places, so that many of them cannot fill the memory.
func (d *Daemon) readBody(c echo.Context) ([]byte, error) {
	req := c.Request()
	if req.ContentLength > maxBody {
		return nil, d.tooLarge()
	}
	body := http.MaxBytesReader(c.Response(), req.Body, maxBody)
	head, err := io.ReadAll(io.LimitReader(body, smallBody))
	if err != nil || len(head) < smallBody {
		return head, d.bodyError(err)
	}
	release, err := d.largeBody(req.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	rest, err := io.ReadAll(body)
	return append(head, rest...), d.bodyError(err)
}

func (d *Daemon) largeBody(ctx context.Context) (release func(), err error) {
	select {
	case d.large <- struct{}{}:
		return func() { <-d.large }, nil
	case <-ctx.Done():
		return nil, failure(api.Busy, "too many large requests at once", "try again in a second")
	}
}

func (d *Daemon) bodyError(err error) error {
	var over *http.MaxBytesError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &over):
		return d.tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return failure(api.Invalid, "the body did not arrive in time", "")
	default:
		return failure(api.Invalid, "the body could not be read to its end", "")
	}
}

func (d *Daemon) tooLarge() error {
	d.count.refuse()
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
		return jsonError(err)
	}
	if dec.More() {
		d.count.refuse()
		return failure(api.Invalid, "the body holds more than one JSON value", "send one object per request")
	}
	return nil
}

// jsonError says what is wrong without repeating anything of the body but a
// field name of ours.
func jsonError(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return failure(api.Invalid, "field "+kind.Field+" must be a "+kind.Type.String()+", not a "+kind.Value, "docs/api.md")
	case errors.As(err, &kind):
		return failure(api.Invalid, "the body must be a JSON object, not a "+kind.Value, "docs/api.md")
	case strings.Contains(err.Error(), "unknown field"):
		return failure(api.Invalid, "the body has a field that this endpoint does not know", "docs/api.md lists the fields")
	default:
		return failure(api.Invalid, "the body is not valid JSON", "docs/api.md")
	}
}
