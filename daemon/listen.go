package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"syscall"

	"keepmum/atomicfile"
	"keepmum/config"
	"keepmum/home"
	"keepmum/safefile"
)

// endpoints are the listeners and their addresses.
type endpoints struct {
	listeners []net.Listener
	socket    string // "" if the file system does not support sockets
	address   string // "127.0.0.1:38741"
}

// listen opens the unix socket and the loopback port. It removes a stale socket, because the holder of the data
// directory's lock owns the socket. If another process listens on the port, it chooses a free one and writes it to the
// port file.
func listen(dir home.Dir, c config.Daemon, log *slog.Logger) (endpoints, error) {
	if err := c.CheckHost(); err != nil {
		return endpoints{}, err
	}
	tcp, err := listenTCP(c, log)
	if err != nil {
		return endpoints{}, err
	}
	e := endpoints{listeners: []net.Listener{tcp}, address: tcp.Addr().String()}
	if unix, err := listenUnix(socketPath(dir, c)); err != nil {
		log.Warn("no unix socket, clients use the port", "error", err)
	} else {
		e.listeners = append(e.listeners, unix)
		e.socket = socketPath(dir, c)
	}
	port := strconv.Itoa(tcp.Addr().(*net.TCPAddr).Port)
	err = atomicfile.Swap(dir.Port(), []byte(port+"\n"), 0o600) // the file is valid only while this process lives
	if errors.Is(err, syscall.ENOSPC) && e.socket != "" {
		log.Warn("the port file could not be written, clients use the socket", "error", err)
		err = nil
	}
	if err != nil {
		e.close()
		return endpoints{}, err
	}
	return e, nil
}

func socketPath(dir home.Dir, c config.Daemon) string {
	if c.Socket != "" {
		return c.Socket
	}
	return dir.Socket()
}

func listenTCP(c config.Daemon, log *slog.Logger) (net.Listener, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port)))
	if errors.Is(err, errPortTaken) {
		log.Warn("port is taken, using a free one", "port", c.Port)
		l, err = net.Listen("tcp", net.JoinHostPort(c.Host, "0"))
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s port %d: %w", c.Host, c.Port, err)
	}
	return l, nil
}

func listenUnix(path string) (net.Listener, error) {
	if err := removeStale(path); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	// for a daemon.socket outside the data directory, which is 0700 already
	if err := os.Chmod(path, 0o600); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

// answers reports whether a daemon listens on the socket. It still does after someone removed mum.lock, and would lose
// its socket, port and database to a second one.
func answers(socket string) bool {
	conn, err := net.Dial("unix", socket)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// removeStale removes the socket of a dead daemon, and nothing else: the setting may name a file by mistake, and a link
// may be an attack.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode()&os.ModeSocket == 0 {
		err = fmt.Errorf("%s exists and is not a socket: move it away, or set daemon.socket", path)
	}
	if err != nil {
		return err
	}
	if err := safefile.Own(path); err != nil {
		return err
	}
	return os.Remove(path)
}

func (e endpoints) close() {
	for _, l := range e.listeners {
		_ = l.Close()
	}
}

// remove removes the files that point to this daemon.
func (e endpoints) remove(dir home.Dir) {
	e.close()
	if e.socket != "" {
		_ = os.Remove(e.socket)
	}
	_ = os.Remove(dir.Port())
}
