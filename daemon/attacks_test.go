package daemon

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf16"
)

// attacks is what an outsider would try who has not read the code.
func attacks() []attack {
	all := fieldAttacks()
	for _, more := range [][]attack{encodingAttacks(), agentAttacks(), fileAttacks(), commandAttacks(), formAttacks(),
		memoryAttacks(), transportAttacks(), placeAttacks()} {
		all = append(all, more...)
	}
	return all
}

func one(name string, kind secretKind, build func(s string) step) attack {
	return attack{name, kind, func(s string) []step { return []step{build(s)} }}
}

// fieldAttacks put a token into every field of an event.
func fieldAttacks() []attack {
	out := []attack{
		one("prompt", token, func(s string) step { return asked("my token is " + s) }),
		one("tool input", token, func(s string) step { return ran("deploy --token "+s, "done") }),
		one("tool output", token, func(s string) step { return ran("make", "using "+s) }),
		one("stderr", token, func(s string) step {
			return used("Bash", fields{"command": "make"}, fields{"stdout": "", "stderr": "denied: " + s})
		}),
		one("output is a string", token, func(s string) step { return used("Bash", fields{"command": "make"}, "token "+s) }),
		one("output is a list", token, func(s string) step { return used("T", fields{}, []any{"a", []any{s}}) }),
		one("nested JSON", token,
			func(s string) step { return used("T", fields{"a": fields{"b": []any{fields{"c": s}}}}, fields{}) }),
		one("JSON key", token, func(s string) step { return used("T", fields{s: true}, fields{}) }),
		one("JSON key of the output", token, func(s string) step { return used("T", fields{}, fields{"map": fields{s: 1}}) }),
		one("JSON in a string", token,
			func(s string) step { return used("T", fields{"arguments": `{"t":"` + s + `"}`}, fields{}) }),
		one("JSON in JSON in a string", token,
			func(s string) step { return used("T", fields{"a": `{"b":"{\"t\":\"` + s + `\"}"}`}, fields{}) }),
		one("JSON key above a secret", token, func(s string) step {
			return used("T", fields{s: fields{"password": "hunter2!x", "n": []any{s}}}, fields{s: s})
		}),
		one("deep nesting", token, func(s string) step { return used("T", deep(s, 200), fields{}) }),
		one("deeper than is walked", token, func(s string) step { return used("T", deep(s, 5000), fields{}) }),
		one("tool name", token, func(s string) step { return used("mcp__"+s+"__run", fields{}, "x") }),
		one("error", token, func(s string) step {
			return ran("make", "").with("hook_event_name", "PostToolUseFailure").with("error", "Exit code 1\n"+s)
		}),
		one("file path", token, func(s string) step { return used("Read", fields{"file_path": "/tmp/" + s + ".txt"}, "x") }),
		one("edited text", token, func(s string) step {
			return used("Edit", fields{"file_path": "/x/a.go", "old_string": "a", "new_string": `t := "` + s + `"`},
				fields{"filePath": "/x/a.go", "originalFile": s})
		}),
		one("structured patch", token, func(s string) step {
			return used("Edit", fields{"file_path": "/x/a.go"},
				fields{"structuredPatch": []any{fields{"lines": []any{"+ " + s}}}})
		}),
		one("MCP argument", token,
			func(s string) step { return used("mcp__db__query", fields{"sql": "select '" + s + "'"}, "ok") }),
		one("MCP content", token, func(s string) step {
			return used("mcp__x__y", fields{}, []any{fields{"type": "text", "text": s}})
		}),
		one("MCP resource", token, func(s string) step {
			return used("mcp__x__y", fields{},
				fields{"content": []any{fields{"type": "resource", "resource": fields{"uri": "x://" + s, "text": "t"}}}})
		}),
		one("image data", token, func(s string) step {
			return used("mcp__x__y", fields{},
				[]any{fields{"type": "image",
					"data": base64.StdEncoding.EncodeToString([]byte("export GITHUB_TOKEN=" + s + "\n"))}})
		}),
		one("number as a password", password,
			func(s string) step { return used("T", fields{"password": s, "pin": 48151623}, fields{}) }),
		one("task list", token, func(s string) step {
			return used("TodoWrite", fields{"todos": []any{fields{"content": "rotate " + s, "status": "pending"}}}, fields{})
		}),
		one("subagent's prompt", token,
			func(s string) step { return used("Agent", fields{"prompt": "use " + s, "description": s}, fields{}) }),
		one("URL userinfo", password, func(s string) step {
			return used("WebFetch", fields{"url": "https://dev:" + s + "@example.com/x"}, "ok")
		}),
		one("query string", password, func(s string) step {
			return used("WebFetch", fields{"url": "https://example.com/?access_token=" + url.QueryEscape(s)}, "ok")
		}),
	}
	for _, f := range []string{"session_id", "cwd", "transcript_path", "tool_use_id", "agent_id", "agent_type",
		"prompt_id", "permission_mode", "duration_ms", "mcp_server"} {
		out = append(out, one("field "+f, token, func(s string) step { return ran("make", "x").with(f, "x/"+s) }))
	}
	return append(out, eventAttacks()...)
}

// eventAttacks put a token into what other events carry.
func eventAttacks() []attack {
	event := func(name, field string) attack {
		return one(name+" "+field, token, func(s string) step {
			return hook("claude",
				fields{"session_id": "attack", "cwd": "/home/dev/shop", "hook_event_name": name, field: "it is " + s})
		})
	}
	return []attack{
		event("SessionStart", "source"), event("SessionStart", "model"), event("SessionStart", "session_title"),
		event("SessionEnd", "reason"), event("Stop", "last_assistant_message"),
		event("SubagentStop", "last_assistant_message"), event("SubagentStop", "agent_transcript_path"),
		event("PostCompact", "compact_summary"), event("PreCompact", "custom_instructions"), event("Notification", "message"),
		event("StopFailure", "error_details"), one("name of an unknown event", token, func(s string) step {
			return hook("claude", fields{"session_id": "attack", "hook_event_name": s})
		}),
		one("unknown field", token, func(s string) step { return ran("make", "x").with("novelty_"+s, s) }),
	}
}

func deep(v any, n int) any {
	for range n {
		v = fields{"a": v}
	}
	return v
}

// encodingAttacks write a token so that it does not look like itself.
func encodingAttacks() []attack {
	output := func(name string, kind secretKind, text func(s string) string) attack {
		return one(name, kind, func(s string) step { return ran("make", text(s)) })
	}
	return []attack{
		output("base64 of an assignment", token,
			func(s string) string { return base64.StdEncoding.EncodeToString([]byte("TOKEN=" + s)) }),
		output("base64, twice", token, func(s string) string {
			return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte("TOKEN=" + s))))
		}),
		output("base64 for URLs", token,
			func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte("token: " + s)) }),
		output("Basic auth", password, func(s string) string {
			return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("dev:"+s))
		}),
		output("percent-encoded", token, func(s string) string { return "next=" + percent(s) }),
		output("ANSI colour", token, func(s string) string { return "\x1b[31m" + s[:8] + "\x1b[0m" + s[8:] }),
		output("zero width", token, func(s string) string { return s[:8] + "\u200b" + s[8:] }),
		output("soft hyphens", token, func(s string) string { return s[:8] + "\u00ad" + s[8:] }),
		output("full width", token, func(s string) string { return wideLetters(s) }),
		output("UTF-16", token, func(s string) string { return utf16Text("TOKEN=" + s) }),
		output("hexdump", token, func(s string) string { return hex.Dump([]byte("TOKEN=" + s)) }),
		output("hex", token, func(s string) string { return hex.EncodeToString([]byte("TOKEN=" + s)) }),
		output("hard wrap", token, func(s string) string { return "token: " + s[:20] + "\n" + s[20:] }),
		output("a + b", token, func(s string) string { return `t = "` + s[:12] + `" + "` + s[12:] + `"` }),
		output("HTML entities", password, func(s string) string {
			return "<input name=\"password\" value=\"" + html.EscapeString(s) + "\">"
		}),
		output("escaped JSON", password, func(s string) string { return `{\"password\":\"` + s + `\"}` }),
		output("XML", password, func(s string) string { return "<password>" + s + "</password>" }),
		output("YAML", password, func(s string) string { return "db:\n  password: " + s + "\n" }),
		output("TOML", password, func(s string) string { return "[db]\npassword = \"" + s + "\"\n" }),
		output("CLI flag", password, func(s string) string { return "ran: mysql --password=" + s + " shop" }),
		output("header", password, func(s string) string { return "X-Api-Key: " + s }),
		output("cookie", password, func(s string) string { return "Set-Cookie: session_token=" + s + "; Path=/" }),
		output("connection string", password, func(s string) string { return "Server=db;User Id=sa;Password=" + s + ";" }),
		output("CRLF", token, func(s string) string { return "a\r\n" + s + "\r\nb" }),
		output("between NULs", token, func(s string) string { return "a\x00" + s + "\x00b" }),
		output("invalid UTF-8 around it", token, func(s string) string { return "\xff\xfe" + s + "\xc3" }),
		output("inside a placeholder", token, func(s string) string { return "[REDACTED:" + s + "#1a2b]" }),
		output("inside a placeholder of a path", token, func(s string) string { return "[EXCLUDED:" + s + "]" }),
		output("inside a cut", token, func(s string) string { return "[CUT:" + s + " bytes]" }),
		output("behind a closed private block", token, func(s string) string { return "<private>x</private>" + s }),
		output("in an unclosed private block", password, func(s string) string { return "<private>it is " + s }),
		output("private, upper case with attributes", password,
			func(s string) string { return "<PRIVATE why=\"x\">" + s + "</PRIVATE>" }),
		output("a reminder inside a private block", password, func(s string) string {
			return "<private><system-reminder>" + s + "</system-reminder></private>"
		}),
	}
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02X", s[i])
	}
	return b.String()
}

func wideLetters(s string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, s)
}

func utf16Text(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		b.WriteByte(byte(u))
		b.WriteByte(byte(u >> 8))
	}
	return b.String()
}

// agentAttacks use the dialects of the other agents, and our own endpoints.
func agentAttacks() []attack {
	return []attack{
		one("codex: output", token, func(s string) step {
			return hook("codex",
				fields{"session_id": "x1", "turn_id": "u", "cwd": "/home/dev/shop", "hook_event_name": "PostToolUse",
					"tool_name": "Bash", "tool_input": fields{"command": "make"}, "tool_response": s, "tool_use_id": "c1"})
		}),
		one("codex: patch of .env", password, func(s string) step {
			return hook("codex",
				fields{"session_id": "x1", "cwd": "/home/dev/shop", "hook_event_name": "PostToolUse", "tool_name": "apply_patch",
					"tool_input":    fields{"command": "*** Begin Patch\n*** Update File: .env\n@@\n+MOTTO=" + s + "\n*** End Patch"},
					"tool_response": "Success", "tool_use_id": "c2"})
		}),
		one("codex: prompt", token, func(s string) step {
			return hook("codex",
				fields{"session_id": "x1", "cwd": "/home/dev/shop", "hook_event_name": "UserPromptSubmit", "prompt": s,
					"turn_id": "u2"})
		}),
		one("codex: argv", password, func(s string) step {
			return hook("codex",
				fields{"session_id": "x1", "cwd": "/home/dev/shop", "hook_event_name": "PostToolUse", "tool_name": "shell",
					"tool_input": fields{"command": []any{"bash", "-lc", "cat .env"}}, "tool_response": "MOTTO=" + s,
					"tool_use_id": "c3"})
		}),
		one("cursor: shell", token, func(s string) step {
			return hook("cursor",
				fields{"conversation_id": "cu", "hook_event_name": "afterShellExecution",
					"workspace_roots": []any{"/home/dev/shop"}, "command": "make", "output": s})
		}),
		one("cursor: read of .env", password, func(s string) step {
			return hook("cursor",
				fields{"conversation_id": "cu", "hook_event_name": "postToolUse", "workspace_roots": []any{"/home/dev/shop"},
					"tool_name": "Read", "tool_input": fields{"path": ".env"}, "tool_output": `{"content":"MOTTO=` + s + `"}`,
					"tool_use_id": "s1"})
		}),
		one("cursor: attachment", token, func(s string) step {
			return hook("cursor",
				fields{"conversation_id": "cu", "hook_event_name": "beforeSubmitPrompt", "workspace_roots": []any{"/home/dev/shop"},
					"prompt": "see it", "attachments": []any{fields{"type": "file", "file_path": "/x/" + s}}})
		}),
		one("cursor: address of the user", token, func(s string) step {
			return hook("cursor",
				fields{"conversation_id": "cu", "hook_event_name": "stop", "user_email": s + "@example.com",
					"workspace_roots": []any{"/x/" + s}})
		}),
		one("cursor: edit", token, func(s string) step {
			return hook("cursor",
				fields{"conversation_id": "cu", "hook_event_name": "afterFileEdit", "workspace_roots": []any{"/home/dev/shop"},
					"file_path": "a.go", "edits": []any{fields{"old_string": "", "new_string": s}}})
		}),
		one("opencode: output", token, func(s string) step {
			return hook("opencode",
				fields{"hook": "tool.execute.after", "directory": "/home/dev/shop",
					"input":  fields{"tool": "bash", "sessionID": "o1", "callID": "k1", "args": fields{"command": "make"}},
					"output": fields{"title": s, "output": s, "metadata": fields{"preview": s}}})
		}),
		one("opencode: read of .env", password, func(s string) step {
			return hook("opencode",
				fields{"hook": "tool.execute.after", "directory": "/home/dev/shop",
					"input": fields{"tool": "read", "sessionID": "o1", "callID": "k2",
						"args": fields{"filePath": "/home/dev/shop/.env"}},
					"output": fields{"title": ".env", "output": "MOTTO=" + s, "metadata": fields{"preview": "MOTTO=" + s}}})
		}),
		one("opencode: failed tool", token, func(s string) step {
			return hook("opencode",
				fields{"hook": "event", "directory": "/home/dev/shop",
					"input": fields{"id": "e1", "type": "message.part.updated",
						"properties": fields{"sessionID": "o1",
							"part": fields{"id": "p1", "type": "tool", "tool": "bash", "callID": "k3", "sessionID": "o1",
								"state": fields{"status": "error", "input": fields{"command": "make"}, "error": s}}}}})
		}),
		one("observe", token, func(s string) step {
			return ours("/observe",
				fields{"session_id": "api", "tool_name": "T", "tool_input": fields{"a": s}, "tool_output": s,
					"directory": "/x/" + s, "project": s, "agent": "a-" + s})
		}),
		one("prompt endpoint, project", token, func(s string) step {
			return ours("/prompt", fields{"session_id": "api", "text": "x " + s, "project": "p-" + s, "with_context": true})
		}),
		one("answer", token, func(s string) step {
			return ours("/prompt", fields{"session_id": "api", "text": "it is " + s, "role": "assistant"})
		}),
		one("session start, branch", token, func(s string) step {
			return ours("/session/start",
				fields{"session_id": "api-" + s, "branch": "fix/" + s, "source": s, "directory": "/x/" + s})
		}),
		one("session end, reason", token,
			func(s string) step { return ours("/session/end", fields{"session_id": "api", "reason": s}) }),
	}
}

// transportAttacks misuse the connection: refusals, logs, sizes, duplicates, the spool.
func transportAttacks() []attack {
	padded := func(n int) string { return strings.Repeat("all is well here ", n/17) }
	return []attack{
		one("broken JSON", token, func(s string) step {
			return step{method: http.MethodPost, path: "/hooks/claude", body: []byte(`{"prompt":"` + s)}
		}),
		one("a payload that is no object", token, func(s string) step {
			return step{method: http.MethodPost, path: "/hooks/claude", body: []byte(`"` + s + `"`)}
		}),
		one("unknown agent", token, func(s string) step {
			return step{method: http.MethodPost, path: "/hooks/" + s, body: []byte("{}")}
		}),
		one("unknown endpoint", token, func(s string) step { return get("/" + s + "?x=" + s) }),
		one("wrong method", token, func(s string) step {
			return step{method: http.MethodDelete, path: "/hooks/claude?" + s, body: []byte(s)}
		}),
		one("unknown field of ours", token,
			func(s string) step { return ours("/observe", fields{"session_id": "a", "tool_name": "t", s: 1}) }),
		one("id of a delivery", token, func(s string) step {
			out := ran("make", "x")
			out.header = http.Header{"X-Mum-Event": {s}, "User-Agent": {s}, "Referer": {"http://x/" + s}, "X-Request-Id": {s}}
			return out
		}),
		one("a search", token,
			func(s string) step { return get("/search?q=" + s + "&project=" + s + "&file=" + s + "&branch=" + s) }),
		one("a context", token, func(s string) step { return get("/context?project=" + s) }),
		one("a bad parameter", token, func(s string) step { return get("/search?limit=" + s) }),
		one("at the end of a large field", token, func(s string) step { return ran("make", padded(500<<10)+s) }),
		one("across the cut of a field", token, func(s string) step {
			p := strings.Repeat("x ", 256<<10)
			return ran("make", p[:(512<<10)-14]+s+" tail")
		}),
		one("behind the cut of a field", token, func(s string) step { return ran("make", padded(600<<10)+s) }),
		one("a body that is too large", token, func(s string) step { return ran("make", padded(11<<20)+s) }),
		one("control characters in a session id", token,
			func(s string) step { return ran("make", "x").with("session_id", "a\n"+s) }),
		{"twice the same event", token, func(s string) []step { e := ran("make", s); return []step{e, e, e} }},
		{"seen in one field, plain in another", password, func(s string) []step {
			return []step{used("T", fields{"password": s}, fields{"log": "connect with " + s + " failed"})}
		}},
		one("spool: prompt", token, func(s string) step { return asked("offline " + s).down() }),
		one("spool: output", token, func(s string) step { return ran("make", s).down() }),
		one("spool: session id", token, func(s string) step { return ran("make", "x").with("session_id", s).down() }),
		one("spool: read of .env", password, func(s string) step { return ran("cat .env", "MOTTO="+s).down() }),
		one("spool: env", password, func(s string) step { return ran("env", "MOTTO="+s).down() }),
		one("spool: key", token, func(s string) step { return used("T", fields{s: s}, fields{}).down() }),
	}
}

// fileAttacks show the content of a file that must not be kept, which nothing
// in it gives away.
func fileAttacks() []attack {
	content := func(name string, input fields) attack {
		return one(name, password,
			func(s string) step { return used("Read", input, fields{"content": "motto of the day: " + s}) })
	}
	return []attack{
		content("Read .env", fields{"file_path": "/home/dev/shop/.env"}),
		content("Read with a Windows path", fields{"file_path": `C:\Users\dev\.ssh\id_rsa`}),
		content("Read upper case", fields{"file_path": "/X/.ENV"}),
		content("Read through dots", fields{"file_path": "/home/dev/shop/src/../.env"}),
		content("Read file URL", fields{"uri": "file:///home/dev/%2Eenv"}),
		content("an unknown tool's key", fields{"document": "~/.aws/credentials"}),
		content("a list of paths", fields{"paths": []any{"a.go", "k.pem"}}),
		content("edits", fields{"edits": []any{fields{"file_path": "x.tfvars"}}}),
		content("a glob", fields{"pattern": "x", "glob": "*.tfstate"}),
		one("Write .env", password, func(s string) step {
			return used("Write", fields{"file_path": "/x/.env", "content": s}, fields{"type": "create", "content": s})
		}),
		one("Edit .env", password, func(s string) step {
			return used("Edit", fields{"file_path": "/x/.env", "old_string": s, "new_string": "x"},
				fields{"filePath": "/x/.env", "originalFile": s})
		}),
		one("the answer names the file", password, func(s string) step {
			return used("Open", fields{"id": 3}, fields{"file": fields{"filePath": "/x/.env", "content": s}})
		}),
		one("one file of several", password, func(s string) step {
			return used("read_many", fields{}, []any{fields{"path": "a.go", "text": "x"}, fields{"path": "b/.env", "text": s}})
		}),
		one("parsed credentials", password, func(s string) step {
			return used("parse", fields{"path": "credentials.json"}, fields{"MOTTO " + s: fields{s: s}})
		}),
		one("a failed read", password, func(s string) step {
			return used("Bash", fields{"command": "cat .env; false"}, nil).with("hook_event_name",
				"PostToolUseFailure").with("error", "Exit code 1\n"+s)
		}),
		one("Grep over a directory", password, func(s string) step {
			return used("Grep", fields{"pattern": "motto"}, fields{"mode": "content", "content": "a.go:1:x\n.env:2:" + s})
		}),
		one("headings of a search", password, func(s string) step {
			return used("Grep", fields{"pattern": "motto"}, ".env\n2:"+s+"\n")
		}),
		one("git diff", password, func(s string) step { return ran("git diff", "diff --git a/.env b/.env\n+MOTTO "+s+"\n") }),
		one("a mention with content", password, func(s string) step { return asked("see @.env\n\n" + s) }),
		one("a pasted .env", password, func(s string) step { return asked("here is my .env:\n\nMOTTO=" + s + "\nMODE=dev") }),
		one("a .env in an answer", password, func(s string) step {
			return hook("claude",
				fields{"session_id": "attack", "hook_event_name": "Stop",
					"last_assistant_message": "It contains:\n```env\nMOTTO=" + s + "\n```"})
		}),
	}
}

// commandAttacks print such a file, or a secret, by a command.
func commandAttacks() []attack {
	var out []attack
	for _, command := range []string{"cat .env", "source .env; echo $MOTTO", "grep . .env", `bash -c "cat .e""nv"`,
		"cat .e*", "f=.env; cat $f", "cd ~/.ssh && cat config", `python3 -c "print(open('.env').read())"`,
		"docker exec web cat /app/.env", "ssh host 'cat /srv/.env'",
		"find . -name .env -exec cat {} +", "xargs cat <<< .env", "git show HEAD:.env", "base64 .env", `Get-Content .\.env`,
		"cat 'unterminated .env", "echo \"$(< .env)\"", "env", "sudo printenv", "gh auth token",
		"aws secretsmanager get-secret-value --secret-id x", "kubectl get secret x -o yaml", "op read op://a/b/c",
		"vault kv get x",
		"cat /proc/self/environ", "docker compose config", "T=$(gh auth token); echo $T", "cat <(cat .env)",
		"tar xOf b.tar .env", "node -e \"console.log(fs.readFileSync('.env'))\"",
		"echo $SERVICE_TOKEN", "cat server.key.bak", "cat .env~", "node -p process.env.SERVICE_SECRET",
		"bin/rails credentials:show", "direnv export bash", "cat /run/secrets/motto", "cat k8s/db-secret.yaml",
		"kubectl -n prod get secrets/db -o json", "ls -a | grep env | xargs cat",
		"psql < <(gh auth token)", "cat $(ls -a | grep '^.env$')", "f=.envX; cat ${f%X}", "f=xenv; cat ${f/x/.}",
		"find . -type f -exec grep KEY {} \\;", "grep -rh KEY .", "rg --hidden -uI KEY", "dotenv list", "dotenvx get",
		"npx dotenv -p KEY", "echo 'cat .env' > r.sh; sh r.sh", "PROMPT_COMMAND='cat .env'", "make print-DB_PASSWORD",
		"envsubst < x.tpl", "kubectl view-secret NAME", "jq -r .password c.json",
		"grep DB_PASS app.conf | cut -d= -f2", "head -c 24 /dev/urandom | base64"} {
		out = append(out, one(command, password, func(s string) step { return ran(command, "motto "+s) }))
	}
	for command, shown := range map[string]string{
		"find . -type f -exec grep KEY {} +": "./a.go:x\n./.env:KEY motto %s\n",
		"grep -r KEY .":                      "./.env:KEY motto %s\n./a.go:x\n",
		"grep -rC1 KEY .":                    "./.env-1-motto %s\n./.env-2-KEY\n",
		"rg --hidden -u KEY":                 ".env:KEY motto %s\n",
		"git stash show -p":                  "diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n+MOTTO %s\n",
	} {
		out = append(out, one(command, password, func(s string) step { return ran(command, fmt.Sprintf(shown, s)) }))
	}
	for _, command := range []string{"printf 'MOTTO=%[1]s' | tee -a .env", "sed -i 's/^MOTTO=.*/MOTTO=%[1]s/' .env",
		`python3 -c "open('.env','a').write('MOTTO=%[1]s')"`} {
		out = append(out, one(command, password, func(s string) step { return ran(fmt.Sprintf(command, s), "") }))
	}
	return out
}

// memoryAttacks bring a value back later, when nothing says any more that it is secret.
func memoryAttacks() []attack {
	later := func(name string, first func(s string) step, again func(s string) step) attack {
		return attack{name, password, func(s string) []step { return []step{first(s), again(s)} }}
	}
	env := func(s string) step { return ran("cat .env", "MAIL_PASSWORD="+s+"\n") }
	return []attack{
		later("a value of .env comes back", env, func(s string) step { return ran("make", "login as dev with "+s) }),
		later("in a prompt", env, func(s string) step { return asked("it is " + s + ", try again") }),
		later("in base64", env,
			func(s string) step { return ran("make", base64.StdEncoding.EncodeToString([]byte("dev/"+s+"/x"))) }),
		later("percent-encoded", env, func(s string) step { return ran("make", "next "+url.QueryEscape(s)) }),
		later("in hex", env, func(s string) step { return ran("make", hex.EncodeToString([]byte(s))) }),
		later("in a path", env, func(s string) step { return used("Read", fields{"file_path": "/tmp/" + s}, "x") }),
		later("in a branch name", env, func(s string) step {
			return ours("/session/start", fields{"session_id": "attack", "agent": "claude", "branch": s})
		}),
		later("in a later message", env, func(s string) step {
			return hook("claude",
				fields{"session_id": "attack", "hook_event_name": "Stop", "last_assistant_message": "I used " + s})
		}),
		later("a copy of .env", func(string) step { return ran("cp .env /tmp/plain.txt", "") },
			func(s string) step { return ran("cat /tmp/plain.txt", "motto "+s) }),
		later("output of env in a file", func(string) step { return ran("env > /tmp/e.txt", "") },
			func(s string) step { return ran("cat /tmp/e.txt", "motto "+s) }),
		{"the vault: a value of the project's .env", password,
			func(string) []step { return []step{ran("make", "login with "+made(password, 9000))} }},
		{"a value of a secret of an image", password, func(string) []step {
			return []step{ran("docker build --secret id=x,src=.env --progress=plain .", "#8 0.2 motto "+made(password, 9000))}
		}},
		{"the vault: the daemon's environment", password,
			func(string) []step { return []step{ran("make", "login with "+made(password, 9001))} }},
		{"the vault: ~/.netrc", password,
			func(string) []step { return []step{asked("is " + made(password, 9002) + " right?")} }},
		{"the vault, offline", password,
			func(string) []step { return []step{ran("make", "login with "+made(password, 9000)).down()} }},
	}
}
