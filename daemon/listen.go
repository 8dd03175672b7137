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
	tcp, unix net.Listener // unix is nil without a socket
	socket    string       // "" if the file system does not support sockets
	info      fs.FileInfo  // of the socket that this daemon made; nil = it was removed at once
	address   string       // "127.0.0.1:38741"
	trouble   string       // why clients could not find the daemon at the last check
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
	e := endpoints{tcp: tcp, address: tcp.Addr().String()}
	e.socket = socketPath(dir, c)
	if _, err := e.listenUnix(); err != nil {
		log.Warn("no unix socket, clients use the port", "error", err)
		e.socket = ""
	}
	err = e.writePort(dir)
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

// listenUnix opens the socket. Closing the listener does not remove the file, which may be another daemon's by then.
func (e *endpoints) listenUnix() (net.Listener, error) {
	if err := removeStale(e.socket); err != nil {
		return nil, err
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: e.socket, Net: "unix"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	// for a daemon.socket outside the data directory, which is 0700 already
	if err := os.Chmod(e.socket, 0o600); err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(e.socket))
	}
	e.info, _ = os.Lstat(e.socket) // if it is gone already, the next check finds that
	if e.unix != nil {
		_ = e.unix.Close() // nobody finds it any more
	}
	e.unix = l
	return l, nil
}

// port returns the content of the port file.
func (e *endpoints) port() string {
	_, port, _ := net.SplitHostPort(e.address) // it is the address of a listener
	return port + "\n"
}

// writePort writes the port file, which is valid only while this process lives.
func (e *endpoints) writePort(dir home.Dir) error {
	return atomicfile.Swap(dir.Port(), []byte(e.port()), 0o600)
}

// ownPort reports whether the port file is this daemon's. No two living daemons have the same port.
func (e *endpoints) ownPort(dir home.Dir) bool {
	have, err := safefile.ReadOwn(dir.Port(), maxPortFile)
	return err == nil && string(have) == e.port()
}

// maxPortFile limits the size of a file that contains a number of five digits.
const maxPortFile = 64

// ownSocket reports whether the file in the socket's place is the one that this daemon made. Its number alone could be
// given to another file after this one was removed.
func (e *endpoints) ownSocket() bool {
	now, err := os.Lstat(e.socket)
	if err != nil || e.info == nil {
		return false
	}
	return now.ModTime().Equal(e.info.ModTime()) && os.SameFile(e.info, now)
}

// found reports whether clients find this daemon.
func (e *endpoints) found(dir home.Dir) bool {
	if e.socket == "" {
		return e.ownPort(dir)
	}
	return e.ownSocket()
}

// heal writes a lost port file again and returns the listener of a new socket if the socket was lost; nil = it was not.
// A socket that someone answers is left to them: a setting can give two data directories the same one.
func (e *endpoints) heal(dir home.Dir, log *slog.Logger) (again net.Listener) {
	var err error
	if !e.ownPort(dir) {
		err = e.writePort(dir)
	}
	if e.socket != "" && !e.ownSocket() && !answers(e.socket) {
		var failed error
		if again, failed = e.listenUnix(); failed == nil {
			log.Warn("the socket was removed: listening again", "socket", e.socket)
		}
		err = errors.Join(err, failed)
	}
	trouble := ""
	if err != nil {
		trouble = err.Error()
	}
	if trouble != "" && trouble != e.trouble { // once, not every two seconds
		log.Warn("clients may not find the daemon", "error", err)
	}
	e.trouble = trouble
	return again
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

// listeners returns what the daemon listens on.
func (e *endpoints) listeners() []net.Listener {
	if e.unix == nil {
		return []net.Listener{e.tcp}
	}
	return []net.Listener{e.tcp, e.unix}
}

func (e *endpoints) close() {
	for _, l := range e.listeners() {
		_ = l.Close()
	}
}

// remove removes the files that point to this daemon, and leaves those of another one.
func (e *endpoints) remove(dir home.Dir) {
	if e.socket != "" && e.ownSocket() {
		_ = os.Remove(e.socket)
	}
	if e.ownPort(dir) {
		_ = os.Remove(dir.Port())
	}
	e.close()
}
