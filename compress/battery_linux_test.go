package compress

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheBatteryIsReadFromTheKernelsFiles(t *testing.T) {
	for name, tc := range map[string]struct {
		supplies map[string]map[string]string
		want     bool
	}{
		"a desktop": {nil, false},
		"a laptop on battery": {map[string]map[string]string{"AC": {"type": "Mains", "online": "0"},
			"BAT0": {"type": "Battery", "status": "Discharging"}}, true},
		"a laptop that charges": {map[string]map[string]string{"AC": {"type": "Mains", "online": "1"},
			"BAT0": {"type": "Battery", "status": "Charging"}}, false},
		"on mains, discharging": {map[string]map[string]string{"AC": {"type": "Mains", "online": "1"},
			"BAT0": {"type": "Battery", "status": "Discharging"}}, false},
		"a mouse": {
			map[string]map[string]string{"hidpp": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for supply, files := range tc.supplies {
				if err := os.Mkdir(filepath.Join(dir, supply), 0o700); err != nil {
					t.Fatal(err)
				}
				for file, text := range files {
					if err := os.WriteFile(filepath.Join(dir, supply, file), []byte(text+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := onBattery(dir); got != tc.want {
				t.Errorf("on battery: %v, want %v", got, tc.want)
			}
		})
	}
}
