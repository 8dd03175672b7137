//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"keepmum/budget"
)

const (
	maxPayload = 10 << 20 // the same limit as in mum hook
	maxAnswer  = 1 << 20
	inputTime  = time.Second // limit for an agent that does not close its pipe

	answerTime = 1850 * time.Millisecond // when mum hook ends, even if something is not done
)

func main() {
	if len(os.Args) < 2 || os.Getenv("MUM_HOOK") == "off" {
		return
	}
	h := hook{agent: os.Args[1], began: time.Now()}
	s := h.dial()
	if s < 0 { // nothing has been read yet, so mum hook can read the payload
		h.become()
		return
	}
	if !h.read() {
		return
	}
	answer, ok := []byte(nil), false
	if !h.cut {
		answer, ok = h.ask(s)
	}
	switch {
	case ok:
		send(1, answer, h.began.Add(budget.Of(answerTime))) // os.Stdout would end with SIGPIPE if the reader has gone
	case h.cut:
		h.handOver("--cut")
	case h.long:
		h.handOver("--too-large")
	default:
		h.handOver("--unanswered")
	}
}

// hook is the delivery of one payload.
type hook struct {
	agent, token, key string
	payload           []byte
	cut               bool // the payload did not end in time
	long              bool // the payload is longer than the daemon accepts and has been dropped
	began             time.Time
}

// dial connects to the daemon's socket if the socket and the token belong to this user; -1 = it cannot. If they are not
// at their usual places, mum hook finds them.
func (h *hook) dial() int {
	home := os.Getenv("MUM_HOME")
	if home == "" {
		home = filepath.Join(os.Getenv("HOME"), ".mum")
	}
	socket := filepath.Join(home, "mum.sock")
	if h.token = own(filepath.Join(home, "token")); h.token == "" || !filepath.IsAbs(home) || !mine(socket) {
		return -1
	}
	if h.key = random(); h.key == "" || os.Getenv("MUM_DAEMON__SOCKET") != "" {
		return -1
	}
	s, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1
	}
	unix.CloseOnExec(s)
	// Connect fails if the daemon is stopped and its queue is full.
	if unix.SetNonblock(s, true) != nil || unix.Connect(s, &unix.SockaddrUnix{Name: socket}) != nil {
		_ = unix.Close(s)
		return -1
	}
	return s
}

// mine reports whether path is a socket, not a link, that belongs to this user or root and that nobody else may write.
func mine(path string) bool {
	var st unix.Stat_t
	if unix.Lstat(path, &st) != nil {
		return false
	}
	return trusted(&st) && st.Mode&unix.S_IFMT == unix.S_IFSOCK
}

// trusted reports whether a file belongs to this user or root, and nobody else may write it.
func trusted(st *unix.Stat_t) bool {
	me := os.Geteuid()
	private := int64(st.Gid) == int64(me) && os.Getegid() == me // the user's private group
	return (st.Uid == 0 || int64(st.Uid) == int64(me)) && st.Mode&0o002 == 0 && (st.Mode&0o020 == 0 || private)
}

// own reads a small file of this user; "" if the file belongs to someone else.
func own(path string) string {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || !trusted(&st) || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return ""
	}
	line := make([]byte, 256)
	n, err := unix.Read(fd, line)
	if err != nil || n <= 0 || bytes.ContainsRune(bytes.TrimSpace(line[:n]), '\n') {
		return ""
	}
	return string(bytes.TrimSpace(line[:n]))
}

// random returns a unique delivery key.
func random() string {
	const digits = "0123456789abcdef"
	fd, err := unix.Open("/dev/urandom", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = unix.Close(fd) }()
	bits, key := make([]byte, 16), make([]byte, 0, 32)
	if n, err := unix.Read(fd, bits); err != nil || n != len(bits) {
		return ""
	}
	for _, b := range bits {
		key = append(key, digits[b>>4], digits[b&15])
	}
	return string(key)
}

// read reads the payload into memory, so that mum hook can take over if the daemon dies after accepting the event. It
// also takes over if the payload does not come or does not end in time: it can tell whether the payload is complete,
// and counts it otherwise. A payload that is too long is read and dropped; the daemon counts it. read returns false if
// there is no input.
func (h *hook) read() bool {
	h.payload = make([]byte, 0, 64<<10)
	for {
		if len(h.payload) > maxPayload {
			h.long, h.payload = true, h.payload[:0]
		}
		if !await(0, unix.POLLIN, h.began.Add(budget.Of(inputTime))) {
			h.cut = !h.long
			return true
		}
		if len(h.payload) == cap(h.payload) {
			h.payload = append(make([]byte, 0, 4*cap(h.payload)), h.payload...)
		}
		n, err := unix.Read(0, h.payload[len(h.payload):cap(h.payload)])
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
		case err != nil:
			h.cut = !h.long
			return h.long || len(h.payload) > 0
		case n == 0:
			return true
		default:
			h.payload = h.payload[:len(h.payload)+n]
		}
	}
}

// await waits until a descriptor is ready; false = it was not ready in time.
func await(fd int, events int16, until time.Time) bool {
	for {
		left := time.Until(until).Milliseconds()
		if left <= 0 {
			return false
		}
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: events}}, int(left))
		if err != unix.EINTR {
			return err == nil && n > 0
		}
	}
}

// patience returns how long to wait, as long as mum hook waits. A payload that merely mentions the name of a prompt
// event gets the longer time, too.
func (h *hook) patience() time.Duration {
	for _, name := range []string{`"UserPromptSubmit"`, `"SessionStart"`, `"beforeSubmitPrompt"`, `"sessionStart"`} {
		if bytes.Contains(h.payload, []byte(name)) {
			return budget.Of(650 * time.Millisecond)
		}
	}
	return budget.Of(270 * time.Millisecond)
}

// ask posts the payload and returns the answer; false = the daemon has not accepted it. It uses HTTP/1.0, in which a
// response ends with the connection and is not chunked. Of a payload that is too long it sends only the length, so that
// the daemon can reply with that error.
func (h *hook) ask(s int) ([]byte, bool) {
	until, length, expect := h.began.Add(h.patience()), len(h.payload), ""
	if h.long {
		until, length, expect = time.Now().Add(h.patience()), maxPayload+1, "Expect: 100-continue\r\n"
		h.payload = nil
	}
	head := "POST /hooks/" + h.agent + " HTTP/1.0\r\nHost: mum\r\nAuthorization: Bearer " + h.token +
		"\r\nX-Mum-Event: " + h.key + "\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(length) +
		"\r\n" + expect + "\r\n"
	if !send(s, append([]byte(head), h.payload...), until) {
		return nil, false
	}
	return receive(s, until)
}

// send writes all of the data; false = it could not be written in time.
func send(s int, data []byte, until time.Time) bool {
	for len(data) > 0 {
		n, err := unix.Write(s, data)
		switch err {
		case nil:
			data = data[n:]
		case unix.EINTR:
		case unix.EAGAIN:
			if !await(s, unix.POLLOUT, until) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// receive reads the response to its end; false = the daemon has not accepted the payload.
func receive(s int, until time.Time) ([]byte, bool) {
	got, part := []byte(nil), make([]byte, 16<<10)
	for len(got) < maxAnswer && await(s, unix.POLLIN, until) {
		n, err := unix.Read(s, part)
		switch {
		case err == unix.EINTR || err == unix.EAGAIN:
		case err != nil:
			return nil, false
		case n == 0:
			return parse(got)
		default:
			got = append(got, part[:n]...)
		}
	}
	return nil, false
}

// parse returns the body of a complete response. If the daemon can never accept the payload (400, 403, 404, 413), there
// is nothing more to do; every other failure is false.
func parse(answer []byte) ([]byte, bool) {
	head, body, whole := bytes.Cut(answer, []byte("\r\n\r\n"))
	_, rest, _ := bytes.Cut(head, []byte(" "))
	if !whole || len(rest) < 3 {
		return nil, false
	}
	switch string(rest[:3]) {
	case "400", "403", "404", "413":
		return nil, true
	}
	if rest[0] != '2' || !complete(head, body) {
		return nil, false
	}
	return body, true
}

// complete reports whether a body has the length that its header states.
func complete(head, body []byte) bool {
	const name = "\r\nContent-Length: "
	at := bytes.Index(head, []byte(name))
	if at < 0 {
		return true
	}
	length, _, _ := bytes.Cut(head[at+len(name):], []byte("\r\n"))
	n, err := strconv.Atoi(string(length))
	return err == nil && n == len(body)
}

// program returns the path of mum, which is next to this program.
func program() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(self), "mum")
}

// become replaces this process with mum hook. If mum is missing, no error is printed, because hooks are silent.
func (h *hook) become(more ...string) {
	mum := program()
	_ = syscall.Exec(mum, append([]string{mum, "hook", h.agent}, more...), os.Environ())
}

// handOver lets mum hook continue with the payload, and passes it the reason. The daemon may have accepted the event
// already; the delivery key prevents a duplicate. A pipe holds 16 KiB on every system without a reader; a longer
// payload is written to a child process.
func (h *hook) handOver(why string) {
	more := []string{"--key=" + h.key, why}
	in, out, err := os.Pipe()
	if err != nil {
		return
	}
	if len(h.payload) > 16<<10 {
		h.feed(in, out, more)
		return
	}
	_, err = out.Write(h.payload)
	if out.Close() != nil || err != nil || unix.Dup2(int(in.Fd()), 0) != nil {
		return
	}
	h.become(more...)
}

// feed runs mum hook as a child process, and writes the payload to its standard input.
func (h *hook) feed(in, out *os.File, more []string) {
	mum := program()
	p, err := os.StartProcess(mum, append([]string{mum, "hook", h.agent}, more...),
		&os.ProcAttr{Files: []*os.File{in, os.Stdout, os.Stderr}})
	_ = in.Close()
	if err != nil {
		return
	}
	_, _ = out.Write(h.payload)
	_ = out.Close()
	_, _ = p.Wait()
}
