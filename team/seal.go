package team

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const keyBytes = 32

// errSeal means that a body was not sealed with its key, or was sealed for another place.
var errSeal = errors.New("the body cannot be opened with its key")

// seal encrypts a body with a key of its own. The place is authenticated, so a body that is moved to another item
// cannot be opened there.
func seal(body []byte, place string) (sealed, key []byte, err error) {
	key = make([]byte, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, nil, err
	}
	box, err := boxOf(key)
	if err != nil {
		return nil, nil, err
	}
	// Each key is used once, so the nonce may be constant.
	return box.Seal(nil, make([]byte, box.NonceSize()), body, []byte(place)), key, nil
}

func open(sealed, key []byte, place string) ([]byte, error) {
	box, err := boxOf(key)
	if err != nil {
		return nil, errSeal
	}
	body, err := box.Open(nil, make([]byte, box.NonceSize()), sealed, []byte(place))
	if err != nil {
		return nil, errSeal
	}
	return body, nil
}

func boxOf(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// mac is a keyed hash of parts.
func mac(key string, parts ...string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	for _, p := range parts {
		h.Write([]byte(strconv.Itoa(len(p)) + ":" + p)) // a hash never fails
	}
	return h.Sum(nil)
}

// grave is the hash by which a forgotten text is recognised: its words without case and punctuation.
func grave(key, text string) string { return hex.EncodeToString(mac(key, "grave", wordsOnly(text))) }

func wordsOnly(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), notInWord), " ")
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// maxTerms is how many words of an item can be searched for: more than 64 KiB of prose contain.
const maxTerms = 4096

// terms returns keyed hashes of the stems in a text, so that the database can find a word without knowing it.
func terms(key string, stems []string) []int64 {
	out := make([]int64, 0, len(stems))
	for _, s := range stems {
		out = append(out, int64(binary.BigEndian.Uint64(mac(key, "term", s)))) //nolint:gosec // any 64 bits will do
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxTerms)]
}
