package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Resolver finds the addresses of a host; [*net.Resolver] is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// maxAnswer limits how much of a response is read: a server that never stops must not fill the memory.
const maxAnswer = 8 << 20

// line is the connection to one server. It dials the address that it has checked, uses no proxy, follows no redirect,
// and sends only the announced payload.
type line struct {
	base     *url.URL
	allow    []string
	resolver Resolver
	http     *http.Client
}

func newLine(rawURL string, allow []string, r Resolver) (*line, error) {
	base, err := url.Parse(rawURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, &Refused{Target: "compress.url", Reason: "not an http or https address",
			Hint: "set compress.url, for example http://127.0.0.1:11434"}
	}
	if base.User != nil {
		return nil, &Refused{Target: base.Host, Reason: "the address carries a user name or password",
			Hint: "remove them from compress.url"}
	}
	if r == nil {
		r = net.DefaultResolver
	}
	l := &line{base: base, allow: allow, resolver: r}
	transport := &http.Transport{
		Proxy:               nil, // a proxy from the environment would see every byte
		DialContext:         l.dial,
		DisableCompression:  true,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     30 * time.Second,
		MaxIdleConns:        2,
	}
	l.http = &http.Client{Transport: guard{transport}, CheckRedirect: refuseRedirect}
	return l, nil
}

func (l *line) close() { l.http.CloseIdleConnections() }

// check returns the addresses of the destination, or an error if the destination is not allowed.
func (l *line) check(ctx context.Context) ([]netip.AddrPort, error) {
	port := l.base.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[l.base.Scheme]
	}
	return l.addresses(ctx, l.base.Hostname(), port)
}

func (l *line) addresses(ctx context.Context, host, port string) ([]netip.AddrPort, error) {
	found, err := l.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var out []netip.AddrPort
	for _, a := range found {
		a = a.Unmap()
		if !a.IsLoopback() && !l.allowed(host) {
			return nil, &Refused{Target: host, Reason: "not every address of it is on this machine",
				Hint: "use http://127.0.0.1, or add the host to egress.allow_hosts"}
		}
		ap, err := netip.ParseAddrPort(net.JoinHostPort(a.String(), port))
		if err != nil {
			return nil, &Refused{Target: host, Reason: "its port is not a number"}
		}
		out = append(out, ap)
	}
	return out, nil
}

func (l *line) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	found, err := l.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("resolve %s: %w", host, ErrAbsent)
	}
	return found, nil
}

// allowed reports whether the user named the host.
func (l *line) allowed(host string) bool {
	return slices.ContainsFunc(l.allow, func(a string) bool { return strings.EqualFold(a, host) })
}

// dial connects to an address that was just checked, so that a name that resolves differently the next time cannot
// redirect the connection.
func (l *line) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	found, err := l.addresses(ctx, host, port)
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	for _, a := range found {
		var conn net.Conn
		if conn, err = d.DialContext(ctx, network, a.String()); err == nil {
			return conn, nil
		}
	}
	return nil, fmt.Errorf("dial %s: %w", addr, ErrAbsent)
}

func refuseRedirect(r *http.Request, _ []*http.Request) error {
	return &Refused{Target: r.URL.Host, Reason: "the model server redirects there"}
}

type announced struct{}

// announce stores in a context the only payload that may be sent with it.
func announce(ctx context.Context, payload []byte) context.Context {
	return context.WithValue(ctx, announced{}, payload)
}

// guard checks a request last and a response first.
type guard struct{ next http.RoundTripper }

func (g guard) RoundTrip(r *http.Request) (*http.Response, error) {
	r, err := onlyAnnounced(r)
	if err != nil {
		return nil, err
	}
	resp, err := g.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		_ = resp.Body.Close()
		return nil, &Refused{Target: r.URL.Host, Reason: "the model server redirects"}
	}
	resp.Body = &capped{ReadCloser: resp.Body, left: maxAnswer}
	return resp, nil
}

// onlyAnnounced compares the body with the bytes whose hash is in the ledger.
func onlyAnnounced(r *http.Request) (*http.Request, error) {
	want, ok := r.Context().Value(announced{}).([]byte)
	if !ok || r.Body == nil {
		return r, nil
	}
	got, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if err := r.Body.Close(); err != nil {
		return nil, err
	}
	if !bytes.Equal(got, want) {
		return nil, errors.New("the payload is not the one that was announced")
	}
	same := r.Clone(r.Context())
	same.Body = io.NopCloser(bytes.NewReader(got))
	return same, nil
}

type capped struct {
	io.ReadCloser
	left int
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("longer than %d bytes: %w", maxAnswer, ErrAnswer)
	}
	n, err := c.ReadCloser.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}
