package egress

import (
	"cmp"
	"slices"

	"keepmum/lazyregexp"
)

// Finding says where something looks like a secret, never what it is.
type Finding struct {
	Rule  string `json:"rule"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// Scan reports in order what must not be sent.
func Scan(text string) []Finding {
	masked := mask(text)
	found := nearNames(masked)
	for _, r := range rules() {
		for _, at := range r.re.FindAllStringSubmatchIndex(masked, -1) {
			if r.doubt(masked[at[2]:at[3]]) {
				found = append(found, Finding{Rule: r.name, Start: at[2], End: at[3]})
			}
		}
	}
	slices.SortFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.Compact(found)
}

// blank replaces every byte that is known to be harmless: no rule matches it, and offsets stay the same.
const blank = '\x01'

var (
	// placeholder matches the placeholders of the first gate.
	placeholder = lazyregexp.New(`(\[(?:REDACTED|EXCLUDED|WITHHELD|CUT):[^\]\n]{0,400}\])`)
	// contentHash matches the hash of some content: a commit, an image, a package.
	contentHash = lazyregexp.New(`(?i)(?:\b(?:commit|sha-?\d+|sha|index|tree|parent|object|digest|hash|sum|md5|etag|rev(?:ision)?|head|merge|oid|h1|integrity|output)["']?[ \t:=@-]{1,3}["']?|@)([a-z0-9+/]{27,88}={0,2}|[0-9a-f]{7,128}\b)`)
	// pseudo matches the version of a Go module that has no tag: a time and a commit.
	pseudo = lazyregexp.New(`\bv\d+\.\d+\.\d+-(?:[\w.]+\.)?(\d{14}-[0-9a-f]{12})\b`)
	// logLine matches the ids of a commit and its parents at the start of a line, as git log prints them.
	logLine = lazyregexp.New(`(?m)^([0-9a-f]{40}(?: [0-9a-f]{40})*)(?:[ \t]|$)`)
)

// mask blanks what is known to be harmless.
func mask(text string) string {
	b := []byte(text)
	for _, re := range []*lazyregexp.Regexp{placeholder, contentHash, pseudo, logLine} {
		for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
			for i := at[2]; i < at[3]; i++ {
				b[i] = blank
			}
		}
	}
	return string(b)
}
