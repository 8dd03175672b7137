package daemon

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"keepmum/longtest"
)

// Whoever adds memories at the same time waits for the others.
func TestMemoriesAreAddedAtTheSameTime(t *testing.T) {
	r := startRig(t, t.TempDir())
	for name, title := range map[string]string{"alike": "Totals of the invoices are rounded half to even, round %d",
		"apart": "Customer%d pays by invoice within 30 days", "the same": "Prices are kept in cents %.0d"} {
		t.Run(name, func(t *testing.T) {
			var wg sync.WaitGroup
			for i := range longtest.Size(6, 12) {
				wg.Go(func() {
					got := r.ask(t, "POST", "/memories", fmt.Sprintf(`{"title":`+"%q"+`,"global":true}`, fmt.Sprintf(title, i)))
					if got.status != http.StatusOK {
						t.Errorf("%d %s", got.status, got.body)
					}
				})
			}
			wg.Wait()
		})
	}
}
