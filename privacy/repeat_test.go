package privacy

import (
	"strings"
	"testing"

	"keepmum/privacy/scan"
)

// What is skipped of a flood is what was judged before: a secret among it is
// found wherever it stands.
func TestAFloodHidesNoSecret(t *testing.T) {
	const value = "kT7!vq2Lw9"
	g := newGate(t, Options{})
	for _, flood := range []string{":pw", "ldappasswd ", "jwt: ", "token=\n", "\"key\": null,\n", "password "} {
		before := strings.Repeat(flood, 3*scan.ManyNames)
		for name, text := range map[string]string{
			"behind":     before + "\npassword=" + value + "\n",
			"between":    before + "\npassword=" + value + "\n" + before,
			"many times": before + strings.Repeat("\npassword="+value+"\n"+strings.Repeat(flood, 9), 40),
		} {
			if got, _ := g.Text(text); strings.Contains(got.String(), value) {
				t.Errorf("%s a flood of %q a password is left", name, flood)
			}
		}
	}
}
