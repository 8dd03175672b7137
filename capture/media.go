package capture

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

const (
	leastMedia = 80 // characters of base64; less is no picture of anything
	mediaLine  = 60 // characters of a line of it, at least
	mediaHead  = 64 // characters that tell its type
)

// WithoutMedia puts a note of type and size in place of every picture, sound, film
// and PDF in base64. Nobody finds one by a search, each fills the disk, and the gate
// cannot see what is written on it: a screenshot of a key is a key.
func WithoutMedia(v any) any { return withoutMedia(v, "") }

// withoutMedia is told the type that is next to a value, "" = none.
func withoutMedia(v any, declared string) any {
	switch v := v.(type) {
	case string:
		if n := base64Run(v); declared != "" && n >= leastMedia && strings.Trim(v[n:], "=") == "" {
			return mediaNote(declared, n)
		}
		return textWithoutMedia(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutMedia(v[i], "")
		}
		return out
	case map[string]any:
		declared := declaredMedia(v)
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = withoutMedia(v[k], declared)
		}
		return out
	}
	return v
}

// declaredMedia is the type of media that an object says it holds.
func declaredMedia(m map[string]any) string {
	for _, key := range []string{"mimeType", "mime_type", "media_type", "mediaType", "mime", "type"} {
		if s, _ := m[key].(string); isMedia(s) {
			return s
		}
	}
	return ""
}

func isMedia(mime string) bool {
	kind, name, _ := strings.Cut(mime, "/")
	switch kind {
	case "image", "audio", "video", "font":
		return name != "" && len(name) < 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.+-") == ""
	}
	return mime == "application/pdf"
}

func mediaNote(mime string, characters int) string {
	return fmt.Sprintf("[%s of %d bytes, not kept]", mime, characters/4*3)
}

// textWithoutMedia finds media in a text: alone, behind "data:image/png;base64,", or
// as a command prints it, in lines.
func textWithoutMedia(s string) string {
	var out strings.Builder
	done := 0
	for at := 0; len(s)-at >= leastMedia; {
		n := base64Run(s[at:])
		if n < mediaLine {
			at += n + 1
			continue
		}
		mime := sniffed(s[at : at+n])
		if mime == "" {
			at += n + 1
			continue
		}
		length, characters := wrapped(s[at:], n)
		if characters >= leastMedia {
			out.WriteString(s[done:at])
			out.WriteString(mediaNote(mime, characters))
			done = at + length
		}
		at += length
	}
	if done == 0 {
		return s
	}
	out.WriteString(s[done:])
	return out.String()
}

// wrapped is how far base64 goes whose first line is n long: over lines of the same
// length, to one that is shorter.
func wrapped(s string, n int) (length, characters int) {
	length, characters = n, n
	for last := n; last == n; {
		end := 0
		if strings.HasPrefix(s[length:], "\r\n") {
			end = 2
		} else if strings.HasPrefix(s[length:], "\n") {
			end = 1
		}
		last = base64Run(s[length+end:])
		if end == 0 || last == 0 || last > n {
			break
		}
		length, characters = length+end+last, characters+last
	}
	for length < len(s) && s[length] == '=' {
		length++
	}
	return length, characters
}

// sniffed is the type of media that base64 begins like, "" = none.
func sniffed(run string) string {
	head := strings.NewReplacer("-", "+", "_", "/").Replace(run[:min(len(run), mediaHead)/4*4])
	data, err := base64.StdEncoding.DecodeString(head)
	if err != nil {
		return ""
	}
	mime := http.DetectContentType(data)
	if mime == "image/bmp" || !isMedia(mime) { // two letters make a bitmap: words begin so
		return ""
	}
	return mime
}

// base64Run is how many characters of base64 a text begins with.
func base64Run(s string) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/', c == '-', c == '_':
		default:
			return i
		}
	}
	return len(s)
}
