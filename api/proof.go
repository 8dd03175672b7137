package api

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"keepmum/budget"
)

// errStranger means that a program that does not know the token listens on the daemon's port: a daemon that crashed
// leaves the file that names its port, and any user of the machine can listen there afterwards.
var errStranger = errors.New("another program listens on the port that the daemon had")

// Proof is what shows a client that the listener on a TCP port knows the token. It is valid for one challenge, and for
// that port only, so that nobody can pass the challenge on to a daemon on another port.
type Proof struct {
	Proof string `json:"proof"`
}

// Prove returns the proof for a challenge on a port.
func Prove(token, challenge, port string) string {
	mac := hmac.New(sha256.New, []byte(token))
	_, _ = io.WriteString(mac, "mum listens\n"+port+"\n"+challenge) // documented never to fail
	return hex.EncodeToString(mac.Sum(nil))
}

// dialPort connects to the daemon's port. It returns a connection only if the listener has proved that it knows the
// token: neither the token nor a payload goes to anyone else.
func dialPort(ctx context.Context, d *net.Dialer, host, port, token string) (net.Conn, error) {
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	if err := challenge(conn, port, token); err != nil {
		return nil, errors.Join(&net.OpError{Op: "dial", Net: "tcp", Addr: conn.RemoteAddr(), Err: err}, conn.Close())
	}
	return conn, nil
}

// challenge asks the listener for a proof, on the connection that is then used for requests.
func challenge(conn net.Conn, port, token string) error {
	if token == "" { // without a key a proof proves nothing
		return errStranger
	}
	if err := conn.SetDeadline(time.Now().Add(budget.Of(time.Second))); err != nil {
		return err
	}
	nonce := rand.Text()
	if _, err := fmt.Fprintf(conn, "GET /proof?challenge=%s HTTP/1.1\r\nHost: mum\r\n\r\n", nonce); err != nil {
		return fmt.Errorf("%w (%w)", errStranger, err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(io.LimitReader(conn, maxToken)), nil)
	if err != nil {
		return fmt.Errorf("%w (%w)", errStranger, err)
	}
	defer func() { _ = resp.Body.Close() }()
	var got Proof
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		return fmt.Errorf("%w (%w)", errStranger, err)
	}
	if !hmac.Equal([]byte(got.Proof), []byte(Prove(token, nonce, port))) {
		return errStranger
	}
	return conn.SetDeadline(time.Time{})
}
