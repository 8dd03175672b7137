package extract

import (
	"context"
	"slices"
	"strings"

	"keepmum/privacy"
)

// Sizes of a summary, in words.
const (
	intentWords   = 150
	happenedWords = 200
)

// topic returns the user's first request as a title.
func topic(talk []exchange) privacy.Clean {
	for _, e := range talk {
		for _, s := range e.user.list {
			if len(s.words) < 4 || greeting(s) {
				continue
			}
			to := min(len(s.words), 16)
			for to > minWords && to < len(s.words) && dangling(s.words[to-1].lower) {
				to--
			}
			return capital(oneLine(s.text.Slice(s.words[0].start, s.words[to-1].end)))
		}
	}
	return privacy.Clean{}
}

func greeting(s sentence) bool {
	switch s.words[0].lower {
	case "good", "hi", "hello", "hey", "bonjour", "moin", "hallo", "hola", "thanks", "thank", "buenos", "buenas", "guten",
		"salut":
		return len(s.words) < 8 || strings.Contains(strings.ToLower(s.text.String()), "hope")
	}
	return false
}

// summarise says what was asked and what was done about it.
func summarise(ctx context.Context, talk []exchange, b Background) Summary {
	asked := topic(talk)
	if asked.IsZero() {
		return Summary{}
	}
	out := Summary{Title: asked, Intent: words(intent(talk), intentWords), Happened: words(happened(talk), happenedWords)}
	out.Description = privacy.Join("", privacy.Const("Asked: "), ended(asked))
	var all []sentence
	for _, e := range talk {
		all = append(all, e.user.list[:min(len(e.user.list), 3)]...)
	}
	if len(all) > 0 {
		out.Tags = finding{key: all[0], facts: all[1:]}.tags(ctx, b)
	}
	return out
}

// intent returns the first sentences of each request, in order.
func intent(talk []exchange) privacy.Clean {
	var out []sentence
	for _, e := range talk {
		const few = 2
		n := 0
		for _, s := range e.user.list {
			if len(s.words) >= 4 && n < few {
				out = append(out, s)
				n++
			}
		}
	}
	return prose(out)
}

// happened lists the changed files, the commands that never succeeded, and the assistant's last message.
func happened(talk []exchange) privacy.Clean {
	var files, failing []privacy.Clean
	var last *reply
	for _, e := range talk {
		for _, st := range e.work {
			if st.Role == Tool && st.Edit && !st.Failed {
				files = addOnce(files, st.Files...)
			}
			if st.Role == Tool && !st.Command.IsZero() {
				failing = slices.DeleteFunc(failing, func(c privacy.Clean) bool { return c == st.Command })
				if st.Failed {
					failing = append(failing, st.Command)
				}
			}
		}
		last = e.before
	}
	var parts []privacy.Clean
	if len(files) > 0 {
		parts = append(parts, listed(privacy.Const("Changed: "), files))
	}
	if len(failing) > 0 {
		parts = append(parts, listed(privacy.Const("Still failing: "), failing))
	}
	if list := last.read().list; len(list) > 0 {
		const few = 4
		parts = append(parts, privacy.Join("", privacy.Const("Last reported: "), prose(list[:min(few, len(list))])))
	}
	if len(parts) == 0 {
		return privacy.Const("Nothing was changed.")
	}
	return privacy.Join(" ", parts...)
}

func listed(lead privacy.Clean, list []privacy.Clean) privacy.Clean {
	const few = 8
	shown := make([]privacy.Clean, 0, few)
	for _, c := range list[:min(few, len(list))] {
		shown = append(shown, oneLine(c).Cut(100))
	}
	return privacy.Join("", lead, privacy.Join(", ", shown...), privacy.Const("."))
}

func addOnce(list []privacy.Clean, more ...privacy.Clean) []privacy.Clean {
	for _, c := range more {
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// words returns at most n words of c.
func words(c privacy.Clean, n int) privacy.Clean {
	s := c.String()
	inWord := false
	for i, r := range s {
		space := r == ' ' || r == '\n' || r == '\t'
		if !space && !inWord {
			if n--; n < 0 {
				return c.Slice(0, len(strings.TrimRight(s[:i], " \n\t")))
			}
		}
		inWord = !space
	}
	return c
}
