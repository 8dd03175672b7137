package privacy

import "testing"

// What `strings` prints of a program is names, and the line below "…Pass" is the next one.
func TestNamesOfAProgramAreKept(t *testing.T) {
	g := newGate(t, Options{})
	for _, text := range []string{
		"_ZN5polly9ScopPass3runE\n_ZTVN4llvm3orc14IRCompileLayerE access key\n",
		"LLVMAddStripSymbolsPass\nLLVMAddDCEPass\nLLVMAddGVNPass\nLLVMAddScalarizerPass\nLLVMAddLoopSinkPass\n",
		"PKCS12_setup_mac\nPKCS12_newpass\nPKCS8_set0_pbe_ex\nPKCS8_encrypt_ex\nPKCS8_set0_p8\n",
		"the token of N7r600_sb13if_conversionE\n",
		"Passwords: %snone%s\ncookie=%lu reply_cookie=%lu signature=%s\n",
		"PIPE_FORMAT_XYUV\nxyuv_fmt\nr8_g8b8_420_unorm\nPIPE_FORMAT_G8\n",
	} {
		if got, _ := g.Text(text); got.String() != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A word in a list that is no name of code is still what is below its name.
func TestAPasswordBelowItsNameIsTakenOutOfAList(t *testing.T) {
	g := newGate(t, Options{})
	for _, text := range []string{"user\nkim\npassword\nTulpe77feld!\nhost\n",
		"user\nkim\npassword\nViolet77rhino\nport\n5432\n"} {
		if got, _ := g.Text(text); got.String() == text {
			t.Errorf("%q was kept", text)
		}
	}
}

func TestAShortNumberIsNoSecretElsewhere(t *testing.T) {
	g := newGate(t, Options{})
	const text = "my SIM pin is 200809\n#define _POSIX_THREADS 200809\n"
	if got, _ := g.Text(text); got.String() == text ||
		got.String()[len(got.String())-len("THREADS 200809\n"):] != "THREADS 200809\n" {
		t.Errorf("%q became %q", text, got)
	}
}

func TestKeysOfTestsOfCiphersAreKept(t *testing.T) {
	g := newGate(t, Options{})
	const key = `api_key: "205082fc0b41a45cd085527d9d1c0a16410b47152a743436faa74ae67ae60bca",`
	for text, keeps := range map[string]bool{
		"{\n\tnonce: \"9e7a69ca17672f6b209285b7\",\n\t" + key + "\n\tinput: \"00000000000000000\",\n}": true,
		"{\n\t" + key + "\n\tname: \"staging\",\n\tinput: \"stdin\",\n}":                               false,
	} {
		if got, _ := g.Text(text); (got.String() == text) != keeps {
			t.Errorf("%q became %q", text, got)
		}
	}
}
