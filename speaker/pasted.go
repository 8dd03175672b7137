package speaker

import (
	"strings"
	"unicode"

	"keepmum/lazyregexp"
)

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// Pasted finds what a person put into a prompt but did not write: code with or without fences, diffs, logs, stack
// traces, tables, quotations and documents. Spans are in order and do not overlap.
func Pasted(text string) []Span {
	if foreign(text) {
		return []Span{{0, len(text)}}
	}
	p := paste{text: text, taken: make([]bool, len(text))}
	p.blocks()
	p.lines()
	p.announced()
	p.document()
	return p.spans()
}

// paste marks the bytes of a text that were pasted.
type paste struct {
	text  string
	taken []bool
}

// take marks some bytes.
func (p *paste) take(from, to int) {
	for i := from; i < to; i++ {
		p.taken[i] = true
	}
}

// spans returns the marked bytes.
func (p *paste) spans() (out []Span) {
	for i, is := range p.taken {
		switch {
		case !is:
		case len(out) > 0 && out[len(out)-1].To == i:
			out[len(out)-1].To = i + 1
		default:
			out = append(out, Span{i, i + 1})
		}
	}
	return out
}

var (
	fence  = lazyregexp.New("(?s)```.*?(?:```|$)|~~~.*?(?:~~~|$)")
	quoted = lazyregexp.New(`"[^"\n]{3,400}"|“[^”\n]{3,400}”|«[^»\n]{3,400}»|„[^“”\n]{3,400}[“”]`)
	single = lazyregexp.New(`(?:^|[\s:(])'\w[^'\n]{20,}(?:'|$)`)
	tagBox = lazyregexp.New(`(?s)<([a-zA-Z][\w-]*)(?:\s[^>]*)?>.*?</[a-zA-Z][\w-]*>`)
	merge  = lazyregexp.New(
		`(?ms)^[<># ]{2,}<? ?Updated upstream$|^=======$|^[> ]{7,} ?Stashed changes$|^<{7}.*$|^>{7}.*$`)
)

// blocks marks what is inside fences, quotation marks and tags.
func (p *paste) blocks() {
	for _, re := range []*lazyregexp.Regexp{fence, quoted, single, tagBox, merge} {
		for _, at := range re.FindAllStringIndex(p.text, -1) {
			if re == quoted && !strings.Contains(p.text[at[0]:at[1]], " ") {
				continue // a single quoted word may be the user's own
			}
			p.take(at[0], at[1])
		}
	}
}

// lines marks the lines that programs print, and lines between two of them that are close to each other.
func (p *paste) lines() {
	const reach = 2 // maximum number of undecided lines between two printed ones
	offset, last, lastNumber := 0, -1, 0
	number := 0
	for line := range strings.Lines(p.text) {
		number++
		if printed(line) {
			from := offset
			if last >= 0 && number-lastNumber <= reach+1 {
				from = last
			}
			p.take(from, offset+len(line))
			last, lastNumber = offset+len(line), number
		}
		offset += len(line)
	}
}

var announcing = lazyregexp.New(
	`(?im)^.*\b(?:say|says|said|wrote|writes|docs?|documentation|manual|readme|article|spec|output|logs?|review|ticket|mail|e-mail|from another agent|below|following|pasted?|research)\b.{0,40}:[ \t]*\n`)

// announced marks what follows a line that says whose words it is: "the manual says:".
func (p *paste) announced() {
	if at := announcing.FindStringIndex(p.text); at != nil {
		p.take(at[1], len(p.text))
	}
}

var printedLine = lazyregexp.New(`^\s*(?:` + strings.Join([]string{
	// terminals
	`>`, `\|`, `│`, `┃`, `[─━⎯=_*-]{8,}`, `\$ `, `% `, `[➜❯▶⎿●✗✓✔✖✘ℹ×└├╭╰] ?`, `\([\w.-]+\) ➜`,
	`[\w.-]+@[\w.-]+[ :~][^ ]* ?[$%#]`,
	`\+\+\+ `, `--- [ab/]`, `@@ `, `diff --git `, `index [0-9a-f]{7}`, `[+-][^\s-]`, // diffs
	// stacks
	`at [\w.$<>\[\] ]+ ?\(`, `at (?:async )?[\w./:@-]+:\d+`, `File "`, `Traceback`, `Caused by`, `panic:`, `goroutine \d`,
	`\.\.\. \d+ more`, `#\d+ +0x`,
	`[\w$.<>\[\]]+ ?@ ?[\w./-]+:\d+`, `\w+ \([\w.-]+:\d+(?::\d+)?\)`, `\w*(?:Error|Exception)(?:\(\w+\))?:`, `Uncaught `,
	`npm (?:warn|ERR|error|notice)`, `(?:error|warning|hint|fatal)(?:\[\w+\])?: `,
	// logs
	`\[?\d{4}-\d\d-\d\d[T ]\d\d:`, `\[?\d\d:\d\d:\d\d`, `[EIWD] \(\d`,
	`\[(?:\w+ )?(?:INFO|WARN|ERROR|DEBUG|error|info|warn|debug|WebServer|[\w-]+-[\w-]+)\]`,
	`(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|FAIL|PASS)(?:\W|$)`, `ok\s{2,}`, `\d+ passed`, `exit (?:code|status) `,
	` ?(?:M|A|D|R|\?\?|AM|MM|RM)  ?[\w-]*[./][\w./-]*(?:$|\s)`, `\d+\s*\|`, // git status, numbered code
	// code
	`(?:import|export|const|let|var|function|class|def|return|package|func|type|public|private|if|for|while) .*[{};(=]\s*$`, `[\w.]+\(.*\);?\s*$`, `[{}\[\]();,]+\s*$`, `</?[a-zA-Z][^>]*>\s*(?:$|<)`, `"[\w-]+": `, `//`, `/\*`,
	`\S+:\d+:\d+`, `[drwx-]{10}`, `\[?\d\d:\d\d\]? \w+`, `\d+\.\d+\.? [A-Z]`, // lists of files, chats, specifications
}, "|") + `)`)

var listItem = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,2}[.)]) +\S`)

// printed reports whether a program wrote a line.
func printed(line string) bool {
	line = strings.TrimRight(line, "\r\n")
	if strings.TrimSpace(line) == "" {
		return false
	}
	if listItem.MatchString(line) {
		return !prose(line)
	}
	return printedLine.MatchString(line) || !prose(line)
}

// prose reports whether a line consists of words: at least six tenths of it are letters and spaces. A short line always
// counts as prose.
func prose(line string) bool {
	const long, few, of = 40, 6, 10
	letters, all := 0, 0
	for _, r := range line {
		all++
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	return all < long || letters*of >= all*few
}

var (
	heading = lazyregexp.New(`(?m)^#{1,6} +\S.*$|^\*\*[^*\n]{3,80}\*\*:?\s*$`)
	bolded  = lazyregexp.New(`(?m)^\s*(?:[-*]|\d+\.)?\s*\*\*[^*\n]{2,80}\*\*`)
	marks   = lazyregexp.New(`[✅❌⚠🚨🎯📋🔧✓☑→]`)
)

// document marks a document from its first heading on, because people write a few words above it.
func (p *paste) document() {
	const several = 3 // headings, bold beginnings and signs that make a document
	at := heading.FindStringIndex(p.text)
	heads := len(heading.FindAllStringIndex(p.text, 3)) + len(bolded.FindAllStringIndex(p.text, 3)) +
		len(marks.FindAllStringIndex(p.text, 3))
	if heads < several {
		return
	}
	if b := bolded.FindStringIndex(p.text); at == nil || b != nil && b[0] < at[0] {
		at = b
	}
	if at != nil {
		p.take(at[0], len(p.text))
	}
}

// briefing matches a prompt that another agent or a template wrote: it says who the agent is, or what its task is.
var briefing = lazyregexp.New(
	`(?i)\A\s*(?:#+ .{0,80}\n+)?(?:you are (?:an? |the |now |taking over|starting|continuing|working |in |[\w-]+ on the )|` +
		`you're (?:an?|the) |role:|your task is to |context:\s)`)

// templates matches prompts that a program generated and a person sent with a key or a button.
var templates = lazyregexp.New(`(?s)\A[\s"]*(?:` + strings.Join([]string{
	`Implement the following plan:\s+#`,                                    // an agent's plan that the user accepted
	`Implement the plan as specified, it is attached for your reference\.`, // the same in an editor
	`Implement the plan as specified\. To-do's from the plan `,
	`Implement the following to-dos from the plan \(the plan is attached`,
	`Briefly inform the user about the task result and perform any follow-up`,
	`Analyze this codebase to generate or update \S*copilot-instructions\.md`, // a button of an editor
	`\[\[ ## \w+ ## \]\]`, // a library that builds prompts
	`For the code present, we get this error:.*How can I resolve this\?`,    // an editor
	`[^\n]{0,80}?# Instructions\s+- Following \w+ test failed.*# Test info`, // a test tool; people add a word in front
}, "|") + `)`)

// foreign reports whether a text has no words of the person who sent it.
func foreign(text string) bool {
	const long = 500 // minimum length in bytes: "you are the best" is shorter
	return templates.MatchString(text) || len(text) > long && briefing.MatchString(text)
}
