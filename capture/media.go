package capture

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

const (
	leastMedia = 80 // characters of base64; a shorter run cannot be an image
	mediaLine  = 60 // characters of one line of it, at least
	mediaHead  = 64 // characters that are enough to tell the type
)

// WithoutMedia replaces every image, sound, film and PDF in base64 with a note of its type and size. No search finds
// them, they fill the disk, and the gate cannot see what is in them: a screenshot of a key still shows the key.
func WithoutMedia(v any) any { return withoutMedia(v, "") }

// withoutMedia does this for a value whose media type is stated next to it; "" = none.
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

// declaredMedia returns the media type that an object states for its contents.
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

// textWithoutMedia replaces media in a text: on its own, after "data:image/png;base64,", or wrapped in lines as a
// command prints it.
func textWithoutMedia(s string) string {
	var out strings.Builder
	done := 0
	for at := nextLine(s, 0); len(s)-at >= leastMedia; at = nextLine(s, at) {
		n := base64Run(s[at:])
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

// nextLine returns where the next line of base64 begins, or the length of s. It skips most of a text unread.
func nextLine(s string, at int) int {
	for end := at + mediaLine; end <= len(s); end = at + mediaLine {
		start := end
		for start > at && isBase64(s[start-1]) {
			start--
		}
		if start == at {
			return at
		}
		at = start
	}
	return len(s)
}

// wrapped returns the length of wrapped base64 whose first line has n characters: all lines of the same length and one
// shorter last line.
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

// sniffed returns the media type that base64 text decodes to, "" = none.
func sniffed(run string) string {
	head := strings.NewReplacer("-", "+", "_", "/").Replace(run[:min(len(run), mediaHead)/4*4])
	data, err := base64.StdEncoding.DecodeString(head)
	if err != nil {
		return ""
	}
	mime := http.DetectContentType(data)
	if mime == "image/bmp" || !isMedia(mime) { // two letters identify a bitmap, and words start with them too
		return ""
	}
	return mime
}

// base64Run returns how many characters at the start of a text are base64.
func base64Run(s string) int {
	for i := range len(s) {
		if !isBase64(s[i]) {
			return i
		}
	}
	return len(s)
}

func isBase64(c byte) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/', c == '-', c == '_':
		return true
	}
	return false
}
