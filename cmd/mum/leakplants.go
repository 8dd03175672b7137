package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"keepmum/privacy"
)

// plant is one invented secret and the hook payloads that carry it.
type plant struct {
	group, what string
	secret      string
	payloads    [][]byte
}

func (p plant) name() string { return p.group + ": " + p.what }

type object = map[string]any

// leakPlants returns secrets of every rule and form, in every place of an event.
func leakPlants(project string) []plant {
	all := samplePlants(project)
	all = append(all, placePlants(project)...)
	all = append(all, filePlants(project)...)
	return append(all, knownPlants(project)...)
}

// payload returns a hook event of Claude Code in its own session, so that nothing is found only because it was seen
// before.
func payload(session, project, event string, more object) []byte {
	body := object{"session_id": session, "cwd": project, "hook_event_name": event}
	for k, v := range more {
		body[k] = v
	}
	out, err := json.Marshal(body)
	if err != nil {
		panic(err) // maps of strings can always be encoded
	}
	return out
}

func toolUse(session, project, tool string, input, response any) []byte {
	return payload(session, project, "PostToolUse",
		object{"tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": session})
}

// samplePlants puts each sample of each rule into a prompt, a command, and the input and output of a tool.
func samplePlants(project string) []plant {
	var out []plant
	for n, s := range privacy.Samples() {
		session := fmt.Sprintf("sample-%d", n)
		for _, place := range []struct {
			name string
			body []byte
		}{
			{"prompt", payload(session+"-p", project, "UserPromptSubmit", object{"prompt": s.Text})},
			{"command", toolUse(session+"-c", project, "Bash", object{"command": s.Text}, object{"stdout": "", "stderr": ""})},
			{"input", toolUse(session+"-i", project, "Write", object{"file_path": project + "/notes.txt", "content": s.Text},
				object{"type": "create"})},
			{"output", toolUse(session+"-o", project, "Bash", object{"command": "make"},
				object{"stdout": s.Text, "stderr": ""})},
		} {
			out = append(out, plant{"rules and shapes, " + place.name, fmt.Sprintf("%s (%d)", s.Rule, n), s.Secret,
				[][]byte{place.body}})
		}
	}
	return out
}

// inventedToken returns a token in the form of a GitHub token, different for each use.
func inventedToken(use string) string {
	sum := sha256.Sum256([]byte("token " + use))
	return "ghp_" + strings.NewReplacer("+", "a", "/", "b").Replace(base64.RawStdEncoding.EncodeToString(sum[:]))[:36]
}

// knownValue returns a password that only its place reveals.
func knownValue(place string) string {
	sum := sha256.Sum256([]byte("known " + place))
	words := []string{"kestrel", "lantern", "marble", "nettle", "orchard", "pebble", "quiver", "saffron"}
	return fmt.Sprintf("%s!%s%d", words[sum[0]%8], words[sum[1]%8], 1000+int(sum[2]))
}

// placePlants puts a token into each field of an event, and writes it in other ways.
func placePlants(project string) []plant {
	var out []plant
	add := func(what string, build func(session, token string) []byte) {
		token := inventedToken(what)
		out = append(out, plant{"places and encodings", what, token,
			[][]byte{build("place-"+strings.ReplaceAll(what, " ", "-"), token)}})
	}
	output := func(what string, text func(token string) string) {
		add(what, func(session, token string) []byte {
			return toolUse(session, project, "Bash", object{"command": "make"}, object{"stdout": text(token)})
		})
	}
	field := func(name, value string) {
		add(name, func(session, token string) []byte {
			return payload(session, project, "PostToolUse",
				object{"tool_name": "Bash", "tool_input": object{}, "tool_response": "ok", name: value + token})
		})
	}
	field("session_id", "s-")
	field("cwd", "/tmp/")
	field("tool_name", "mcp__x__")
	field("tool_use_id", "")
	field("transcript_path", "/tmp/")
	field("agent_id", "")
	add("nested JSON", func(session, token string) []byte {
		return toolUse(session, project, "T", object{"a": []any{object{"b": object{"c": token}}}}, nil)
	})
	add("JSON key", func(session, token string) []byte {
		return toolUse(session, project, "T", object{token: 1}, object{token: object{"password": "x"}})
	})
	add("JSON in a string", func(session, token string) []byte {
		return toolUse(session, project, "T", object{"a": `{"b":"{\"c\":\"` + token + `\"}"}`}, nil)
	})
	add("path", func(session, token string) []byte {
		return toolUse(session, project, "Read", object{"file_path": "/tmp/" + token}, "x")
	})
	add("error", func(session, token string) []byte {
		return payload(session, project, "PostToolUseFailure",
			object{"tool_name": "Bash", "tool_input": object{"command": "make"}, "error": "Exit code 1\n" + token})
	})
	add("last message", func(session, token string) []byte {
		return payload(session, project, "Stop", object{"last_assistant_message": "used " + token})
	})
	output("base64", func(t string) string { return base64.StdEncoding.EncodeToString([]byte("export TOKEN=" + t)) })
	output("hex", func(t string) string { return hex.EncodeToString([]byte("TOKEN=" + t)) })
	output("ANSI colour", func(t string) string { return t[:9] + "\x1b[1m" + t[9:] })
	output("zero width", func(t string) string { return t[:9] + "\u200b" + t[9:] })
	output("UTF-16", func(t string) string { return strings.Join(strings.Split("TOKEN="+t, ""), "\x00") })
	output("at the cut", func(t string) string { return strings.Repeat("x ", 256<<10)[:512<<10-14] + t })
	output("private block", func(t string) string { return "<private>" + t })
	return out
}

// filePlants shows secrets that only the file or the command they come from reveals.
func filePlants(project string) []plant {
	var out []plant
	add := func(group, what string, build func(session, text string) []byte) {
		secret := knownValue(group + what)
		out = append(out, plant{group, what, secret,
			[][]byte{build(fmt.Sprintf("file-%d", len(out)), "motto of the day: "+secret)}})
	}
	for _, file := range []string{".env", "config/.env.production", "/x/server.pem", "/x/id_ed25519",
		"/home/u/.aws/credentials", "/home/u/.ssh/config", "/home/u/.kube/config", "prod.tfvars", "secrets.yaml",
		`C:\Users\u\.netrc`} {
		add("denied files", file, func(session, text string) []byte {
			return toolUse(session, project, "Read", object{"file_path": file}, object{"content": text})
		})
	}
	for _, command := range []string{"cat .env", `bash -c 'cat .e""nv'`, "cat < .env", "source .env && echo $MOTTO",
		"cat .e*", "f=.env; cat $f", "ssh host cat /srv/.env", `python3 -c "print(open('.env').read())"`, "cat 'broken .env",
		"env", "sudo printenv", "gh auth token", "kubectl get secret x -o yaml",
		"aws secretsmanager get-secret-value --secret-id x", "vault kv get x", "op read op://a/b"} {
		add("commands", command, func(session, text string) []byte {
			return toolUse(session, project, "Bash", object{"command": command}, object{"stdout": text})
		})
	}
	add("lines of many files", "grep", func(session, text string) []byte {
		return toolUse(session, project, "Grep", object{"pattern": "x"}, "a.go:1:x\n.env:2:"+text)
	})
	add("lines of many files", "git diff", func(session, text string) []byte {
		return toolUse(session, project, "Bash", object{"command": "git diff"}, "diff --git a/.env b/.env\n+"+text)
	})
	return out
}

// knownPlants prints secrets that are on the machine, or were seen before.
func knownPlants(project string) []plant {
	var out []plant
	for _, place := range []string{".env", ".netrc", "environment"} {
		secret := knownValue(place)
		out = append(out, plant{"secrets of the machine", place, secret,
			[][]byte{toolUse("known-"+place, project, "Bash", object{"command": "make"}, "login as dev with "+secret)}})
	}
	for _, place := range []string{"remote", "branch"} {
		out = append(out, plant{"secrets of the machine", "git " + place, inventedToken(place),
			[][]byte{payload("known-"+place, project, "UserPromptSubmit", object{"prompt": "where am I?"})}})
	}
	seen := knownValue("seen")
	return append(out, plant{"seen before in a session", "a value of .env", seen, [][]byte{
		toolUse("seen", project, "Bash", object{"command": "cat /srv/.env"}, "MAIL_PASSWORD="+seen),
		payload("seen", project, "UserPromptSubmit", object{"prompt": "it is " + seen + ", try again"}),
		toolUse("seen", project, "Bash", object{"command": "make"},
			base64.StdEncoding.EncodeToString([]byte("dev:"+seen+":x"))),
	}})
}
