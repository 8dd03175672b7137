package store

import (
	"database/sql/driver"
	"strings"
	"sync"

	"modernc.org/sqlite"
)

// saysExactly is the SQL condition that a document contains an exact text, which must be bound as [folded] returns it.
const saysExactly = `instr(folded(coalesce(d.title, '') || char(10) || coalesce(d.body, '') || char(10) ||
	coalesce(d.input, '') || char(10) || coalesce(d.output, '') || char(10) || coalesce(d.files, '')), ?) > 0`

// folded returns a text in lower case, letter by letter as the index does. SQLite's own lower knows ASCII only.
func folded(text string) string { return strings.Map(lowered, text) }

// registerFolded makes [folded] known to the connections that are opened from then on.
var registerFolded = sync.OnceFunc(func() {
	sqlite.MustRegisterDeterministicScalarFunction("folded", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			text, _ := args[0].(string)
			return folded(text), nil
		})
})
