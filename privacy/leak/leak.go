package leak

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
)

// Secret is a planted value; Name says where it was planted.
type Secret struct{ Name, Value string }

// Hit means that a secret was found.
type Hit struct {
	Secret string // name of the secret
	Form   string // "plain", "piece", "base64", "hex", "UTF-16", "URL", "JSON"
	Where  string
}

func (h Hit) String() string { return fmt.Sprintf("%s: %s in %s", h.Secret, h.Form, h.Where) }

const (
	anchor   = 6  // shortest form to look for
	pieceLen = 12 // a part of this length of a longer secret counts as a leak
)

// Scanner looks for a set of secrets in one pass over the bytes.
type Scanner struct {
	mask    [1 << 13]uint64 // bit set over hashes of the first bytes
	needles map[uint64][]needle
}

type needle struct{ text, secret, form string }

// NewScanner returns a scanner for secrets.
func NewScanner(secrets []Secret) *Scanner {
	s := &Scanner{needles: map[uint64][]needle{}}
	for _, one := range secrets {
		for form, texts := range forms(one.Value) {
			for _, text := range texts {
				s.add(needle{text, one.Name, form})
			}
		}
	}
	return s
}

func (s *Scanner) add(n needle) {
	if len(n.text) < anchor {
		return
	}
	head := first(n.text)
	bit := hash(head)
	s.mask[bit>>6] |= 1 << (bit & 63)
	s.needles[head] = append(s.needles[head], n)
}

// first packs the first bytes of a text.
func first(text string) uint64 {
	var b [8]byte
	copy(b[:], text[:anchor])
	return binary.BigEndian.Uint64(b[:]) >> 16
}

func hash(head uint64) uint32 { return uint32(head * 0x9e3779b97f4a7c15 >> 45) }

// Bytes returns what it finds in data, each secret once per form.
func (s *Scanner) Bytes(where string, data []byte) []Hit {
	var out []Hit
	seen := map[needle]bool{}
	var head uint64
	for i, c := range data {
		head = (head<<8 | uint64(c)) & (1<<48 - 1)
		if bit := hash(head); i < anchor-1 || s.mask[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		at := i + 1 - anchor
		for _, n := range s.needles[head] {
			key := needle{secret: n.secret, form: n.form}
			if !seen[key] && len(data)-at >= len(n.text) && string(data[at:at+len(n.text)]) == n.text && !n.byChance(data, at) {
				seen[key] = true
				out = append(out, Hit{n.secret, n.form, where})
			}
		}
	}
	return out
}

// byChance reports whether a hit may be part of a hash: every thousandth hash contains a given sequence of a few digits
// next to a hex digit.
func (n needle) byChance(data []byte, at int) bool {
	const few = 8
	if len(n.text) > few || strings.Trim(n.text, "0123456789") != "" {
		return false
	}
	end := at + len(n.text)
	return at > 0 && hexDigit(data[at-1]) || end < len(data) && hexDigit(data[end])
}

func hexDigit(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

// Tree is the result of searching a directory.
type Tree struct {
	Files int
	Bytes int64
	Hits  []Hit
}

// Dir searches every byte of every file below root, and the files' names.
func (s *Scanner) Dir(root string) (Tree, error) {
	var out Tree
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, path)
		out.Hits = append(out.Hits, s.Bytes("the name of a file", []byte(name))...)
		if !e.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("look for leaks: %w", err)
		}
		out.Files++
		out.Bytes += int64(len(data))
		out.Hits = append(out.Hits, s.Bytes(name, data)...)
		return nil
	})
	return out, err
}

// forms returns the forms in which a secret may be in a file.
func forms(v string) map[string][]string {
	out := map[string][]string{
		"plain": {v}, "hex": {hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v)))},
		"UTF-16": {wide(v, binary.LittleEndian), wide(v, binary.BigEndian)},
		"base64": base64Forms(v),
	}
	if e := url.QueryEscape(v); e != v {
		out["URL"] = []string{e, url.PathEscape(v)}
	}
	if j, err := json.Marshal(v); err == nil && string(j) != `"`+v+`"` {
		out["JSON"] = []string{strings.Trim(string(j), `"`)}
	}
	for at := 0; len(v) >= 2*pieceLen && at+pieceLen <= len(v); at += pieceLen / 2 {
		if piece := v[at : at+pieceLen]; drawn(piece) {
			out["piece"] = append(out["piece"], piece)
		}
	}
	return out
}

// drawn reports whether a piece is from the random part of a secret. Its public prefix (https://hooks…, access_token$)
// reveals nothing and may stay.
func drawn(piece string) bool {
	digits, letters := 0, 0
	for _, c := range []byte(piece) {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		}
	}
	return digits >= 2 && letters >= 2
}

func wide(v string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(v)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// base64Forms returns the parts of a base64 text that depend only on v, for each of the three possible alignments.
// Forms shorter than eight characters would be found by chance.
func base64Forms(v string) []string {
	var out []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift, from := range []int{0, 2, 3} {
			coded := enc.EncodeToString(append(make([]byte, shift), v...))
			if to := (shift + len(v)) / 3 * 4; to-from >= 8 {
				out = append(out, coded[from:to])
			}
		}
	}
	return out
}
