package daemon

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"keepmum/api"
	"keepmum/page"
)

// isPage reports whether a path belongs to the page, which has its own guard.
func isPage(path string) bool {
	return path == page.Root || path == page.In || strings.HasPrefix(path, page.Rooms)
}

func (d *Daemon) pageRoutes(e *echo.Echo) {
	show := func(c echo.Context) error {
		if d.page == nil { // the page is created when the daemon listens
			return failure(api.Unavailable, "the daemon is starting", "try again in a second")
		}
		d.page.ServeHTTP(c.Response(), c.Request())
		return nil
	}
	e.GET(page.Root, show)
	e.GET(page.In, show)
	e.GET(page.Rooms+":key/*", show)
	e.POST(page.Rooms+":key/*", show)
}

// newPage creates the page, which uses this daemon's API like any client.
func (d *Daemon) newPage(routes http.Handler) *page.Page {
	return page.New(page.Options{
		API: api.NewLocalClient(
			d.token,
			within{routes},
		), Key: d.token, Now: d.o.Now, Stopping: d.stopping, Version: d.o.Version,
		Log: d.log,
	})
}

func (d *Daemon) postPageCode(c echo.Context) error {
	var none struct{}
	if err := d.exactly(c, &none); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(d.endpoints.address)
	if err != nil {
		return err
	}
	code, until := d.page.Code()
	// the daemon listens on all addresses; this is one of them
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return c.JSON(
		http.StatusOK,
		api.PageCode{URL: "http://" + net.JoinHostPort(host, port) + page.In + "?code=" + code, Expires: until.UTC()},
	)
}

// within answers requests without a connection, and marks them as viewing only.
type within struct{ handler http.Handler }

// RoundTrip passes a request to the handler.
func (w within) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	answer := &recorder{header: http.Header{}}
	w.handler.ServeHTTP(answer, r.WithContext(context.WithValue(r.Context(), looking{}, true)))
	if answer.status == 0 {
		answer.status = http.StatusOK
	}
	return &http.Response{
		StatusCode: answer.status, Status: http.StatusText(answer.status), Header: answer.header, Request: r,
		Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()),
	}, r.Context().Err()
}

// recorder records a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }
