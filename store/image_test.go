package store

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/jmoiron/sqlx"
)

var writeImage = flag.Bool("image", false, "write store/empty.image from the migrations")

// packed is what [piecesOf] reads: a file without its longer runs of zeros.
func packed(file []byte) (out []byte) {
	const apart = 16 // fewer zeros stay in a piece
	for at := 0; at < len(file); {
		from := at
		for from < len(file)-1 && file[from] == 0 {
			from++
		}
		to, zeros := from, 0
		for i := from; i < len(file) && zeros < apart; i++ {
			if zeros++; file[i] != 0 {
				to, zeros = i+1, 0
			}
		}
		if to == from { // the last byte, which is zero
			to++
		}
		out = binary.AppendUvarint(out, uint64(from-at))
		out = binary.AppendUvarint(out, uint64(to-from))
		out = append(out, file[from:to]...)
		at = to
	}
	return out
}

// imageNow makes the image from the migrations.
func imageNow(t *testing.T) []byte {
	t.Helper()
	old := emptyImage
	emptyImage = nil
	defer func() { emptyImage = old }()
	path := filepath.Join(t.TempDir(), "empty.db")
	if err := errors.Join(prepareFile(path), (&DB{}).fill(t.Context(), path)); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	w, err := gzip.NewWriterLevel(&small, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(packed(file))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return small.Bytes()
}

// [TestANewDatabaseIsWhatTheMigrationsMake] compares what the image leads to.
func TestTheImageIsOfTheNewestMigration(t *testing.T) {
	if *writeImage {
		emptyImage = imageNow(t)
		if err := os.WriteFile("empty.image", emptyImage, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, newest, err := allMigrations()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := imageOf(newest); !ok {
		t.Fatal("the image is older than the migrations: go test ./store -run TestTheImage -image")
	}
}

func TestADatabaseFromTheImageIsWhole(t *testing.T) {
	db := openTest(t)
	var found []string
	if err := db.read.DB.Select(&found, "PRAGMA integrity_check"); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0] != "ok" {
		t.Error(found)
	}
}

func TestAFileIsItsPieces(t *testing.T) {
	file := make([]byte, 5_000)
	for i := range 100 {
		file[i*i/3] = byte(i)
	}
	for _, size := range []int{1, 2, 100, 3_000, 5_000} {
		pieces, err := piecesOf(packed(file[:size]))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := unpack(pieces, path); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, file[:size]) {
			t.Errorf("%d bytes came back as %d others, %v", size, len(got), err)
		}
	}
	for _, damaged := range [][]byte{{0x80}, {0, 5, 1, 2}, {1}} {
		if _, err := piecesOf(damaged); !errors.Is(err, errImage) {
			t.Errorf("%v: %v", damaged, err)
		}
	}
}

// Without an image of this version, the migrations make the database.
func TestWithoutAnImageTheMigrationsMakeTheTables(t *testing.T) {
	old := emptyImage
	defer func() { emptyImage = old }()
	for name, image := range map[string][]byte{"none": nil, "cut off": old[:len(old)/2]} {
		emptyImage = image
		db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db"), Key: []byte("key")})
		if err != nil {
			t.Fatal(name, err)
		}
		var tables int
		err = db.read.DB.Get(&tables, `SELECT count(*) FROM sqlite_schema WHERE name = 'docs'`)
		if err != nil || tables != 1 {
			t.Error(name, tables, err)
		}
		if err := db.Close(); err != nil {
			t.Error(name, err)
		}
	}
}

// The connection that writes syncs each commit, and another key is refused from the first start on.
func TestANewDatabaseSyncsAndKnowsItsKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	db, err := Open(t.Context(), Options{Path: path, Key: []byte("key")})
	if err != nil {
		t.Fatal(err)
	}
	var synchronous int
	if err := db.writer.alone(t.Context(), func(conn *sqlx.Conn) error {
		return conn.GetContext(t.Context(), &synchronous, "PRAGMA synchronous")
	}); err != nil || synchronous != 2 {
		t.Errorf("synchronous is %d, %v", synchronous, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Path: path, Key: []byte("another")}); !errors.Is(err, ErrKey) {
		t.Errorf("another key: %v", err)
	}
}

// Nothing is acknowledged before the new file survives a power cut.
func TestTheFirstCommitWaitsForTheNewFile(t *testing.T) {
	db := openTest(t)
	failed := errors.New("the directory cannot be synced")
	db.placed = func() error { return failed }
	if err := db.writer.do(t.Context(), func(*txState) error { return nil }); !errors.Is(err, failed) {
		t.Errorf("acknowledged: %v", err)
	}
}
