package privacy

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"keepmum/longtest"
)

func TestSettingsPastedBelowTheNameOfADeniedFileLoseTheirValues(t *testing.T) {
	g := newGate(t, Options{})
	for _, c := range []struct{ name, in, want string }{
		{"a sentence", "here is my .env:\n\nMAIL=Marder327hain\nFOO=bar\n\nwhy?",
			"here is my .env:\n\nMAIL=[EXCLUDED:path]\nFOO=[EXCLUDED:path]\n\nwhy?"},
		{"a fence of its kind", "```env\nMAIL=Marder327hain\n```\nok?", "```env\nMAIL=[EXCLUDED:path]\n```\nok?"},
		{"dotenv", "~~~ dotenv\nMAIL='Marder327 hain'\n~~~", "~~~ dotenv\nMAIL=[EXCLUDED:path]\n~~~"},
		{"a comment in a fence", "```\n# .env\nMAIL=Marder327hain\n```", "```\n# .env\nMAIL=[EXCLUDED:path]\n```"},
		{"an answer", "The `config/.env.production` contains:\n```\nMAILGUN=Hafer330tal\n# mail\nNOTE=two words\n```",
			"The `config/.env.production` contains:\n```\nMAILGUN=[EXCLUDED:path]\n# mail\nNOTE=[EXCLUDED:path]\n```"},
		{"exported", "my .envrc is\nexport MAIL=Marder327hain", "my .envrc is\nexport MAIL=[EXCLUDED:path]"},
		{"CRLF", "my .env:\r\nMAIL=Marder327hain\r\nX=1\r\n", "my .env:\r\nMAIL=[EXCLUDED:path]\r\nX=[EXCLUDED:path]\r\n"},

		{"no file is named", "set these:\nPORT=3000\nMODE=dev", "set these:\nPORT=3000\nMODE=dev"},
		{"an example file", "put into .env.example:\nPORT=3000\nMODE=dev", "put into .env.example:\nPORT=3000\nMODE=dev"},
		{"far above", ".env is ignored.\n\nNow the build:\nit takes\nlong\nMODE=dev",
			".env is ignored.\n\nNow the build:\nit takes\nlong\nMODE=dev"},
		{"a command", "it needs no .env, run:\nPORT=3000 npm start", "it needs no .env, run:\nPORT=3000 npm start"},
		{"a fence of another kind", "```sh\nPORT=3000\n```", "```sh\nPORT=3000\n```"},
		{"other lines", "here is my .env:\nit has no mail\n", "here is my .env:\nit has no mail\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := g.Event(Raw{Fields: map[string]string{"text": c.in}}).Fields["text"].String()
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if again := g.Event(Raw{Fields: map[string]string{"text": got}}).Fields["text"].String(); again != got {
				t.Errorf("a second pass makes %q", again)
			}
		})
	}
}

func TestASubagentsAnswerQuotesADeniedFile(t *testing.T) {
	g := newGate(t, Options{})
	in := "The .env contains:\nMAILGUN=Hafer330tal\n"
	for tool, want := range map[string]string{"Task": "The .env contains:\nMAILGUN=[EXCLUDED:path]\n", "make": in} {
		got := g.Event(Raw{Tool: tool, Output: in}).Output.Text().String()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tool, diff)
		}
	}
}

func TestADeniedEventShowsNoPartOfWhatWasWritten(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	for _, command := range []string{"sed -i 's/^MOTTO=.*/MOTTO=nebel!wolke1004/' .env",
		"echo 'MOTTO=a/nebel!wolke1004/b' >> .env", "printf 'MOTTO=nebel!wolke1004' | tee -a .env",
		"sed -i '/^A=/c MOTTO=nebel!wolke1004/x.*' config/.env"} {
		c := g.Event(bash(command))
		shown := c.Excluded.String() + c.Input.JSON().String()
		for _, p := range c.Paths {
			shown += " " + p.String()
		}
		if c.Excluded.IsZero() || strings.Contains(shown, "nebel") || !strings.Contains(shown, ".env") {
			t.Errorf("%s: %s", command, shown)
		}
	}
}

func TestACommandThatWritesADeniedFileIsNotKept(t *testing.T) {
	g := newGate(t, Options{Home: testHome})
	for _, command := range []string{
		"cat <<EOF | sudo tee .env\nMAIL=Karpfen309hain\nEOF",
		"perl -pi -e 's/MAIL=.*/MAIL=Karpfen309hain/' .env",
		`node -e "fs.appendFileSync('.env','MAIL=Karpfen309hain')"`,
		`Add-Content .env "MAIL=Karpfen309hain"`,
		"Set-Content -Path .env -Value 'MAIL=Karpfen309hain'",
		`"MAIL=Karpfen309hain" | Out-File .env`,
		"echo MAIL=Karpfen309hain>>.env",
		`ssh host "echo MAIL=Karpfen309hain >> /srv/app/.env"`,
		"echo 'MAIL=Karpfen309hain' | ssh host 'cat > /srv/.env'",
		"docker exec web sh -c 'echo MAIL=Karpfen309hain >> .env'",
		"grep -q MAIL .env || echo MAIL=Karpfen309hain >> .env",
		"ed -s .env <<< 'a MAIL=Karpfen309hain'",
		"printf 'Karpfen309hain' > /run/secrets/db",
		`echo "Karpfen309hain" > password.txt`,
		"install -m 600 <(echo Karpfen309hain) .vault_pass",
		"awk '{print}' > secret.yaml <<< 'x: Karpfen309hain'",
		`printf "MAIL=Karpfen309hain\n" | tee -a .env`,
		"sed -i 's/^MAIL=.*/MAIL=Distel309hain/' .env",
		`python3 -c "open('.env','a').write('MAIL=Sperber309hain\n')"`,
		"cat > .env <<EOF\nMAIL=Distel309hain\nEOF",
	} {
		if got := g.Event(bash(command)).Input.JSON().String(); strings.Contains(got, "309hain") {
			t.Errorf("kept: %s", got)
		}
	}
	for _, command := range []string{"echo MAIL=Distel309hain >> settings.txt",
		"sed -i 's/^MAIL=.*/MAIL=Distel309hain/' main.go", "echo .env >> .gitignore; echo Distel309hain",
		"tee notes.md <<< Distel309hain"} {
		if got := g.Event(bash(command)).Input.JSON().String(); !strings.Contains(got, "309hain") {
			t.Errorf("gone: %s", got)
		}
	}
}

// The lines that the gate looks for in every text, as expressions say it.
var (
	nameShape    = regexp.MustCompile(named)
	settingShape = regexp.MustCompile(named + `(?:"[^"]*"|'[^']*'|\S*)\s*(?:#.*)?$`)
)

const named = `^\s*(?:[-+>|]\s+)?(?:export\s+)?[A-Za-z_][\w.]{0,63}=`

func TestLinesAreReadAsTheExpressionsSay(t *testing.T) {
	parts := []string{
		" ", "  ", "\t", "\f", "\r", "\v", "-", "+", ">", "|", "export", "A", "a.b", "_x9", "9", "=", "=",
		"\"", "'", "#", "word", "ü", "\xe2", "$", "%", "❯", "ann@web:~",
		"sudo", "cat", "cat ", "less ", ".env", strings.Repeat("n", 63), strings.Repeat("ñ", 128),
	}
	drawn := rand.New(rand.NewPCG(3, 4))
	is := map[string]int{}
	for range longtest.Rounds(100_000, 300_000) {
		var b strings.Builder
		for range 1 + drawn.IntN(8) {
			b.WriteString(parts[drawn.IntN(len(parts))])
		}
		line := b.String()
		for name, c := range map[string][2]bool{
			"setting": {isSetting(line), settingShape.MatchString(line)},
			"name":    {afterName(line) >= 0, nameShape.MatchString(line)},
			"shows":   {mayShow(line) && shows.MatchString(line), shows.MatchString(line)},
		} {
			if c[0] != c[1] {
				t.Errorf("%s: %q is %v, want %v", name, line, c[0], c[1])
			}
			if c[1] {
				is[name]++
			}
		}
	}
	if is["setting"] < 1000 || is["name"] < 1000 || is["shows"] < 100 {
		t.Errorf("too few of the lines are any: %v", is)
	}
}
