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

// ErrDamaged says that a file does not hold the secret that it should.
var ErrDamaged = errors.New("it must hold 64 hexadecimal digits")

// SpoolKey is a key for the tags of an event that is to wait on disk. A key that
// cannot be read must not cost the event: its tags are then of a key of their own.
func SpoolKey(d Dir) []byte {
	if text, err := secret(d.HMACKey()); err == nil {
		if key, err := decodeKey(d, text); err == nil {
			return key
		}
	}
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails, by its documentation
	return fresh
}

// CheckToken returns [ErrDamaged] for a token that is none; one that is not there
// yet is made by the next start.
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

// MendToken puts the token back that is in curl.header, too; where it does not,
// a new one is made, and a daemon that runs has to be stopped by hand.
func MendToken(d Dir) (old bool, err error) {
	header, _ := safefile.Read(d.CurlHeader(), maxSecret) // a missing one holds no token
	token := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(header)), "Authorization: Bearer "))
	if old = isSecret(token); !old {
		fresh := make([]byte, 32)
		_, _ = rand.Read(fresh) // never fails, by its documentation
		token = hex.EncodeToString(fresh)
	}
	return old, atomicfile.Write(d.Token(), []byte(token+"\n"), 0o600)
}

func isSecret(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == 64
}
