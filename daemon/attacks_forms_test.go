package daemon

// formAttacks name a secret in one member of a value and hold it in another.
func formAttacks() []attack {
	return []attack{
		one("a pair in a list", password, func(s string) step {
			return used("mcp__ci__set", fields{"headers": []any{[]any{"X-Api-Key", s}}}, "ok")
		}),
		one("arguments of a command", password, func(s string) step {
			return used("mcp__shell__spawn", fields{"args": []string{"--user", "jo", "--password", s}}, "ok")
		}),
		one("columns and rows", password, func(s string) step {
			return ours("/observe",
				fields{"session_id": "api", "tool_name": "db", "tool_input": fields{},
					"tool_output": fields{"columns": []string{"id", "password"}, "rows": []any{[]any{1, s}}}})
		}),
		one("columns with types", password, func(s string) step {
			return ours("/observe",
				fields{"session_id": "api", "tool_name": "db", "tool_input": fields{},
					"tool_output": fields{"fields": []any{fields{"name": "password"}}, "rows": []any{[]any{s}}}})
		}),
		one("browser: element and text", password, func(s string) step {
			return used("mcp__browser__type", fields{"element": "Password field", "ref": "e12", "text": s}, "ok")
		}),
		one("browser: selector and value", password, func(s string) step {
			return used("mcp__browser__fill", fields{"selector": "#password", "value": s}, "ok")
		}),
		one("browser: fields of a form", password, func(s string) step {
			return used("mcp__browser__form", fields{"fields": []any{fields{"label": "Password:", "value": s}}}, "ok")
		}),
		one("browser: script", password, func(s string) step {
			return used("mcp__browser__type", fields{"ref": "e1"},
				"await page.getByRole('textbox', { name: 'Password' }).fill('"+s+"!7');")
		}),
		one("an error with an address", password, func(s string) step {
			return hook("claude",
				fields{"session_id": "attack", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
					"tool_input": fields{"command": "psql"},
					"error":      "Exit code 2\nconnection to postgresql://shop:" + s + "#9@db/shop failed"})
		}),
		one("an answer to a question", password, func(s string) step {
			return used("AskUserQuestion", fields{}, fields{"answers": fields{"What is the database password?": s}})
		}),
	}
}
