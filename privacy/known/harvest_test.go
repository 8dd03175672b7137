package known

import (
	"slices"
	"testing"
)

// TestWhatAFileOfSecretsTeaches lists the values that are remembered of a denied file, if any.
func TestWhatAFileOfSecretsTeaches(t *testing.T) {
	for text, want := range map[string][]string{
		"DB_PASSWORD=Kies.grube_4\nPORT=8080\n":             {"Kies.grube_4"},
		"api_key: \"q8Zt3LwV0yKc5RmX2nBd7HsJ\"\nregion: eu": {"q8Zt3LwV0yKc5RmX2nBd7HsJ"},
		"DEBUG=true\nNAME=shop\nSECRET=changeme\n":          nil,
		"postgres://app:Tr0ub4dor&3x@db.internal/shop\n":    {"postgres://app:Tr0ub4dor&3x@db.internal/shop", "Tr0ub4dor&3x"},
	} {
		if got := Harvest(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCommonValuesAreNoSecrets(t *testing.T) {
	for v, want := range map[string]bool{
		"true": true, "localhost": true, "8080": true, "/usr/lib/shop": true, "Kies.grube_4": false,
		"q8Zt3LwV0yKc5RmX2nBd7HsJ": false,
	} {
		if got := HarmlessValue(v); got != want {
			t.Errorf("%s: harmless %v, want %v", v, got, want)
		}
	}
}

func TestTheNameOfAValue(t *testing.T) {
	for name, want := range map[string]bool{
		"DB_PASSWORD": true, "apiKey": true, "client-secret": true, "PORT": false, "publicKey": false, "region": false,
	} {
		if got := SecretName(name); got != want {
			t.Errorf("%s: secret %v, want %v", name, got, want)
		}
	}
}
