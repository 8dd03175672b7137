package privacy

import "strings"

// accountCalls are functions whose last argument is the password of an account.
var accountCalls = []string{
	"basicauth(", "basic_auth(", "credentials(", "credential(", "credentials.basic(", ".login(", "getconnection(", "wifi.begin(", "username_pw_set(", ".softap(", "auth=(", "auth = (",
	"passwordauthentication(", "passwordtoken(", "create_user(", "create_superuser(", ".authenticate(", "basicauthentication(", " login(", ".signin(", " signin(", ".sign_in(", "set_password(", "pgp_sym_encrypt(", "pgp_sym_decrypt(", ":auth(", ".auth(", "withpassword(", "with_password(", "emailandpassword(", "log_in(", "create_admin(", "adduser(", "add_user(", "outletdevice(", "bulbdevice(", "coverdevice(",
}

// connectCalls take a password as one argument of several.
var connectCalls = []string{"basic_auth ", "mysqli(", "mysqli_connect(", "pdo(", ".connect(", ">connect(", "creds(", ">__construct(", "real_connect(", "sequelize(", "plainauth(", "ldap_bind(", "createclient(", "signinwithemailandpassword(", "sp_addlogin ", "sp_password ", "= database("}

// accountCall redacts the last literal of a call such as SetBasicAuth("ann", "…").
func (s *scanner) accountCall(end int) {
	list := s.callLiterals(end)
	if len(list) == 0 || len(list) > 4 {
		return
	}
	if strings.HasSuffix(lowerASCII(s.text[max(0, end-len("networkcredential(")):end]), "networkcredential(") {
		if list = list[:min(len(list), 2)]; strings.Count(s.text[end:list[len(list)-1].start], ",") > 1 {
			return // the third argument is a domain
		}
	}
	last := list[len(list)-1]
	if strings.HasSuffix(lowerASCII(s.text[max(0, last.start-len("env('")):last.start-1]), "env(") {
		return // the name of a variable
	}
	if n := s.thirdOfThree("", list); n > 0 {
		s.add(list[n].start, list[n].end, rulePassword)
		return
	}
	if word := lowerASCII(s.text[max(0, end-8):end]); (strings.HasSuffix(word, "login(") || strings.HasSuffix(word, "signin(") || strings.HasSuffix(word, "sign_in(")) && !strings.HasSuffix(word, ".login(") && !strings.Contains(s.text[list[0].start:list[0].end], "@") {
		return // it may name the provider
	}
	alone := len(list) == 1 && end > 5 && strings.EqualFold(s.text[end-5:end], "auth(")
	if v := s.text[last.start:last.end]; (typedPassword(v) || fourByFour(v) || len(list) == 2 && (handWritten(v) || markedWord(v))) && (alone || strings.Contains(s.text[end:last.start], ",")) {
		s.add(last.start, last.end, rulePassword)
	}
}

// connectCall redacts the literal behind the first that can only be a password.
func (s *scanner) connectCall(end int) {
	list := s.callLiterals(end)
	word := lowerASCII(s.text[max(0, end-len("mysqli_connect(")):end])
	database := strings.HasSuffix(word, "pdo(") || strings.Contains(word, "mysqli") || strings.HasSuffix(word, "sequelize(") || strings.HasSuffix(word, "database(") || strings.HasSuffix(word, "construct(")
	if n := s.thirdOfThree(word, list); n > 0 {
		s.add(list[n].start, list[n].end, rulePassword)
		return
	}
	for i, l := range list {
		if v := s.text[l.start:l.end]; i > 0 && s.text[l.start-2] != '=' && (chosen(v) || picked(v) || handWritten(v) && (countKinds(v).digits > 0 && countKinds(v).upper > 0 || i == 2 && len(list) == 3 && countKinds(v).upper == 1) || i == 2 && len(list) == 3 && typedPassword(v) && strings.HasSuffix(s.text[:end], "connect(") || database && (len(v) >= 8 && madeUp(v) && !hostLike(v) || i == 2 && len(list) == 3 && markedWord(v))) && !strings.HasPrefix(v, "utf8") {
			s.add(l.start, l.end, rulePassword)
			return
		}
	}
}

// thirdOfThree returns the number of the literal that is the password of a
// database, where the first is its address and the second an account; 0 if none is.
func (s *scanner) thirdOfThree(call string, list []span) int {
	const place = 2
	if len(list) <= place || s.text[list[0].start-2] == '=' {
		return 0
	}
	address := lowerASCII(s.text[list[0].start:list[0].end])
	if !strings.HasPrefix(address, "dbi:") && !strings.HasPrefix(address, "jdbc:") && !(strings.HasSuffix(call, "pdo(") && strings.IndexByte(address, ':') > 0) && !strings.HasSuffix(call, "mysqli(") && !strings.HasSuffix(call, "sqli_connect(") {
		return 0
	}
	for i := range place {
		if strings.Trim(s.text[list[i].end+1:list[i+1].start-1], ", \t\r\n") != "" {
			return 0
		}
	}
	if v := s.text[list[place].start:list[place].end]; len(v) < 4 || dummy(v) || strings.ContainsAny(v, "<>{}$/") {
		return 0
	}
	return place
}

// callLiterals returns the literals among the arguments of a call, once.
func (s *scanner) callLiterals(end int) []span {
	if end < s.callEnd {
		return nil
	}
	list := s.literals(end)
	if len(list) > 0 {
		s.callEnd = list[len(list)-1].end
	}
	return list
}

// typedPassword reports whether a literal in the place of a password is one.
func typedPassword(v string) bool {
	return len(v) >= 4 && len(v) <= 128 && !strings.ContainsAny(v, " <>(){}") && !pathLike(v) && !dummy(v) && (mixed(v) || chosen(v) || unlikeWords(v))
}

// dialled redacts the password of "user:password@tcp(host:port)/database".
func (s *scanner) dialled(end int) {
	at := strings.LastIndexByte(s.text[:end], '@')
	from := at
	for from > 0 && at-from < 200 && s.text[from-1] > ' ' && strings.IndexByte("\"'`=", s.text[from-1]) < 0 {
		from--
	}
	user, password, ok := strings.Cut(s.text[from:at], ":")
	if ok && len(password) >= 4 && !dummy(password) && !in(strings.ToLower(password), urlExamples) {
		s.add(from+len(user)+1, at, "url-password")
	}
}

// slashed redacts the password of "user/password@database", as Oracle's
// programs and drivers take it.
func (s *scanner) slashed(end int) {
	line, _, _ := strings.Cut(s.text[end:min(len(s.text), end+200)], "\n")
	n := 0
	for w := range eachField(s.text, end, end+len(line)) {
		for w[0] < w[1] && strings.IndexByte("\"'`", s.text[w[0]]) >= 0 {
			w[0]++
		}
		word := s.text[w[0]:w[1]]
		if i := strings.IndexAny(word, "\"'`;,"); i >= 0 {
			word = word[:i]
		}
		word, w[0] = strings.TrimPrefix(word, "userid="), w[0]+len(word)-len(strings.TrimPrefix(word, "userid="))
		user, rest, ok := strings.Cut(word, "/")
		at := strings.LastIndexByte(rest, '@')
		if ok && at >= 4 && wordLike(user) && !dummy(rest[:at]) && rest[0] != '/' {
			from := w[0] + len(user) + 1
			s.add(from, from+at, rulePassword)
			return
		}
		if n++; n > 6 {
			return
		}
	}
}
