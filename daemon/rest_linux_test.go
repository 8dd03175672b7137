package daemon

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// mappedFiles is the size of the file pages that the process has mapped, in KiB.
func mappedFiles(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "RssFile:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestARestReleasesThePagesOfTheProgram(t *testing.T) {
	r := startWith(t, t.TempDir(), Options{}) // one that releases memory
	r.hook(t, prompt("s", "p1", "the quokka importer retries three times"))
	const tries = 50 // what runs beside it maps pages again
	before := mappedFiles(t)
	after := before
	for n := 0; n < tries && after >= before*9/10; n++ {
		if err := releaseProgram(); err != nil {
			t.Fatal(err)
		}
		after = mappedFiles(t)
	}
	if after >= before*9/10 {
		t.Errorf("%d KiB of files were mapped before, %d after", before, after)
	}
	if got := r.ask(t, "GET", "/search?q=quokka+importer", "").body; !strings.Contains(got, "three times") {
		t.Errorf("found after it: %s", got)
	}
}
