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

// readBody reads a whole request body. Small bodies are read at once; a large one waits for one of a few slots, so that
// many of them cannot fill the memory.
func (d *Daemon) readBody(c echo.Context) ([]byte, error) {
	req := c.Request()
	if isHook(c) { // the sender of a hook has given up by now; free the slot
		_ = http.NewResponseController(c.Response()).SetReadDeadline(time.Now().Add(budget.Of(hookBody)))
	}
	if req.ContentLength > maxBody {
		return nil, d.tooLarge(req)
	}
	body := http.MaxBytesReader(c.Response(), req.Body, maxBody)
	head, err := readUpTo(body, smallBody, req.ContentLength)
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

// readUpTo reads at most limit bytes of a body that states its length, or -1.
func readUpTo(r io.Reader, limit, stated int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(stated, 0), limit)) + bytes.MinRead) // so that it never grows again
	_, err := b.ReadFrom(io.LimitReader(r, limit))
	return b.Bytes(), err
}

// largeBody waits for a slot. A hook waits only as long as its agent tolerates and then continues without a slot,
// because it cannot be sent again.
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
		return failure(api.Invalid, "the body could not be read completely", "")
	}
}

// tooLarge reads the rest of the body and discards it. A client that reads the response only after sending the whole
// body would otherwise find the connection closed. A client that asks first, as curl does, gets the answer at once.
func (d *Daemon) tooLarge(req *http.Request) error {
	if d.count.refuseSize() == 0 {
		d.log.Warn("a request larger than 10 MiB was rejected; mum status counts further ones", "path", req.URL.Path)
	}
	if asks := req.Header.Get("Expect") != "" && req.ContentLength > maxBody; !asks {
		_, _ = io.CopyN(io.Discard, req.Body, maxDrained) // the answer does not depend on what is read
	}
	return failure(api.TooLarge, "the body is larger than 10 MiB", "nothing of it was stored")
}

// readJSON decodes the body into v and rejects unknown fields: the value of a misspelt field would be lost.
func (d *Daemon) readJSON(c echo.Context, v any) error {
	data, err := d.readBody(c)
	if err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	dec.UseNumber()
	if err := decodeAll(dec, v, data); err != nil {
		d.count.refuse()
		return err
	}
	return nil
}

// decodeAll decodes a body into v, and says what is wrong with it.
func decodeAll(dec *json.Decoder, v any, body []byte) error {
	if err := dec.Decode(v); err != nil {
		if field := noTime(body); field != "" {
			return failure(api.Invalid, "field "+field+" must be a time like 2026-03-01T14:23:05Z", "docs/api.md")
		}
		return jsonError(err)
	}
	if !ended(dec) {
		return failure(api.Invalid, "the body contains more than one JSON value", "send one object per request")
	}
	return nil
}

// ended reports whether nothing follows the value that was decoded. [json.Decoder.More] overlooks a stray bracket.
func ended(dec *json.Decoder) bool {
	_, err := dec.Token()
	return errors.Is(err, io.EOF)
}

// noTime returns the name of the field with an invalid time, because the decoder does not report it.
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

// jsonError explains an error without repeating anything from the body except one of our field names.
func jsonError(err error) error {
	var kind *json.UnmarshalTypeError
	sort := "value"
	if errors.As(err, &kind) {
		sort, _, _ = strings.Cut(kind.Value, " ") // "number 1e999" would repeat the number
	}
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return failure(api.Invalid, "field "+kind.Field+" must be a "+kind.Type.String()+", not this "+sort, "docs/api.md")
	case errors.As(err, &kind):
		return failure(api.Invalid, "the body must be a JSON object, not this "+sort, "docs/api.md")
	case strings.Contains(err.Error(), "unknown field"):
		return failure(api.Invalid, "the body has a field that this endpoint does not know", "docs/api.md lists the fields")
	default:
		return failure(api.Invalid, "the body is not valid JSON", "docs/api.md")
	}
}
