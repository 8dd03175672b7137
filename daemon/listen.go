package daemon

import (
	"errors"
	"fmt"
	"io/fs"
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
	files     []pointer
}

// pointer is a file that points to this daemon. If the data directory is moved away, another daemon may make its own in
// that place.
type pointer struct {
	path string
	made fs.FileInfo
}

func pointerAt(path string) (pointer, error) {
	info, err := os.Lstat(path)
	return pointer{path, info}, err
}

// state reports whether the file is there, and whether it is another one.
func (p pointer) state() (there, foreign bool) {
	now, err := os.Lstat(p.path)
	there = err == nil
	return there, there && !(os.SameFile(now, p.made) && now.ModTime().Equal(p.made.ModTime()))
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
		e.point(e.socket, log)
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
	e.point(dir.Port(), log)
	return e, nil
}

// point remembers a file that points to this daemon.
func (e *endpoints) point(path string, log *slog.Logger) {
	if p, err := pointerAt(path); err == nil {
		e.files = append(e.files, p)
	} else {
		log.Debug("a file that points to this daemon is not there", "error", err)
	}
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
	l.(*net.UnixListener).SetUnlinkOnClose(false) // by then another daemon's may be in its place
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
func (e endpoints) remove() {
	e.close()
	for _, p := range e.files {
		if there, foreign := p.state(); there && !foreign {
			_ = os.Remove(p.path)
		}
	}
}
