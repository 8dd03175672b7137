package daemon

// placeAttacks give a tool, or get from one, a secret that only its place tells.
func placeAttacks() []attack {
	return []attack{
		one("a tool that sets secrets", password,
			func(s string) step { return used("mcp__ci__set_secret", fields{"name": "DB", "value": s}, "ok") }),
		one("a path of a vault", password, func(s string) step {
			return used("mcp__vault__write", fields{"path": "secret/db", "data": fields{"db": s}}, "ok")
		}),
		one("a command as a list", password, func(s string) step {
			return used("mcp__sh__exec", fields{"cmd": []any{"mysql", "-u", "root", "-p" + s}}, "ok")
		}),
		one("a variable of a command", password,
			func(s string) step { return ran("P="+s+"; curl -u admin:$P https://example.com", "") }),
		one("label and value in two items", password, func(s string) step {
			return used("mcp__x__y", fields{},
				[]any{fields{"type": "text", "text": "password:"}, fields{"type": "text", "text": s}})
		}),
		one("members of a container", password,
			func(s string) step { return used("T", fields{"secrets": fields{"stage": fields{"mail": s}}}, "ok") }),
		one("a query for passwords", password, func(s string) step {
			return used("mcp__db__query", fields{"sql": "select password from users"}, []any{[]any{s}})
		}),
		one("typed where a password is asked for", password, func(s string) step {
			return hook("codex",
				fields{"session_id": "x2", "cwd": "/home/dev/shop", "hook_event_name": "PostToolUse", "tool_name": "write_stdin",
					"tool_input": fields{"session_id": 1, "chars": s + "\n"}, "tool_response": "Password: \nLogin ok",
					"tool_use_id": "c9"})
		}),
		{"the agent asks, the user answers", password, func(s string) []step {
			question := hook("claude",
				fields{"session_id": "attack", "cwd": "/home/dev/shop", "hook_event_name": "Stop",
					"last_assistant_message": "What is the password for staging?"})
			return []step{question, asked(s)}
		}},
		{"the answer in a sentence", password, func(s string) []step {
			question := hook("claude",
				fields{"session_id": "attack", "cwd": "/home/dev/shop", "hook_event_name": "Stop",
					"last_assistant_message": "Please send me the database password."})
			return []step{question, asked("its " + s + " ok?")}
		}},
	}
}
