package page

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"keepmum/api"
)

func TestWhatWentWrongIsSaidInWordsThatHelp(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		known  bool
	}{
		{fmt.Errorf("list them: %w", &api.Error{Code: api.NotFound, Message: "there is none"}), http.StatusNotFound, true},
		{fmt.Errorf("ask: %w", api.ErrSilent), http.StatusServiceUnavailable, true},
		{errors.New("a nil map"), http.StatusInternalServerError, false},
	} {
		got, known := worded(c.err)
		if got.Code.Status() != c.status || known != c.known || got.Message == "" {
			t.Errorf("%v: %d %v", c.err, got.Code.Status(), known)
		}
	}
}
