//go:build unix

package team

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"keepmum/api"
	"keepmum/longtest"
)

// relay stands between a machine and the server. It can be gone, or accept and never answer.
type relay struct {
	l     net.Listener
	to    string
	mu    sync.Mutex
	hangs bool
	open  []net.Conn
}

func newRelay(t testing.TB, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{l: l, to: to}
	t.Cleanup(r.vanish)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go r.carry(c)
		}
	}()
	return r
}

func (r *relay) carry(near net.Conn) {
	r.mu.Lock()
	r.open = append(r.open, near)
	hangs := r.hangs
	r.mu.Unlock()
	if hangs {
		return
	}
	far, err := net.Dial("tcp", r.to)
	if err != nil {
		_ = near.Close()
		return
	}
	go func() { _, _ = io.Copy(far, near); _ = far.Close() }()
	_, _ = io.Copy(near, far)
	_ = near.Close()
}

// cut ends all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.open {
		_ = c.Close()
	}
	r.open = nil
}

func (r *relay) vanish() { _ = r.l.Close(); r.cut() }

func (r *relay) hang() {
	r.mu.Lock()
	r.hangs = true
	r.mu.Unlock()
	r.cut()
}

// TestNothingIsSlowerWithATeam measures hooks, searches and contexts without a team, with one, with its database gone,
// and with one that accepts and never answers, in turn: what they take is compared, and what they answer is the same.
func TestNothingIsSlowerWithATeam(t *testing.T) {
	longtest.Only(t)
	rng := longtest.Chance(t)
	c := newTeam(t, "anna")
	texts := []string{portFact, colorFact}
	for range 60 {
		texts = append(texts, sentence(rng))
	}
	states := []string{"no team", "joined", "gone", "hanging"}
	machines, relays := map[string]*machine{}, map[string]*relay{}
	for _, state := range states {
		m := newMachine(t, state, shop)
		machines[state] = m
		if state != "no team" {
			u, err := url.Parse(c.dsns["anna"])
			if err != nil {
				t.Fatal(err)
			}
			relays[state] = newRelay(t, u.Host)
			u.Host = relays[state].l.Addr().String()
			m.mum("team", "join", u.String(), "--as", state)
			m.mum("team", "share", "--key", state)
		}
		for _, text := range texts {
			m.fact(text)
		}
		if state != "no team" {
			m.sync()
		}
	}
	relays["gone"].vanish()
	relays["hanging"].hang()
	took := map[string][]time.Duration{} // "hook joined" → …
	answers := map[string]map[string]string{}
	const rounds = 40
	for i := range rounds {
		for _, state := range states {
			m := machines[state]
			client := api.NewClient(filepath.Join(m.home, ".mum"), "")
			go func() { _ = client.Post(t.Context(), "/team/sync", struct{}{}, nil) }() // it goes on meanwhile
			answers[state] = m.work(i, func(what string, d time.Duration) {
				took[what+" "+state] = append(took[what+" "+state], d)
			})
		}
	}
	for _, state := range states[1:] {
		if diff := cmp.Diff(answers["no team"], answers[state]); diff != "" {
			t.Errorf("%s answers otherwise: %s", state, diff)
		}
	}
	for _, what := range []string{"hook", "search", "context"} {
		line := what + ": "
		base := median(took[what+" no team"])
		for _, state := range states {
			d := median(took[what+" "+state])
			line += fmt.Sprintf("%s %.2f (%v)  ", state, d.Seconds()/base.Seconds(), d.Round(100*time.Microsecond))
		}
		t.Log(line)
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

// work is what an agent and a user do; it returns what was answered.
func (m *machine) work(round int, note func(what string, took time.Duration)) map[string]string {
	m.t.Helper()
	event, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": m.repo,
		"prompt": "which port does the checkout service use?"})
	if err != nil {
		m.t.Fatal(err)
	}
	hook := m.command("hook", "claude")
	hook.Stdin = strings.NewReader(string(event))
	began := time.Now()
	out, err := hook.CombinedOutput()
	note("hook", time.Since(began))
	if err != nil {
		m.t.Errorf("round %d: a hook ended with %v: %s", round, err, out)
	}
	client := api.NewClient(filepath.Join(m.home, ".mum"), "")
	get := func(what string, q url.Values) string {
		var answer struct {
			Results []struct{ Title string } `json:"results"`
			Context string                   `json:"context"`
		}
		began := time.Now()
		if err := client.Get(m.t.Context(), "/"+what, q, &answer); err != nil {
			m.t.Fatal(err)
		}
		note(what, time.Since(began))
		text := answer.Context
		for _, r := range answer.Results {
			text += r.Title + "\n"
		}
		return text
	}
	words := []string{"checkout service port"}
	return map[string]string{"search": get("search", url.Values{"q": words, "type": {"memory"}}),
		"context": get("context", url.Values{"q": words, "directory": {m.repo}, "format": {"json"}})}
}
