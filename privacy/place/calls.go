package place

import (
	"strings"

	"keepmum/privacy/assign"
	"keepmum/privacy/judge"
	"keepmum/privacy/pair"
	"keepmum/privacy/scan"
	"keepmum/privacy/value"
)

// AccountCalls are functions whose last argument is the password of an account.
var AccountCalls = []string{
	"basicauth(", "basic_auth(", "credentials(", "credential(", "credentials.basic(", ".login(", "getconnection(",
	"wifi.begin(", "username_pw_set(", ".softap(", "auth=(", "auth = (",
	"passwordauthentication(", "passwordtoken(", "create_user(", "create_superuser(", ".authenticate(", "ftp_login(",
	"basicauthentication(", " login(", ".signin(", " signin(", ".sign_in(", "set_password(", "pgp_sym_encrypt(",
	"pgp_sym_decrypt(", ":auth(", ".auth(", "withpassword(", "with_password(", "emailandpassword(", "log_in(",
	"create_admin(", "adduser(", "add_user(", "outletdevice(", "bulbdevice(", "coverdevice(", "authenticationtoken(",
}

// ConnectCalls are functions with a password among several arguments.
var ConnectCalls = []string{"basic_auth ", "mysqli(", "mysqli_connect(", "pdo(", ".connect(", ">connect(", "creds(",
	":connect(", ">__construct(", "real_connect(", "sequelize(", "plainauth(", "ldap_bind(", "createclient(",
	"signinwithemailandpassword(", "sp_addlogin ", "sp_password ", "= database("}

// AccountCall redacts the last literal of a call such as SetBasicAuth("ann", "…").
func AccountCall(s *scan.Scanner, end int) {
	list := callLiterals(s, end)
	if len(list) == 0 || len(list) > 4 {
		return
	}
	if strings.HasSuffix(value.LowerASCII(s.Text[max(0, end-len("networkcredential(")):end]), "networkcredential(") {
		list = list[:min(len(list), 2)] // the third is a domain
	}
	last := list[len(list)-1]
	if word := value.LowerASCII(s.Text[max(0, end-8):end]); value.EndsWithAny(word, "login(", "signin(") &&
		!value.EndsWithAny(word, ".login(", "_login(") && !strings.Contains(s.Text[list[0].Start:list[0].End], "@") {
		return // it may be the name of the provider
	}
	alone := len(list) == 1 && end > 5 && value.InList(value.LowerASCII(s.Text[end-6:end]), " .auth( :auth( ")
	if !alone && !strings.Contains(s.Text[end:last.Start], ",") {
		return
	}
	if accountPassword(s.Text[last.Start:last.End], len(list) == 2) {
		scan.Add(s, last.Start, last.End, scan.RulePassword)
	}
}

// accountPassword reports whether the last literal of such a call is a password; second means that one precedes it.
func accountPassword(v string, second bool) bool {
	return pair.TypedPassword(v) || judge.AppPassword(v) || second && pair.AccountPassword(v, true)
}

// ConnectCall redacts the only literal after the first that can be a password.
func ConnectCall(s *scan.Scanner, end int) {
	list := callLiterals(s, end)
	for i, l := range list {
		v := s.Text[l.Start:l.End]
		if i == 0 || s.Text[l.Start-2] == '=' || strings.HasPrefix(v, "utf8") {
			continue
		}
		if connectPassword(v, i == 2 && len(list) == 3) {
			scan.Add(s, l.Start, l.End, scan.RulePassword)
			return
		}
	}
}

// connectPassword reports whether a literal can be a password; third means that it is the last of three.
func connectPassword(v string, third bool) bool {
	return value.SymbolPassword(v) || value.AlnumPassword(v) ||
		third && value.PunctuatedPassword(v) && value.CountKinds(v).Upper == 1
}

// callLiterals returns the literals among the arguments of a call, once per call.
func callLiterals(s *scan.Scanner, end int) []scan.Span {
	if end < s.Reached[scan.ByCall] {
		return nil
	}
	list := pair.Literals(s, end)
	if len(list) > 0 {
		s.Reached[scan.ByCall] = list[len(list)-1].End
	}
	return list
}

// OraclePassword redacts the password of "user/password@database", the form of Oracle's programs and drivers.
func OraclePassword(s *scan.Scanner, end int) {
	line, _, _ := strings.Cut(s.Text[end:min(len(s.Text), end+200)], "\n")
	n := 0
	for w := range assign.EachField(s.Text, end, end+len(line)) {
		w[0], _ = value.Trimmed(s.Text, w[0], w[1], "\"'`", "")
		word := s.Text[w[0]:w[1]]
		if i := strings.IndexAny(word, "\"'`;,"); i >= 0 {
			word = word[:i]
		}
		word, w[0] = strings.TrimPrefix(word, "userid="), w[0]+len(word)-len(strings.TrimPrefix(word, "userid="))
		user, rest, ok := strings.Cut(word, "/")
		at := strings.LastIndexByte(rest, '@')
		if ok && at >= 4 && assign.WordLike(user) && !value.Placeholder(rest[:at]) && rest[0] != '/' {
			from := w[0] + len(user) + 1
			scan.Add(s, from, from+at, scan.RulePassword)
			return
		}
		if n++; n > 6 {
			return
		}
	}
}
