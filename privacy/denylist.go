package privacy

// verdict is what the paths and the command of an event say about its content.
type verdict struct {
	denied string   // the denied path; "" = none
	paths  []string // every path the event names
	output policy   // what the nature of the command says about its output
}

// policy says what may be kept of a command's output.
type policy int

const (
	keepOutput policy = iota
	dropValues        // env-like: names stay, values go
	dropOutput
)

// keeps reports whether the string at field ("input.file_path", "prompt") may
// stay in an event whose content is denied.
func (v verdict) keeps(field string) bool { return v.denied == "" }

// denylist knows which files are never kept.
type denylist struct{}

func newDenylist(home string, extra []string) (*denylist, error) { return &denylist{}, nil }

func (d *denylist) check(r Raw) verdict { return verdict{} }
