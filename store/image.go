package store

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the image
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// emptyImage is a new database file: making its tables takes ten times as long as writing it. After a new migration,
// `go test ./store -run TestTheImage -image` writes it again; until then a new database is made by the migrations.
//
//go:embed empty.image
var emptyImage []byte

// versionAt is where the number is in a file that PRAGMA user_version returns: four bytes.
const versionAt = 60

var errImage = errors.New("the image of an empty database is damaged")

// imageOf returns the pieces of the image, unless it is damaged or not of this version.
func imageOf(version int) (pieces []piece, ok bool) {
	r, err := gzip.NewReader(bytes.NewReader(emptyImage))
	if err != nil {
		return nil, false
	}
	packed, err := io.ReadAll(r)
	if err != nil {
		return nil, false
	}
	if pieces, err = piecesOf(packed); err != nil || len(pieces) == 0 {
		return nil, false
	}
	head := pieces[0]
	if head.at > 0 || len(head.data) < versionAt+4 {
		return nil, false
	}
	return pieces, binary.BigEndian.Uint32(head.data[versionAt:]) == uint32(version)
}

// piece is a part of a file; what is between two pieces is zero.
type piece struct {
	at   int64
	data []byte
}

// piecesOf reads how many zeros there are, how many bytes follow, these bytes, and so on.
func piecesOf(packed []byte) (out []piece, err error) {
	at := int64(0)
	for len(packed) > 0 {
		zeros, n := binary.Uvarint(packed)
		size, m := binary.Uvarint(packed[max(n, 0):])
		if n <= 0 || m <= 0 || uint64(len(packed)-n-m) < size {
			return nil, errImage
		}
		packed = packed[n+m:]
		at += int64(zeros)
		out = append(out, piece{at, packed[:size]})
		at += int64(size)
		packed = packed[size:]
	}
	return out, nil
}

// unpack writes pieces to an empty file.
func unpack(pieces []piece, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for _, p := range pieces {
		if _, err := f.WriteAt(p.data, p.at); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	last := pieces[len(pieces)-1]
	return errors.Join(f.Truncate(last.at+int64(len(last.data))), f.Close())
}
