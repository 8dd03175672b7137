package team

import (
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// maxPasswords limits the size of a password file; a line has about a hundred bytes.
const maxPasswords = 1 << 20

// DSN says where a shared place is and which role connects. It prints without a password.
type DSN struct {
	config   *pgconn.Config
	password string // from the given text; "" = libpq looks elsewhere
	text     string // without the password
}

// keptParameters are the parameters of a DSN that may be stored: the others contain credentials or do not matter here.
func keptParameters() []string {
	return []string{"sslmode", "sslrootcert", "sslcert", "sslkey", "service", "servicefile", "passfile", "host", "port",
		"connect_timeout", "target_session_attrs"}
}

const likeThis = "use a URL like postgres://ROLE@HOST:5432/DATABASE" // a hint of several commands

// ParseDSN parses a DSN in libpq's URL form. Unless the host is loopback, the server's certificate must be verified.
func ParseDSN(text string) (DSN, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return DSN{}, fault(likeThis, "this is not a DSN: it must be a URL like postgres://ROLE@HOST:5432/DATABASE")
	}
	for name := range u.Query() {
		if name != "password" && !slices.Contains(keptParameters(), name) {
			return DSN{}, fault(likeThis, "the DSN has a parameter that is not accepted: %q", name)
		}
	}
	d, q := DSN{}, u.Query()
	d.takePassword(u, q)
	if err := d.read(u, q); err != nil {
		return DSN{}, err
	}
	if !d.isLocal() {
		err := verified(q)
		if err == nil {
			err = d.read(u, q)
		}
		if err != nil {
			return DSN{}, err
		}
	}
	if d.password != "" {
		d.config.Password = d.password
	}
	d.config.RuntimeParams["application_name"] = "mum"
	return d, nil
}

// takePassword moves the password from a URL into the DSN.
func (d *DSN) takePassword(u *url.URL, q url.Values) {
	if d.password = q.Get("password"); d.password != "" {
		q.Del("password")
	}
	if u.User == nil {
		return
	}
	if p, ok := u.User.Password(); ok {
		d.password = p
		u.User = url.User(u.User.Username())
	}
}

// read lets libpq's rules complete a URL with the given parameters.
func (d *DSN) read(u *url.URL, q url.Values) (err error) {
	u.RawQuery = q.Encode()
	d.text = u.String()
	if d.config, err = pgconn.ParseConfig(d.text); err != nil {
		return fault(likeThis, "the DSN cannot be read: a service, a password file or a certificate that it names is missing")
	}
	return nil
}

// verified makes a connection to another machine verify the server.
func verified(q url.Values) error {
	switch q.Get("sslmode") {
	case "":
		q.Set("sslmode", "verify-full")
	case "verify-full":
	default:
		return fault("leave sslmode out, or sslmode=verify-full&sslrootcert=FILE",
			"sslmode=%s does not verify the server: what you share could go to anyone", q.Get("sslmode"))
	}
	return nil
}

// isLocal reports whether every server that a connection may reach is this machine, whoever names it: the DSN, a
// service or the environment.
func (d DSN) isLocal() bool {
	return isLoopback(d.config.Host) &&
		!slices.ContainsFunc(d.config.Fallbacks, func(f *pgconn.FallbackConfig) bool { return !isLoopback(f.Host) })
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || filepath.IsAbs(host) || ip != nil && ip.IsLoopback()
}

// String returns the DSN without a password.
func (d DSN) String() string { return d.text }

// Host returns the host to connect to, as the ledger names it.
func (d DSN) Host() string { return d.config.Host }

// address returns the host with its port, or the directory of a socket.
func (d DSN) address() string {
	if filepath.IsAbs(d.config.Host) {
		return d.config.Host
	}
	return net.JoinHostPort(d.config.Host, strconv.Itoa(int(d.config.Port)))
}

// User returns the role.
func (d DSN) User() string { return d.config.User }

// Database returns the name of the database.
func (d DSN) Database() string { return d.config.Database }

// Password returns the password from the text.
func (d DSN) Password() string { return d.password }

// mustVerify reports whether every way to reach the server uses TLS.
func (d DSN) mustVerify() bool {
	return d.config.TLSConfig != nil &&
		!slices.ContainsFunc(d.config.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.TLSConfig == nil })
}

// KeepPassword writes the password of a DSN to libpq's own file, where all the user's programs find it, and returns the
// path. undo makes that file what it was. Nothing else is written.
func (d DSN) KeepPassword(userHome string, getenv func(string) string) (path string, undo func() error, err error) {
	path = getenv("PGPASSFILE")
	if path == "" {
		path = filepath.Join(userHome, ".pgpass")
	}
	old, err := safefile.Read(path, maxPasswords)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return path, nil, err
	}
	undo = func() error { return atomicfile.Write(path, old, 0o600) }
	if err != nil {
		undo = func() error { return os.Remove(path) }
	}
	host := d.config.Host
	if network, _ := pgconn.NetworkAddress(host, d.config.Port); network == "unix" {
		host = "localhost" // under this name it is looked up, whatever the socket's path is
	}
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`).Replace
	place := strings.Join([]string{escape(host), strconv.Itoa(int(d.config.Port)), escape(d.config.Database),
		escape(d.config.User)}, ":") + ":"
	lines := []string{place + escape(d.password)}
	for _, l := range strings.Split(strings.TrimRight(string(old), "\n"), "\n") {
		if l != "" && !strings.HasPrefix(l, place) {
			lines = append(lines, l)
		}
	}
	return path, undo, atomicfile.Write(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}
