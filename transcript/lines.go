package transcript

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"keepmum/safefile"
)

const (
	maxLine = 16 << 20 // longer lines are skipped, to limit memory use
	headLen = 4096
	zstExt  = ".zst"
)

// lineReader parses the lines of one agent.
type lineReader interface {
	line(raw []byte, ref string) (ok bool, err error) // ok = the line is not broken
	begin(first []byte, from Offset)                  // called with the first line that is not empty, before anything else
	end() (Offset, error)                             // yields what was held back; returns its part of the offset
	stats() *Session
}

// readLines passes the complete lines of an append-only file to r.
func readLines(ctx context.Context, src Source, from Offset, r lineReader) (Offset, error) {
	f, err := safefile.Open(src.Path)
	if err != nil {
		return from, err
	}
	defer f.Close()
	packed := strings.HasSuffix(src.Path, zstExt)
	from, err = resume(f, from, packed)
	if err != nil {
		return from, fmt.Errorf("read %s: %w", src.Path, err)
	}
	r.stats().Fresh = from.Pos == 0
	var in io.Reader = f
	if packed && from.Pos > 0 {
		return from, nil // it was read to the end
	}
	if packed {
		if in, err = unpack(f); err != nil {
			return from, fmt.Errorf("read %s: %w", src.Path, err)
		}
		defer in.(*zstd.Decoder).Close()
	}
	l := &lines{in: bufio.NewReaderSize(in, 64<<10), pos: from.Pos, n: from.Lines}
	if err := l.feed(ctx, f, from, r); err != nil {
		return from, fmt.Errorf("read %s: %w", src.Path, err)
	}
	end, err := r.end()
	if err != nil {
		return from, err
	}
	return l.offset(f, end, packed)
}

func unpack(f *os.File) (*zstd.Decoder, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(32<<20))
}

// resume seeks to from if the beginning of the file is unchanged, otherwise to its start.
func resume(f *os.File, from Offset, packed bool) (Offset, error) {
	info, err := f.Stat()
	if err != nil {
		return from, err
	}
	same := from.Pos > 0 && info.Size() >= from.Pos
	if packed { // a compressed file does not grow: with another size it is another file
		same = from.Pos > 0 && info.Size() == from.Pos
	}
	if same {
		head, err := hashHead(f, from.HeadLen)
		if err != nil {
			return from, err
		}
		same = head == from.Head
	}
	if !same {
		from = Offset{}
	}
	_, err = f.Seek(from.Pos, io.SeekStart)
	return from, err
}

func hashHead(f *os.File, n int64) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(f, 0, min(n, headLen))); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// lines splits a stream into lines and tracks the position.
type lines struct {
	in  *bufio.Reader
	buf []byte
	pos int64 // after the last line that was used
	n   int64

	begun bool // the line that describes the session was passed on
}

func (l *lines) offset(f *os.File, end Offset, packed bool) (Offset, error) {
	end.Pos, end.Lines = l.pos, l.n
	if packed {
		info, err := f.Stat()
		if err != nil {
			return end, err
		}
		end.Pos = info.Size()
	}
	end.HeadLen = min(end.Pos, headLen)
	var err error
	end.Head, err = hashHead(f, end.HeadLen)
	return end, err
}

// feed passes on the lines up to the end of the stream.
func (l *lines) feed(ctx context.Context, f *os.File, from Offset, r lineReader) error {
	if from.Pos > 0 {
		l.first(f, from, r)
	}
	st := &r.stats().Stats
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, size, err := l.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if size == 0 {
			return nil
		}
		whole := err == nil
		done, err := l.use(raw, size, whole, from, r, st)
		if err != nil || !done {
			return err
		}
	}
}

// first passes on the line that describes the session, which an earlier reading has read.
func (l *lines) first(f *os.File, from Offset, r lineReader) {
	head := &lines{in: bufio.NewReader(io.NewSectionReader(f, 0, from.Pos))}
	for {
		raw, size, err := head.next()
		if size == 0 || (err != nil && !errors.Is(err, io.EOF)) {
			return
		}
		if raw != nil && len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		l.begun = true
		r.begin(object(raw), from)
		return
	}
}

// use passes one line to r. It returns false for a last line that is still being written. raw is nil if the line is too
// long, whole is false if it has no line end.
func (l *lines) use(raw []byte, size int64, whole bool, from Offset, r lineReader, st *Stats) (bool, error) {
	if raw != nil && len(bytes.TrimSpace(raw)) == 0 {
		if whole {
			l.step(size, whole)
		}
		return whole, nil
	}
	obj := object(raw)
	if !whole && !json.Valid(obj) {
		return false, nil
	}
	if !l.begun && obj != nil {
		r.begin(obj, from)
	}
	l.begun = true
	ref := strconv.FormatInt(l.n+1, 10)
	l.step(size, whole)
	st.Lines++
	st.Bytes += size
	if obj == nil {
		st.Skipped++
		return true, nil
	}
	ok, err := r.line(obj, ref)
	if !ok {
		st.Skipped++
	}
	return true, err
}

// step moves past a line. An incomplete line is counted when its end arrives.
func (l *lines) step(size int64, whole bool) {
	l.pos += size
	if whole {
		l.n++
	}
}

// next returns a line without its line end, and its size including that; io.EOF comes with a last line without an end.
// The line is nil if it is too long, and valid until the next call.
func (l *lines) next() ([]byte, int64, error) {
	l.buf = l.buf[:0]
	var size int64
	for {
		part, err := l.in.ReadSlice('\n')
		size += int64(len(part))
		if size <= maxLine {
			l.buf = append(l.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if size > maxLine {
			l.buf = nil
			return nil, size, err
		}
		return bytes.TrimRight(l.buf, "\r\n"), size, err
	}
}

// object returns the JSON object of a line, even if it was encoded twice, or nil if the line is something else.
func object(raw []byte) []byte {
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff"))) // a byte order mark
	for range 3 {
		if len(raw) == 0 || raw[0] != '"' {
			break
		}
		raw = []byte(strings.TrimSpace(text(raw)))
	}
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	return raw
}
