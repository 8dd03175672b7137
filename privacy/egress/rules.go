package egress

import "keepmum/lazyregexp"

// rule finds candidates; group 1 is the candidate, and its check decides.
type rule struct {
	name  string
	re    *lazyregexp.Regexp
	doubt func(value string) bool
}

func always(string) bool { return true }

// secretName matches the end of a secret's name.
const secretName = `(?:pass(?:w(?:or)?d|phrase|code|wd)?|pwd|pw|secret|token|api[ _.-]?key|(?:access|account|auth|client|consumer|encryption|master|private|project|secret|service|shared|signing|storage)[ _.-]?key|\w[_-]key|credentials?|authorization|connection[ _.-]?string|license|salt|pin|otp|dsn)`

// opening matches what is between a name and its value, in any notation and at any level of escaping.
const opening = `(?:["'\x60\\\])]{0,8}[ \t]{0,8}(?:string|str)?[ \t]{0,4}[?.+:!]{0,3}[:=]=?>?[ \t]{0,8}(?:[|>][+-]?)?\s{0,8}|["']?,[ \t]{0,4}|[ \t]{0,4}[|>]\s{0,8}|["'][ \t]+value=)`

var (
	quoted   = lazyregexp.New(`(?i)` + secretName + opening + `[\\]{0,4}["'\x60]([^"'\x60\\\n\x01]{4,256})`)
	assigned = lazyregexp.New(`(?i)` + secretName + `[\w.-]{0,24}` + opening + `["'\x60\\]{0,6}` +
		`([^\s"'\x60\\<>,;|)\]}\x01]{5,512})`)
	spoken   = lazyregexp.New(`(?i)\b(?:pass(?:word|phrase|code|wd)?|pwd|pin|secret)\b(?:[ ,]+\w{1,12}){0,3}?[ :,]+(?:is|was|to|=)[ :]+["'\x60]?([^\s"'\x60\x01]{5,128})`)
	userinfo = lazyregexp.New(`(?i)[a-z][a-z0-9+.-]{1,20}://([^\s/@"'<>]{3,600})@`)
	flag     = lazyregexp.New(`(?i)(?:^|[\s"'])(?:-u|-p|-a|-w|--(?:user|auth|pass\S{0,8}|token|[\w-]{0,20}secret\S{0,8}|[\w-]{0,20}key))[ =]+["']?([^\s"'\x01]{5,256})`)
	human    = lazyregexp.New(`(?:^|[\s"'\x60:=(,])([^\s"'\x60\x01:=(),]{8,40})`)
	login    = lazyregexp.New(`(?i)\b(?:password|passwd)[ \t]+([^\s"'\x01]{5,256})`)
	pem      = lazyregexp.New(`(-----[ ]?(?:BEGIN|END)[^\n]{0,60}-----|(?i:private key(?: block)?-{2,}))`)
	jwt      = lazyregexp.New(`(eyJ[A-Za-z0-9_-]{8,}|ZXlK[A-Za-z0-9+/_-]{8,})`)
	prefixed = lazyregexp.New(`((?:gh[opsur]_|github_pat_|gl[a-z]{2,5}-|sk[-_]|rk_|xox[a-z]-|xapp-|AKIA|ASIA|ABIA|ACCA|AIza|ya29\.|1//0|SG\.|npm_|pypi-|do[opr]_v1_|shp[a-z]{2,3}_|hf_|api_org_|lin_|ntn_|sq0|EAA|AT[ABC]TT|ATBB|glc_|glsa_|NR[A-Z]{2}-|nfp_|dapi|pscale_|pplx-|gsk_|fm[12]\w_|FlyV1|hv[sb]\.|tfp_|figd_|dp\.[a-z]{2}\.|dckr_|rubygems_|CLOJARS_|LTAI|AGE-SECRET|whsec_|ABSK|tskey-|CFPAT-)[A-Za-z0-9_=./+-]{8,})`)
	headers  = lazyregexp.New(`(?i)\b(?:authorization|proxy-authorization|cookie|x-[a-z0-9-]{0,30}(?:key|token|auth|secret))["'\\]{0,4}[ ]?[:=,]["'\\ ]{0,4}(?:[a-z]+ )?([^\s"'\\\x01]{6,})`)
	signed   = lazyregexp.New(`(?i)(hooks\.(?:slack|zapier)\.com/\S{10,}|/api/webhooks/\S{10,}|[?&](?:sig|signature|key|token|access_token|x-amz-\w+)=[^\s&"'\x01]{6,})`)
	crypted  = lazyregexp.New(`(\$(?:1|2[abxy]|5|6|7|y|argon2\w*|pbkdf2[\w-]*|scrypt|apr1)\$[^\s"']{8,})`)
	spaced   = lazyregexp.New(`((?:[A-Za-z0-9+/=_-]\x00){12}|(?:\b[0-9a-f]{4} ){6}|(?:\b[0-9a-f]{2}[: ]){16})`)
	wordPass = lazyregexp.New(`(?i)(?:password|passwd|\bpwd|\bpass)["']?[ \t]{0,4}[:=][ \t]{0,4}([\w!.-]{6,40})[ \t]*(?:$|[\r\n;,&])`)
	saidPass = lazyregexp.New(`(?i)(?:pass(?:word|phrase|code|wd)?|pwd|secret)\b(?:[ ,]+\w{1,12}){0,4}?[ :]+(?:is[ :]+)?["']([^"'\s\x01]{4,64})["']`)
	pair     = lazyregexp.New(`(?i)credentials?\(["'][^"'\n]{1,80}["'],[ ]*["']([^"'\s\x01]{4,80})["']`)
	awsKey   = lazyregexp.New(`\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16})\b`)
	grouped  = lazyregexp.New(`\b((?:[A-Za-z0-9]{4,8}-){3,7}[A-Za-z0-9]{4,12})\b`)
	account  = lazyregexp.New(`(?i)(arn:aws[\w-]*:[^\s"']{8,}|\baws_?account_?id["']?\s*[:=]+>?\s*["']?[\d-]{12,})`)
	word     = lazyregexp.New(`([A-Za-z0-9][A-Za-z0-9+/_=.~%-]{9,})`)
)

// rules returns the whole detector as a table, except [nearNames].
func rules() []rule {
	return []rule{
		{"quoted-value", quoted, literal},
		{"key-value", assigned, secretValue},
		{"spoken", spoken, secretValue},
		{"url-credentials", userinfo, credentials},
		{"flag", flag, flagValue},
		{"login", login, mixed},
		{"pem", pem, always},
		{"jwt", jwt, always},
		{"prefix", prefixed, mixed},
		{"header", headers, secretValue},
		{"signed-url", signed, always},
		{"random", word, random},
		{"password-hash", crypted, always},
		{"spaced-out", spaced, always},
		{"password-word", wordPass, ownWord},
		{"quoted-password", saidPass, literal},
		{"credential-pair", pair, literal},
		{"prefix", awsKey, always},
		{"grouped", grouped, serial},
		{"account", account, always},
	}
}
