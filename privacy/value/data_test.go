package value

import "testing"

func TestNumbersDatesAndConstantsAreData(t *testing.T) {
	for v, want := range map[string]bool{
		"184213": true, "86400s": true, "2031-04-07": true, "2031-04-07T02:00": true, "SHOP_API_TOKEN": true,
		"AES-256-GCM": true,
		"#3b82f6":     true, "--dump": true, "RS256": true, "otter42": false, "Kiesel-Nord-48": false, "KIESEL!48": false,
		"t*U98taQ": false, "1717x": false,
	} {
		if got := Data(v); got != want {
			t.Errorf("%s: %v", v, got)
		}
	}
}
