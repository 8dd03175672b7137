package capture_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/capture"
)

// picture is a PNG as far as it is recognised by its beginning, with a key in a comment.
func picture(n int) []byte {
	return append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		bytes.Repeat([]byte("\x07tEXt ghp_aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zA1bC2"), n)...)
}

// inLines wraps a text as base64(1) does.
func inLines(s string, width int, end string) string {
	var out []string
	for ; len(s) > width; s = s[width:] {
		out = append(out, s[:width])
	}
	return strings.Join(append(out, s), end)
}

func TestOfAPictureItsTypeAndSizeAreKept(t *testing.T) {
	data := base64.StdEncoding.EncodeToString(picture(20))
	url := base64.RawURLEncoding.EncodeToString(picture(20))
	unknown := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0, 0, 0, 24, 'f', 't', 'y', 'p', 'h', 'e', 'i', 'c'},
		30))
	const note = "[image/png of 936 bytes, not kept]"
	for name, c := range map[string]struct{ in, want any }{
		"a tool's file": {map[string]any{"type": "image",
			"file": map[string]any{"base64": data, "type": "image/png", "originalSize": 936}},
			map[string]any{"type": "image", "file": map[string]any{"base64": note, "type": "image/png", "originalSize": 936}}},
		"an MCP answer": {[]any{map[string]any{"type": "image", "data": data, "mimeType": "image/png"}},
			[]any{map[string]any{"type": "image", "data": note, "mimeType": "image/png"}}},
		"a type it declares": {map[string]any{"data": unknown, "media_type": "image/heic"},
			map[string]any{"data": "[image/heic of 360 bytes, not kept]", "media_type": "image/heic"}},
		"an address": {"before ![](data:image/png;base64," + data + ") behind",
			"before ![](data:image/png;base64," + note + ") behind"},
		"what a command prints": {"$ base64 a.png\n" + inLines(data, 76, "\n") + "\n$ echo done\ndone\n",
			"$ base64 a.png\n" + note + "\n$ echo done\ndone\n"},
		"lines of Windows": {inLines(data, 64, "\r\n"), note},
		"two":              {data + " " + url, note + " " + note},
		"a PDF": {base64.StdEncoding.EncodeToString([]byte("%PDF-1.7\n" + strings.Repeat("x", 291))),
			"[application/pdf of 300 bytes, not kept]"},
	} {
		if diff := cmp.Diff(c.want, capture.WithoutMedia(c.in)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, text := range map[string]string{
		"text in base64": base64.StdEncoding.EncodeToString([]byte(strings.Repeat("plain words of no picture ", 20))),
		"a long word":    strings.Repeat("BMabcdefgh", 40),
		"a path":         "/9j/" + strings.Repeat("k/", 20),
		"words":          strings.Repeat("some words of a sentence\n", 40),
	} {
		if got := capture.WithoutMedia(map[string]any{"text": text}); !cmp.Equal(got, any(map[string]any{"text": text})) {
			t.Errorf("%s became %v", name, got)
		}
	}
}
