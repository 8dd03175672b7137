package public

import (
	"encoding/hex"
	"slices"
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// Veto drops findings that are public.
func Veto(s *scan.Scanner) {
	s.NoBlocks = !strings.Contains(s.Text, blockHead) && !strings.Contains(s.Text, blockTail)
	kept := s.Spans[:0]
	for _, sp := range s.Spans {
		if !Finding(s, sp) {
			kept = append(kept, sp)
		}
	}
	s.Spans = kept
}

// Finding reports whether the form or the place of a finding means that it gives no access, whatever the name next to
// it. Findings of a vendor's rule are kept.
func Finding(s *scan.Scanner, sp scan.Span) bool {
	if sp.Value != "" || sp.End-sp.Start > assign.MaxJudged*2 {
		return false
	}
	if sp.Judged && (besideSymbol(s, sp.Start, sp.End) || listed(s, sp.Start, sp.End) ||
		publicNameBefore(s.Text[max(0, sp.Start-96):sp.Start])) {
		return true
	}
	if sp.Rule != scan.RuleRandom && sp.Rule != scan.RulePassword && sp.Rule != scan.RuleSecret {
		return false
	}
	v := s.Text[sp.Start:sp.End]
	return Form(v) || publicHere(s, v, sp.Start, sp.End)
}

// publicHere reports whether the place of a finding means that it gives no access.
func publicHere(s *scan.Scanner, v string, from, to int) bool {
	before := s.Text[value.LineStart(s.Text, from, assign.MaxLine):from]
	if sessionLink(before[strings.LastIndexByte(before, ' ')+1:] + v) {
		return true
	}
	if value.UUIDLike(v) && strings.HasPrefix(s.Text[to:], " partition=") || publicLink(before) {
		return true // the key of a record; the name of a document
	}
	return publicIntroduction(s, from) || fingerprint(s, from, v) || symbol(s, from, to) || testVector(s, from, to)
}

// publicLink reports whether a text ends with the start of a link to what a path names, and access is given elsewhere.
func publicLink(before string) bool {
	link := before[strings.LastIndexAny(before, " \t\"'<>()[]?#@;&=,|")+1:]
	return value.ContainsAny(link, "figma.com/file/", "figma.com/design/", "open.spotify.com/", "notion.so/")
}

// Form reports whether a value can only be something that gives no access: an advisory, a licence, a pointer, a
// package release, a generated name, a public key.
func Form(v string) bool {
	return slices.ContainsFunc(publicForms, func(public func(string) bool) bool { return public(v) })
}

// publicForms are such forms.
var publicForms = []func(v string) bool{
	evenlySpaced, advisory, publishableKey, derPublic, licence, value.HexNumber, packageRelease,
	generatedName, publicHalf25519, publicNkey, port,
}

// advisory reports whether a value is the number of a security advisory.
func advisory(v string) bool {
	return strings.HasPrefix(v, "GHSA-") && len(v) == len("GHSA-xxxx-xxxx-xxxx")
}

// publishableKey reports whether a value is a key that is made to be published, or the scope of a signature.
func publishableKey(v string) bool {
	return strings.HasPrefix(v, "pk_live_") || strings.HasPrefix(v, "pk_test_") ||
		strings.Contains(v, "-----BEGIN PUBLIC KEY") || strings.HasSuffix(v, "aws4_request")
}

// licence reports whether a value is the name of a GPL.
func licence(v string) bool {
	return strings.Contains(v, "GPLv") && strings.Trim(v, "ALGPvorlate0123456789+._-") == ""
}

// evenlySpaced reports whether a value is hex bytes that are all equal, or each by one greater than the one before:
// 0b0b0b…, 010203…, as in test vectors.
func evenlySpaced(v string) bool {
	if len(v) < 24 || !value.HexDigit(v[0]) {
		return false
	}
	b, err := hex.DecodeString(v)
	if err != nil || b[1]-b[0] > 1 {
		return false
	}
	for i := 2; i < len(b); i++ {
		if b[i]-b[i-1] != b[1]-b[0] {
			return false
		}
	}
	return true
}

// generatedName reports whether a value is a name that Kubernetes generated: a name, and five characters of an alphabet
// without vowels.
func generatedName(v string) bool {
	name, sign := v[:max(0, len(v)-6)], v[max(0, len(v)-5):]
	return strings.HasSuffix(name, "-token") && v[len(name)] == '-' &&
		strings.Trim(sign, "bcdfghjklmnpqrstvwxz2456789") == ""
}

// derPublic reports whether base64 starts like a public key or a signature.
func derPublic(v string) bool {
	return value.BeginsWithAny(v, "MFkwEwYHKoZIzj0CAQYI", "MHYwEAYHKoZIzj0CAQYF", "MIIBIjANBgkqhkiG9w0BAQEFAAOC",
		"MIICIjANBgkqhkiG9w0BAQEFAAOC", "MIGfMA0GCSqGSIb3DQEBAQUAA4GN", "MCowBQYDK2VwAyEA", "MEUCIQ", "MEUCIG", "MEQCIG",
		"MEYCIQ")
}

// port reports whether a value is a port with its protocol: 464/tcp.
func port(v string) bool {
	number, protocol, ok := strings.Cut(v, "/")
	return ok && value.Integer(number) && value.InList(protocol, " tcp udp sctp dccp ")
}

// publicIntroduction reports whether what is before a value means that it gives no access: the name of an account in a
// directory, proof of domain ownership.
func publicIntroduction(s *scan.Scanner, at int) bool {
	before := s.Text[max(0, at-40):at]
	if strings.Contains(before, macTemporary) || inPublicBlock(s, at) || inPublicElement(s, at) {
		return true
	}
	for _, end := range []string{"objectSid:: ", "objectGUID:: ", "accessor ", `-verification" content="`,
		`data-sitekey="`, "/badge.svg?token=", "cache key: ", "artifact key: ", "cache restored from key: ",
		"cache saved with key: ", "trace-id: root=", "gpg: key "} {
		if value.EndsFold(before, end) {
			return true
		}
	}
	return false
}

// inPublicBlock reports whether an offset is in the block of a public key, a certificate or a signature: there is only
// base64 between the block header and the offset, or between what follows and the end of the block.
func inPublicBlock(s *scan.Scanner, at int) bool {
	if s.NoBlocks {
		return false
	}
	before := s.Text[max(0, at-maxPublicBlock):at]
	after := s.Text[at:min(len(s.Text), at+maxPublicBlock)]
	if !strings.HasSuffix(strings.TrimRight(before, blockBytes), "-----") &&
		!strings.HasPrefix(strings.TrimLeft(after, blockBytes), blockTail) {
		return false // no edge of a block is next to it: the search below is saved
	}
	if i := strings.LastIndex(before, blockHead); i >= 0 {
		kind, body, ok := strings.Cut(before[i+len(blockHead):], "-----")
		return ok && publicBlock(kind) && strings.Trim(body, blockBytes) == ""
	}
	body, kind, ok := strings.Cut(after, blockTail)
	if !ok || strings.Trim(body, blockBytes) != "" {
		return false
	}
	kind, _, ok = strings.Cut(kind, "-----")
	return ok && publicBlock(kind)
}

// publicBlock reports whether what a block contains is public.
func publicBlock(kind string) bool {
	return strings.Contains(kind, "PUBLIC KEY") || strings.HasSuffix(kind, "CERTIFICATE") ||
		strings.HasSuffix(kind, "CERTIFICATE REQUEST") || strings.HasSuffix(kind, "SIGNATURE")
}

// inPublicElement reports whether an offset is in an element of XML for a signature, a certificate or encrypted data.
func inPublicElement(s *scan.Scanner, at int) bool {
	before := s.Text[max(0, at-maxPublicBlock):at]
	if strings.IndexByte(before, '<') < 0 || !strings.HasSuffix(strings.TrimRight(before, blockBytes), ">") {
		return false
	}
	name, body, ok := strings.Cut(before[strings.LastIndexByte(before, '<')+1:], ">")
	name = value.LowerASCII(name[strings.IndexByte(name, ':')+1:])
	return ok && value.InList(name, " signaturevalue digestvalue ciphervalue x509certificate ") &&
		strings.Trim(body, blockBytes) == ""
}

const (
	blockHead, blockTail = "-----BEGIN ", "-----END "

	maxPublicBlock = 4 << 10                                // bytes of such a block
	blockBytes     = value.Letters + "0123456789+/=\r\n \t" // what is in it
)

// packageRelease reports whether a value is the version of a Debian package: 1:4.13+dfsg1-4ubuntu3.
func packageRelease(v string) bool {
	epoch := len(v) > 2 && v[1] == ':' && value.Digit(v[0])
	if epoch {
		v = v[2:]
	}
	number, revision, ok := strings.Cut(v, "-")
	dots := strings.IndexByte(number, '.')
	if dots <= 0 || !value.Integer(number[:dots]) || strings.Trim(v, value.SmallLetters+"0123456789.+~-") != "" {
		return false
	}
	return ok && revision != "" && value.Digit(revision[0]) || epoch && strings.ContainsAny(v, "+~")
}

// publicHalf25519 reports whether a value is a public key in the format of age or Nix; their private keys start
// differently or are twice as long.
func publicHalf25519(v string) bool {
	const age, nix = len("age1") + 57, 44
	if len(v) >= age && strings.HasPrefix(v, "age1") { // age1yubikey1…, too
		return value.CountKinds(v).Other == 0
	}
	name, key, ok := strings.Cut(v, ":")
	i := strings.LastIndexByte(name, '-')
	cache := ok && i > 0 && strings.Contains(name[:i], ".") && value.Integer(name[i+1:]) // cache.nixos.org-1
	return cache && len(key) == nix && strings.HasSuffix(key, "=") && value.LongestBase64(key) == nix
}

// publicNkey reports whether a value is a public NATS key: of an account, a user, a server … Private keys start with S.
func publicNkey(v string) bool {
	const size = 56
	return len(v) == size && strings.IndexByte("ACMNOUVX", v[0]) >= 0 && strings.Trim(v, value.Capitals+"234567") == ""
}
