package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"keepmum/budget"
	"keepmum/safefile"
)

// ErrDown means that no daemon answers on the socket or the port.
var ErrDown = errors.New("the daemon is not running")

// ErrSilent means that a daemon accepted the request and does not answer.
var ErrSilent = errors.New("the daemon does not answer: it is stopped, or hangs")

// silence limits how long to wait for the answer to a read-only request; the slowest takes a fifth of that with 100,000
// documents.
const silence = 5 * time.Second

// SocketPath returns the path of the daemon's socket.
func SocketPath(home string) string { return filepath.Join(home, "mum.sock") }

// TokenPath returns the path of the file with the bearer token.
func TokenPath(home string) string { return filepath.Join(home, "token") }

// PortPath returns the path of the file with the TCP port in use.
func PortPath(home string) string { return filepath.Join(home, "port") }

// maxToken limits the size of files in the data directory that contain one line.
const maxToken = 4 << 10

// Client talks to the daemon of one data directory. The zero value is not usable.
type Client struct {
	token string
	http  *http.Client
}

// NewClient returns a client for the daemon with the data directory home. socket is the path of the socket
// (daemon.socket); "" means the default.
func NewClient(home, socket string) *Client {
	if socket == "" {
		socket = SocketPath(home)
	}
	data, _ := safefile.ReadOwn(TokenPath(home), maxToken) // without a token the daemon returns a clear error
	token := strings.TrimSpace(string(data))
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return dialDaemon(ctx, home, socket, token) }
	return &Client{
		token: token,
		http:  &http.Client{Transport: &http.Transport{DialContext: dial}},
	}
}

// NewLocalClient returns a client whose requests are answered by a daemon in this process.
func NewLocalClient(token string, daemon http.RoundTripper) *Client {
	return &Client{token: token, http: &http.Client{Transport: daemon}}
}

// dialDaemon tries the socket, then the port: some file systems cannot hold a socket. The socket is in a directory of
// this user; a port can be anyone's, so its listener has to prove that it is the daemon.
func dialDaemon(ctx context.Context, home, socket, token string) (net.Conn, error) {
	d := net.Dialer{Timeout: budget.Of(time.Second)}
	if err := safefile.Own(socket); err != nil { // a listener of another user would receive everything
		return nil, err
	}
	conn, err := d.DialContext(ctx, "unix", socket)
	if err == nil {
		return conn, nil
	}
	line, readErr := safefile.ReadOwn(PortPath(home), maxToken)
	if readErr != nil {
		return nil, err
	}
	port := strings.TrimSpace(string(line))
	if conn, err = dialPort(ctx, &d, "127.0.0.1", port, token); err != nil {
		var other error // daemon.host may be the other loopback address
		if conn, other = dialPort(ctx, &d, "::1", port, token); other == nil {
			return conn, nil
		}
	}
	return conn, err
}

// Get requests path with query and decodes the answer into out.
func (c *Client) Get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, budget.Of(silence), ErrSilent)
	defer cancel()
	err := c.do(ctx, http.MethodGet, path, nil, out)
	if err != nil && errors.Is(context.Cause(ctx), ErrSilent) {
		return ErrSilent
	}
	return err
}

// Post sends in as JSON and decodes the answer into out.
func (c *Client) Post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode the request for %s: %w", path, err)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go c.watch(ctx, cancel)
	err = c.do(ctx, http.MethodPost, path, bytes.NewReader(body), out)
	if err != nil && errors.Is(context.Cause(ctx), ErrSilent) {
		return ErrSilent
	}
	return err
}

// watch ends a request when the daemon does not answer any more. A request such as a backup may take minutes, so the
// time that it takes says nothing.
func (c *Client) watch(ctx context.Context, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(budget.Of(time.Second)) // most requests are answered before the first one
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if errors.Is(c.Get(ctx, "/health", nil, nil), ErrSilent) {
				cancel(ErrSilent)
			}
		}
	}
}

func (c *Client) do(ctx context.Context, method, path string, body io.Reader, out any) error {
	resp, err := c.Send(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(resp.Body).Decode(out); err != nil {
		return fmt.Errorf("read the answer of %s: %w", path, err)
	}
	return nil
}

// Send is [Client.SendWith] without additional headers.
func (c *Client) Send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	return c.SendWith(ctx, method, path, body, nil)
}

// SendWith makes one request and returns the response with an open body. A status other than 2xx is returned as
// *[Error], a daemon that does not answer as [ErrDown].
func (c *Client) SendWith(ctx context.Context, method, path string, body io.Reader,
	header http.Header) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://mum"+path, body)
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", path, err)
	}
	maps.Copy(req.Header, header)
	req.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, sendError(path, err)
	}
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	defer func() { _ = resp.Body.Close() }()
	return nil, readError(resp)
}

func sendError(path string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		// Nobody listens, which ErrDown says without more detail.
		if errors.Is(err, fs.ErrNotExist) || nobodyListens(err) {
			return ErrDown
		}
		return fmt.Errorf("%w (%w)", ErrDown, op.Err)
	}
	return fmt.Errorf("ask the daemon for %s: %w", path, err)
}

func readError(resp *http.Response) error {
	var body ErrorBody
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&body); err != nil || body.Error == nil {
		return fmt.Errorf("the daemon answered %s", resp.Status)
	}
	return body.Error
}
