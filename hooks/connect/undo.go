package connect

import "bytes"

// undo restores the file without our entries from the file with them. It stores only positions in that file, and
// whitespace that differs. So no copy of ours holds the keys that agents keep in these files.
type undo []piece

// piece is a part of the file with our entries, or whitespace that is not in it.
type piece struct {
	From  int    `json:"from,omitempty"`
	To    int    `json:"to,omitempty"`
	Space string `json:"space,omitempty"`
}

// undoOf computes the undo; nil if the file with our entries lacks something of the original.
func undoOf(base, after []byte) undo {
	same := 0
	for same < min(len(base), len(after)) && base[len(base)-1-same] == after[len(after)-1-same] {
		same++
	}
	u, at, end := undo{}, 0, len(after)-same
	for _, c := range base[:len(base)-same] {
		switch next := bytes.IndexByte(after[at:end], c); {
		case next == 0 || next > 0 && !isSpace(c):
			at += next + 1
			u.take(at-1, at)
		case isSpace(c):
			u = append(u, piece{Space: string(c)})
		default:
			return nil
		}
	}
	u.take(end, len(after))
	return u
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (u *undo) take(from, to int) {
	if n := len(*u); n > 0 && (*u)[n-1].Space == "" && (*u)[n-1].To == from {
		(*u)[n-1].To = to
	} else if from < to {
		*u = append(*u, piece{From: from, To: to})
	}
}

// of returns the file without our entries, if the undo fits the given file.
func (u undo) of(after []byte) ([]byte, bool) {
	out := []byte{}
	for _, p := range u {
		if p.From < 0 || p.To < p.From || p.To > len(after) {
			return nil, false
		}
		out = append(append(out, after[p.From:p.To]...), p.Space...)
	}
	return out, true
}
