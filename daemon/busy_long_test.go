package daemon

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"keepmum/budget"
)

// busyProcesses is a load under which a prompt must still be told what it is told
// when the machine is quiet.
const busyProcesses = 8

// TestABusyMachineLosesNoTelling asks for what was told on a quiet machine once more,
// beside processes that take all they can get: up to 1 % may be lost to the budget
// of time.
func TestABusyMachineLosesNoTelling(t *testing.T) {
	if os.Getenv("MUM_BUSY") == "" { // it takes the machine from all other tests, and its figure from their load
		t.Skip("make bench-busy, on a machine that does nothing else")
	}
	t.Setenv(budget.Env, "1") // what agents give
	s := readTold(t, filepath.Join("..", "testdata", "told", "a"))
	b := startBench(t, s, true)
	var told []toldTask
	for _, task := range s.tasks {
		if b.tell(t, task).text != "" {
			told = append(told, task)
		}
	}
	if len(told) < len(s.tasks)/2 {
		t.Fatalf("only %d of %d are told on a quiet machine", len(told), len(s.tasks))
	}
	for range busyProcesses {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { _ = cmd.Wait() })
	}
	asked, lost := 0, 0
	for asked < 300 {
		for _, task := range told {
			asked++
			if b.tell(t, task).text == "" {
				lost++
			}
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	t.Logf("load %s", load)
	t.Logf("%d of %d prompts were told nothing for lack of time", lost, asked)
	if lost*100 > asked {
		t.Errorf("%d of %d prompts were told nothing", lost, asked)
	}
}
