package compress

import (
	"os"
	"path/filepath"
	"strings"
)

// OnBattery reports whether this machine runs on battery. It only reads the kernel's files; if they do not say, it
// assumes mains power.
func OnBattery() bool { return onBattery("/sys/class/power_supply") }

func onBattery(dir string) bool {
	supplies, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return false
	}
	discharging := false
	for _, s := range supplies {
		switch value(s, "type") {
		case "Mains", "USB":
			if value(s, "online") == "1" {
				return false
			}
		case "Battery":
			// A mouse has a battery too; its scope shows that.
			discharging = discharging || value(s, "status") == "Discharging" && value(s, "scope") != "Device"
		}
	}
	return discharging
}

func value(dir, name string) string {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
