package shell

import (
	"strings"
	"testing"
)

// TestAValueIsDroppedOnlyIfItsNameMeansASecret pairs commands that print the value of a secret name with others that
// look the same and do not.
func TestAValueIsDroppedOnlyIfItsNameMeansASecret(t *testing.T) {
	for script, want := range map[string]Policy{
		// filters of JSON
		"jq '.items[] | .token' x.json":                        DropFields,
		"jq '.tokens[0]' x.json":                               DropFields,
		`jq -r '.data["api_key"]' x.json`:                      DropFields,
		"jq '.db.password // empty' x.json":                    DropFields,
		"jq '{user, password: .password}' x.json":              Keep,
		"jq 'del(.password)' x.json":                           Keep,
		"jq '.[] | select(.token == null) | .name' x.json":     Keep,
		"jq '.password | length' x.json":                       Keep,
		"jq --arg password x .name y.json":                     Keep,
		"jq '" + strings.Repeat(".a|", 400) + ".token' x.json": Keep, // too long to be read
		// patterns
		`grep -oP 'token: \K\w+' x`:          DropFields,
		`rg --only-matching 'token: \K.*' x`: DropFields,
		`grep -noP '(?<=api_key=).*' x`:      DropFields,
		`grep -P 'token: \K\w+' x`:           Keep,
		`grep -oP 'name: \K\w+' x`:           Keep,
		"grep -o token x":                    Keep,
		`grep --no-context -P 'token: \K' x`: Keep,
		// stores
		"redis-cli hmget user:1 login password": DropFields,
		"redis-cli get token:kim":               DropFields,
		"redis-cli get user:kim":                Keep,
		"redis-cli set token:kim x":             Keep,
		"redis-cli get token:count":             Keep,
		"redis-cli get token:bucket:10.0.0.1":   Keep,
		"redis-cli hmget page:1 token:next a":   Keep,
		"redis-cli get secret:santa:list":       Keep,
		"poetry config pypi-token:ttl":          Keep,
		// columns
		"awk -F : '/password/{print $2}' x":      DropFields,
		"awk '/password/{print $2}' x":           DropFields,
		"awk '/password_hash/{print $NF}' x":     DropFields,
		"awk -F= '/pass/{print $2}' x":           DropFields,
		"awk '/pass/{print $2}' results":         Keep, // how many tests pass
		"awk -F : '/password/{print $1}' x":      Keep,
		"awk '/password/{n++} END{print n}' x":   Keep,
		"grep token x | cut -d = -f 2":           DropFields,
		"grep token x | cut -d '\"' -f 4":        DropFields,
		"grep token x | cut -d= -f1":             Keep,
		"grep token x | cut -c 3-":               Keep,
		"grep name x | cut -d = -f 2":            Keep,
		"grep -c token x | awk '{print $2}'":     Keep,
		"grep -v token x | awk '{print $2}'":     Keep,
		"grep -n token x | awk '{print $2}'":     DropFields,
		"grep token x; awk '{print $2}' y":       Keep,
		"cat x | grep token | sed 's/^[^=]*=//'": DropFields,
		"grep token x | sed s/a/b/":              Keep,
		"grep $x y | awk '{print $2}'":           Keep,
		"grep -i | awk '{print $2}'":             Keep,
		// sed
		"sed -n 's/^api_token: *//p' x":          DropFields,
		"sed --quiet 's/^password=//p' x":        DropFields,
		"sed -En 's|.*token=(.*)|\\1|p' x":       DropFields,
		"sed -n 's/old_token/new_token/p' x":     Keep,
		"sed 's/^password=//' x":                 Keep, // it prints all lines, with the names of the others
		"sed -n '/password/p' x":                 Keep,
		"sed --in-place-now 's/^password=//p' x": Keep,
		// documents, tables, stores
		"xmllint --xpath '//server/password/text()' x.xml": DropFields,
		"xmllint --xpath '//user/name' x.xml":              Keep,
		"xmllint password.xml":                             Keep,
		"psql -c 'select name, api_key from users'":        DropFields,
		"psql -c 'SELECT DISTINCT token FROM t'":           DropFields,
		"psql -c 'select password is null from users'":     Keep,
		"psql -c 'select max(token) from t'":               Keep,
		"psql -c 'update users set password = null'":       Keep,
		"git config user.signingkey":                       Keep,
		"git config user.email":                            Keep,
		// code
		`python3 -c "print(user.password)"`:                                 DropFields,
		`python3 -c "x = user.password"`:                                    Keep,
		`python3 -c "print(re.search('password=(.*)', t).group(1))"`:        DropFields,
		`python3 -c "print(re.search('name=(.*)', t).group(1))"`:            Keep,
		`node -e "console.log(user.token.length)"`:                          Keep,
		`node -e "console.log(auth.getToken())"`:                            DropFields,
		`node -e "console.log(auth.token(3))"`:                              Keep,
		`ruby -e 'puts SecureRandom.hex'`:                                   DropFields,
		`ruby -e 'x = SecureRandom.hex'`:                                    Keep,
		`node -e "console.log(1) //` + strings.Repeat("x", maxScript) + `"`: Keep,
		// Windows
		"echo %PATH%":         Keep,
		"echo ${env:API_KEY}": DropFields,
		"echo $env:PATH":      Keep,
		`[Environment]::GetEnvironmentVariable("API_TOKEN")`: DropFields,
		`[Environment]::GetEnvironmentVariable("TEMP")`:      Keep,
	} {
		if got := Read(script, "/src", "/home/ann").Output; got != want {
			t.Errorf("%.120s: %v, want %v", script, got, want)
		}
	}
}

func TestTheStateOfAContainerIsNoSecret(t *testing.T) {
	for script, want := range map[string]Policy{
		"docker inspect -f '{{.State.Status}} {{.RestartCount}}' app": Keep,
		"podman inspect --format={{.Id}} app":                         Keep,
		"docker inspect --format '{{ .State.Health.Status }}' app":    Keep,
		"docker inspect -f":                                    DropValues,
		"docker inspect --format='{{.Config.Env}}' app":        DropValues,
		"docker inspect -f '{{.Id}}' -f '{{.Config.Env}}' app": DropValues,
		"docker inspect -f '{{.Id}}{{json .Config}}' app":      DropValues,
		"docker inspect app":                                   DropValues,
		"docker":                                               Keep,
		"docker compose":                                       Keep,
	} {
		if got := Read(script, "/src", "").Output; got != want {
			t.Errorf("%s: %v, want %v", script, got, want)
		}
	}
}
