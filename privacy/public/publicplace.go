package public

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// idName reports whether the words of a name mean an id, a digest or a public key.
func idName(words []string) bool {
	if len(words) == 0 {
		return false
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "id", "ids", "uid", "uuid", "guid":
		return !value.InList(before, " session sess secret cookie login auth client ")
	case "kid", "keyid", "cid", "etag", "peer", "digest":
		return true
	}
	return false
}

// mailHeaders are headers of a mail in transit.
const mailHeaders = " x-google-smtp-source x-gm-message-state x-gm-gg x-gm-features "

// clickIDs tell advertising networks which advertisement somebody followed.
const clickIDs = " gclid gbraid wbraid dclid fbclid msclkid ttclid twclid yclid igshid srsltid epik _gl _ga " +
	"ved ei sstk code_challenge "

// macTemporary is in the paths of temporary files on macOS; their folders have random names.
const macTemporary = "/var/folders/"

// Place reports whether what is before a run means that it is public: an id, a public key, a link that many
// people have.
func Place(s *scan.Scanner, from, to int) bool {
	before, run := s.Text[max(0, from-96):from], s.Text[from:to]
	switch {
	case strings.HasSuffix(before, " bh="),
		strings.HasSuffix(before, " b=") && strings.Contains(s.Text[max(0, from-400):from], "bh="): // a DKIM key
		return true
	case value.EndsFold(before, "Basic "): // it is judged as an account and a password
		return true
	case strings.HasPrefix(run, "/nix/store/"), strings.Contains(run, macTemporary), strings.HasSuffix(before, "ipfs:"):
		return true
	case strings.HasPrefix(s.Text[to:], "@developer.gserviceaccount.com"), publicNameBefore(before),
		publicHalf25519(before[strings.LastIndexAny(before, " \n\t\"'")+1:] + run):
		return true
	}
	return false
}

// publicNameBefore reports whether a text ends with a name that means that its value is public.
func publicNameBefore(before string) bool {
	name := strings.TrimRight(unwrappedCall(before), "\"'` \\")
	sep := len(name) - 1
	return sep > 0 && (name[sep] == ':' || name[sep] == '=') && namedPublic(before, name[:sep])
}

// namedPublic reports whether the name that a text ends with means that its value is public.
func namedPublic(before, text string) bool {
	quoted := strings.HasSuffix(text, `"`)
	text = strings.TrimRight(text, "\"'` \\:")
	at, _ := assign.NameAt(text, len(text))
	name := text[at:]
	if at > 0 && (text[at-1] == '?' || text[at-1] == '&') {
		return value.InList(name, clickIDs) // other links may give access
	}
	switch low := value.LowerASCII(name); {
	case value.InList(low, mailHeaders):
		return true
	case quoted && value.InList(name, " n x y signature thoughtSignature "):
		return true // of a JSON Web Key; nobody can reuse a signature
	}
	var room [value.MaxWords]string
	words := value.NameWords(name, room[:0])
	login := len(words) == 1 && strings.Contains(value.LowerASCII(before), "session")
	if idName(words) && !login || Name(words) {
		return true
	}
	return len(words) > 0 && value.InList(words[len(words)-1], publicNameEnds)
}

// publicNameEnds are the last words of names of values that are next to a secret and give no access.
const publicNameEnds = " md sum digest sha accept pub pubkey public iv ciphertext thumbprint " +
	"fingerprint checksum hash hashes signature salt nonce challenge tag email "

// unwrappedCall removes a call around a literal: aws.String(", []byte(".
func unwrappedCall(before string) string {
	open := strings.TrimSuffix(strings.TrimRight(before, "\"'`"), "[]string{")
	call, ok := strings.CutSuffix(open, "(")
	if !ok || call == "" {
		return open
	}
	at, _ := assign.NameAt(call, len(call))
	return strings.TrimSuffix(call[:at], "[]")
}

// fingerprint reports whether a value is the fingerprint of an OpenPGP key.
func fingerprint(s *scan.Scanner, at int, v string) bool {
	v = strings.TrimPrefix(v, "0x")
	if len(v) != 16 && len(v) != 40 || strings.Trim(v, "0123456789ABCDEF") != "" {
		return false
	}
	line := s.Text[value.LineStart(s.Text, at, 96):at]
	if near := s.Text[max(0, at-400):at]; strings.Contains(near, "validpgpkeys=(") &&
		strings.IndexByte(near[strings.LastIndex(near, "validpgpkeys=("):], ')') < 0 {
		return true // of an Arch package
	}
	if strings.HasPrefix(line, "gpg: ") {
		return true
	}
	before := strings.TrimRight(value.LowerASCII(line), " =:\"'")
	if strings.HasSuffix(before, "signingkey") {
		return true
	}
	kind, ok := strings.CutSuffix(before, " key")
	return ok && value.InList(kind[strings.LastIndexByte(kind, ' ')+1:],
		" with rsa dsa eddsa ecdsa ed25519 elgamal gpg pgp openpgp signing release archive ")
}
