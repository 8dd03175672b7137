package store

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"keepmum/longtest"
	"keepmum/privacy"
)

// crashEnv makes the test binary the process that is killed. Its value says what that process does besides writing.
const crashEnv = "KEEPMUM_TEST_CRASH"

// TestKillKeepsWhatWasAcknowledged repeatedly kills a writing process and checks what is left.
func TestKillKeepsWhatWasAcknowledged(t *testing.T) {
	if what := os.Getenv(crashEnv); what != "" {
		writeUntilKilled(t, what)
		return
	}
	for i, what := range []string{"write", "backup", "forget", "replace", "scrub", "import", "merge"} {
		if !longtest.Every(3, i) {
			continue
		}
		t.Run(what, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			acked := map[int64]string{}
			for round := range longtest.Rounds(1, 10) {
				killAfter(t, what, path, round, 150+100*round, acked)
				checkCrashed(t, path, what, acked)
			}
			if len(acked) == 0 {
				t.Error("nothing was acknowledged: the test looks at nothing")
			}
		})
	}
}

// killAfter runs the writer until it has acknowledged n documents.
func killAfter(t *testing.T, what, path string, round, n int, acked map[int64]string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKillKeepsWhatWasAcknowledged$")
	cmd.Env = append(os.Environ(), crashEnv+"="+what, "KEEPMUM_TEST_PATH="+path, "KEEPMUM_TEST_ROUND="+strconv.Itoa(round))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for seen := 0; seen < n && lines.Scan(); {
		id, text, ok := strings.Cut(lines.Text(), " ")
		if key, err := strconv.ParseInt(id, 10, 64); ok && err == nil {
			acked[key] = text
			seen++
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() { // what was acknowledged before the signal arrived
		if id, text, ok := strings.Cut(lines.Text(), " "); ok && strings.HasSuffix(text, ".") {
			if key, err := strconv.ParseInt(id, 10, 64); err == nil {
				acked[key] = text
			}
		}
	}
	_ = cmd.Wait() // it was killed
}

func writeUntilKilled(t *testing.T, what string) {
	db, err := Open(t.Context(), Options{Path: os.Getenv("KEEPMUM_TEST_PATH")})
	if err != nil {
		t.Fatal(err)
	}
	round := os.Getenv("KEEPMUM_TEST_ROUND")
	var out sync.Mutex
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				text := fmt.Sprintf("keep round %s writer %d number %d.", round, w, i)
				r, err := db.PutPrompt(t.Context(), Prompt{Session: ref("p", fmt.Sprint("s", w)), Text: clean(text)})
				if err != nil {
					t.Error(err)
					return
				}
				out.Lock()
				fmt.Println(r.ID, text)
				out.Unlock()
			}
		})
	}
	meanwhile(t, db, what)
	wg.Wait()
}

// meanwhile repeats what must happen completely or not at all.
func meanwhile(t *testing.T, db *DB, what string) {
	for i := 0; what != "write"; i++ {
		switch what {
		case "merge":
			if _, err := db.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		case "scrub":
			for range 20 {
				put(t, db, "p", "leaky", "the deploy token is "+crashSecret())
			}
			scrubAll(t, db)
		case "import":
			importAll(t, db)
		case "backup":
			if _, err := db.Backup(t.Context(), filepath.Join(filepath.Dir(db.Path()), "backups"), 3); err != nil {
				t.Fatal(err)
			}
		case "forget", "replace":
			var some []int64
			for range 20 {
				r, err := db.PutPrompt(t.Context(), Prompt{Session: ref("p", "doomed"), Text: clean(fmt.Sprint("doomed text ", i))})
				if err != nil {
					t.Fatal(err)
				}
				some = append(some, r.ID)
			}
			if what == "replace" {
				if _, err := db.Replace(t.Context(), fmt.Sprint("doomed text ", i)); err != nil {
					t.Fatal(err)
				}
				continue
			}
			plan, err := db.PlanForget(t.Context(), Selection{IDs: some})
			if err == nil {
				err = db.Forget(t.Context(), plan)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkCrashed(t *testing.T, path, what string, acked map[int64]string) {
	t.Helper()
	db, err := Open(t.Context(), Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ResumeForget(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkIndex(t, db)
	lost := 0
	for id, text := range acked {
		rows, err := db.Observations(t.Context(), []int64{id})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1 || rows[0].Text != text {
			lost++
		}
	}
	if lost > 0 {
		t.Errorf("%d of %d acknowledged documents are not there", lost, len(acked))
	}
	backups, err := Backups(filepath.Join(filepath.Dir(path), "backups"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backups {
		if _, err := VerifyBackup(t.Context(), b); err != nil {
			t.Errorf("a backup is not whole: %v", err)
		}
	}
	switch what {
	case "scrub": // an interrupted scrub is continued by the next one
		scrubAll(t, db)
		if n := bytesOnDisk(t, db, strings.ToLower(crashSecret())); n != 0 {
			t.Errorf("the token stands %d times on disk", n)
		}
	case "import":
		importAll(t, db)
		var n int
		if err := db.read.Get(&n,
			`SELECT count(*) FROM docs d JOIN sessions s ON s.id = d.session_id WHERE s.native = 'imported'`); err != nil ||
			n != crashImports {
			t.Errorf("%d documents were imported, want %d; %v", n, crashImports, err)
		}
	case "forget":
		var left int
		if err := db.read.Get(&left, `SELECT count(*) FROM forgetting`); err != nil || left > 0 {
			t.Errorf("%d documents are still being forgotten, %v", left, err)
		}
	}
}

func crashSecret() string { return "ghp_" + strings.Repeat("a1B2c3D4e5", 4)[:36] }

func scrubAll(t *testing.T, db *DB) {
	t.Helper()
	gate, err := privacy.New(privacy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Scrub(t.Context(), gate, ScrubOptions{All: true}); err != nil {
		t.Fatal(err)
	}
}

const crashImports = 300

// importAll always imports the same records.
func importAll(t *testing.T, db *DB) {
	t.Helper()
	for i := range crashImports {
		text, at := clean(fmt.Sprint("imported text ", i)), time.UnixMilli(int64(1_000_000+i)).UTC()
		_, err := db.Import(t.Context(),
			Imported{Session: Session{SessionRef: ref("p", "imported"), At: at}, Kind: KindPrompt, Role: RoleUser, At: at,
				Text: &text})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheWriterAnswersEverybodyAtClose(t *testing.T) {
	db, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			_, err := db.PutPrompt(t.Context(),
				Prompt{Session: ref("p", "s"), Text: clean(fmt.Sprint("text ", i)), At: time.UnixMilli(1)})
			if err != nil && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if err := db.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}
