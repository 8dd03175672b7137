package judge

import (
	"strings"

	"keepmum/privacy/value"
)

// declaredValue returns where the literal starts that a declaration assigns after a type: PIC X(8) VALUE '…', TYPE
// string VALUE '…', CHAR(8) INIT('…'), VARCHAR(20) DEFAULT '…', constant String := "…".
func declaredValue(text string, i int) (int, bool) {
	const reach, longest = 72, len("character")
	end := i
	for end < len(text) && end-i <= longest && value.Alphanumeric(text[end]) {
		end++
	}
	if end == i || end-i > longest ||
		!value.InList(value.LowerASCII(text[i:end]),
			" pic picture type like char varchar varchar2 nvarchar nvarchar2 string character constant bpchar text as s ") {
		return 0, false
	}
	line := text[i:min(len(text), i+reach)]
	q := strings.IndexAny(line, "\"'\n")
	if q < 8 || line[q] == '\n' || strings.Trim(line[:q], value.Letters+"0123456789 ().,:=_-") != "" {
		return 0, false
	}
	head := strings.TrimRight(line[:q], " (")
	words := strings.FieldsFunc(value.LowerASCII(head), func(r rune) bool { return strings.ContainsRune(" (),.:=", r) })
	if len(words) < 2 || len(words) > 9 {
		return 0, false
	}
	last := words[len(words)-1]
	if last == "is" {
		last = words[len(words)-2]
	}
	return i + q, strings.HasSuffix(head, "=") || value.InList(last, " value init initial inz default ")
}
