package known

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"strings"

	"keepmum/privacy/scan"
	"keepmum/privacy/value"
	"keepmum/privacy/view"
)

// unpacked returns the text in an encoded file: base64, hex or a hexdump of it, compressed or in an archive. It returns
// "" for any other text.
func unpacked(text string) string {
	raw := dumped(text)
	if raw == "" && encodedOnly(text) {
		raw = decodedWhole(strings.Join(strings.Fields(text), ""))
	}
	if strings.HasPrefix(raw, "\x1f\x8b") {
		r, err := gzip.NewReader(strings.NewReader(raw))
		if err != nil {
			return ""
		}
		plain, _ := io.ReadAll(io.LimitReader(r, scan.MaxHarvested)) // the end may be cut off
		raw = string(plain)
	}
	return strings.Map(func(c rune) rune { // an archive has text between its headers
		if c < ' ' && c != '\t' || c == 0x7F {
			return '\n'
		}
		return c
	}, raw)
}

// encodedOnly reports whether a text consists of lines of base64.
func encodedOnly(text string) bool {
	for i := range len(text) {
		if c := text[i]; !value.IsBase64(c) && c != '=' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// decodedWhole decodes a text that is completely hex or base64.
func decodedWhole(run string) string {
	if len(run) < view.MinEncoded {
		return ""
	}
	if value.CountKinds(run).Hex && len(run)%2 == 0 {
		raw, _ := hex.DecodeString(run) // it is hex
		return string(raw)
	}
	return value.DecodeBase64(strings.TrimRight(run, "="))
}

// dumped returns the bytes of a hexdump, "" if a line is not part of one.
func dumped(text string) string {
	var out []byte
	for line := range strings.Lines(text) {
		raw, _ := view.DumpLine(strings.TrimRight(line, "\r\n"))
		if len(raw) == 0 && len(out) == 0 {
			return ""
		}
		out = append(out, raw...)
	}
	return string(out)
}
