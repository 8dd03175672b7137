package home

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"

	"keepmum/atomicfile"
	"keepmum/safefile"
)

// ErrDamaged means that a file does not contain the secret that it should.
var ErrDamaged = errors.New("it must contain 64 hexadecimal digits")

// SpoolKey returns a key for the tags of an event that waits on disk. If the key cannot be read, the event is still
// kept: its tags then use the first of the saved keys, or a random one.
func SpoolKey(d Dir, saved ...[]byte) []byte {
	if text, err := secret(d.HMACKey(), random); err == nil {
		if key, err := decodeKey(d, text); err == nil {
			return key
		}
	}
	if len(saved) > 0 {
		return saved[0]
	}
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // documented never to fail
	return fresh
}

// CheckToken returns [ErrDamaged] for an invalid token. If the token is missing, the next start creates it.
func CheckToken(d Dir) error {
	text, err := safefile.Read(d.Token(), maxSecret)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !isSecret(strings.TrimSpace(string(text))) {
		return ErrDamaged
	}
	return err
}

// RestoreToken restores the token from curl.header. If that has none either, it creates a new token, and a running
// daemon, which has the old one, must end.
func RestoreToken(d Dir) error { return atomicfile.Write(d.Token(), []byte(d.token()+"\n"), 0o600) }

func isSecret(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == 64
}
