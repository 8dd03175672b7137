package privacy

import "strings"

// keyVendors are services that people name before a key of theirs, and whose
// keys have no form of their own: "mistral: …".
var keyVendors = []string{
	"mistral", "deepinfra", "groq", "assembly", "assemblyai", "deepgram", "cohere", "together", "fireworks", "perplexity", "openai", "anthropic", "gemini", "deepseek", "qwen", "kimi", "moonshot", "zhipu",
	"elevenlabs", "runpod", "pinecone", "weaviate", "qdrant", "tavily", "serper", "serpapi", "replicate", "sendgrid", "mailgun", "datadog", "algolia", "cerebras", "sambanova", "cloudinary", "mapbox", "pushover",
	"dns cloudflare", "dns hetzner", "dns digitalocean", "dns duckdns", "dns desec", "dns gandi", "dns vultr", "dns linode", "dns netlify", "dns dnsimple", "dns porkbun", "dns ionos",
}

// vendorNamed redacts the key behind the name of such a service.
func (s *scanner) vendorNamed(end int) {
	if end < len(s.text) && s.text[end] != ':' && s.text[end] != '=' && s.text[end] != ' ' {
		return
	}
	i := blanks(s.text, end)
	if i < len(s.text) && (s.text[i] == ':' || s.text[i] == '=') {
		i = blanks(s.text, i+1)
	}
	s.offered(i)
}

// offered redacts the word at an offset when it can only be a key: letters and
// digits that a machine drew, 24 at least, or 32 of hex.
func (s *scanner) offered(at int) bool {
	for at < len(s.text) && strings.IndexByte("\"'`", s.text[at]) >= 0 {
		at++
	}
	to := at
	for to < len(s.text) && to-at < 128 && tokenByte(s.text[to]) {
		to++
	}
	if v := s.text[at:to]; (to == len(s.text) || strings.IndexByte(" \t\r\n\"'`.,;)", s.text[to]) >= 0) && drawnKey(v) {
		s.add(at, to, ruleSecret)
		return true
	}
	return false
}

// handedKey is offered for what somebody hands over.
func (s *scanner) handedKey(end int) { s.offered(end) }

// drawnKey reports whether a token that nothing but its place says is a key has
// the form of one. Hex is only with 32 digits: with 40 and 64 it is a hash.
func drawnKey(v string) bool {
	if n := countKinds(v); n.hex {
		return len(v) == 32 && hexKey(v)
	}
	return len(v) >= 24 && drawn(v) && !dummy(v) && !camelWords(v) && !openID(v)
}

// clientCalls make a client of a service, of literals in an order that only the
// service's documentation tells.
var clientCalls = []string{"client(", "algoliasearch(", "minio(", "twilio"}

// clientCall redacts the literals of such a call that can only be keys.
func (s *scanner) clientCall(end int) {
	if rest := s.text[end:]; strings.HasPrefix(rest, "')(") || strings.HasPrefix(rest, "\")(") {
		end += len("')(") // require('twilio')(…)
	}
	if s.text[end-1] != '(' {
		return
	}
	for _, l := range s.callLiterals(end) {
		if v := s.text[l.start:l.end]; drawnKey(v) && !(len(v) == 34 && strings.HasPrefix(v, "AC")) {
			s.add(l.start, l.end, ruleSecret)
		}
	}
}

// bytesOf redacts the literal that is made the bytes of a key:
// const key = Buffer.from('…', 'hex').
func (s *scanner) bytesOf(end int) {
	to := closing(s.text, end, s.text[end-1], 0, 256)
	v := s.text[end:to]
	before := lowerASCII(s.text[lineStart(s.text, end, 96):end])
	for _, w := range []string{"pub", "hash", "digest", "expect"} {
		if strings.Contains(before, w) {
			return
		}
	}
	if (strings.Contains(before, "key") || strings.Contains(before, "secret") || strings.Contains(before, "seed")) && hexKey(v) && (len(v) == 32 || len(v) == 64) {
		s.add(end, to, ruleSecret)
	}
}
