package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"keepmum/llm"
	"keepmum/llm/ollamatest"
	"keepmum/privacy"
)

var question = llm.Question{
	System: privacy.Const("Summarise."),
	Body:   privacy.Const("the body of the question"),
	Schema: json.RawMessage(`{"type":"object"}`),
}

func start(t *testing.T, o ollamatest.Options) *ollamatest.Server {
	t.Helper()
	s := ollamatest.New(o)
	t.Cleanup(s.Close)
	return s
}

func ask(t *testing.T, o llm.Options) (llm.Answer, error) {
	t.Helper()
	p, err := llm.Open(t.Context(), o)
	if err != nil {
		return llm.Answer{}, err
	}
	r, err := p.Prepare(t.Context(), question)
	if err != nil {
		return llm.Answer{}, err
	}
	return p.Send(t.Context(), r)
}

func local(name string) []ollamatest.Model { return []ollamatest.Model{{Name: name}} }

func TestALocalModelIsAskedExactlyWhatWasPrepared(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	p, err := llm.Open(t.Context(), llm.Options{URL: s.URL, Model: "tiny"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Prepare(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(s.Received()), question.Body.String()) {
		t.Fatal("preparing sent the question")
	}
	if _, err := p.Send(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(s.Received()), string(r.Payload)) {
		t.Errorf("the payload did not arrive byte for byte:\n%s", r.Payload)
	}
	got := s.Chats()[0]
	if got.Options["num_ctx"] != 4096.0 || got.Truncate == nil || *got.Truncate || got.Think == nil || *got.Think ||
		got.Stream == nil || *got.Stream {
		t.Errorf("num_ctx %v, truncate %v, think %v, stream %v", got.Options["num_ctx"], got.Truncate, got.Think, got.Stream)
	}
}

func TestAModelLoadedForUsIsUnloadedAndNoOther(t *testing.T) {
	for name, loaded := range map[string]bool{"ours": false, "the user's": true} {
		t.Run(name, func(t *testing.T) {
			s := start(t, ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest", Loaded: loaded}}})
			p, err := llm.Open(t.Context(), llm.Options{URL: s.URL, Model: "tiny"})
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Unload(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := len(s.Unloaded()) > 0; got == loaded {
				t.Errorf("loaded before us: %v, unloaded: %v", loaded, got)
			}
		})
	}
}

func TestANewerServerMustPromiseToStayLocal(t *testing.T) {
	for version, want := range map[string]string{
		"0.9.6": "tiny:latest", "0.0.0": "tiny:latest", "0.17.7": "tiny:latest", "0.17.8-rc1": "tiny:latest",
		"not a version": "tiny:latest",
		"0.17.8":        "tiny:latest:local", "0.18.0-rc2": "tiny:latest:local", "0.32.15": "tiny:latest:local",
		"1.0.0": "tiny:latest:local",
	} {
		t.Run(version, func(t *testing.T) {
			s := start(t, ollamatest.Options{Version: version, Models: local("tiny:latest")})
			if _, err := ask(t, llm.Options{URL: s.URL, Model: "tiny:latest"}); err != nil {
				t.Fatal(err)
			}
			if got := s.Chats()[0].Model; got != want {
				t.Errorf("asked %q, want %q", got, want)
			}
		})
	}
}

func TestWhatIsNotProvedLocalIsRefused(t *testing.T) {
	elsewhere := start(t, ollamatest.Options{Models: local("tiny:latest")})
	stub := ollamatest.Model{Name: "harmless:latest", Size: 384, RemoteHost: "https://ollama.com:443", RemoteModel: "big"}
	hidden, shownOnly := stub, stub
	hidden.ListedLocal, hidden.RemoteHost, hidden.RemoteModel = true, "", ""
	shownOnly.ListedLocal, shownOnly.Size = true, 4<<30
	for name, tc := range map[string]struct {
		server ollamatest.Options
		model  string
		reason string
	}{
		"a cloud name without a stub": {ollamatest.Options{Models: local("big:cloud")}, "big:cloud", "cloud model"},
		"a cloud tag": {ollamatest.Options{Models: local("big:120b-Cloud")}, "big:120b-Cloud",
			"cloud model"},
		"a stub under a harmless name":    {ollamatest.Options{Models: []ollamatest.Model{stub}}, "harmless", "another host"},
		"a stub that only its size tells": {ollamatest.Options{Models: []ollamatest.Model{hidden}}, "harmless", "stub"},
		"a stub that only show tells": {ollamatest.Options{Models: []ollamatest.Model{shownOnly}}, "harmless",
			"forwards"},
		"a model that is not shown": {
			ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest", NotShown: true}}}, "tiny", "does not show"},
		"a redirect of everything": {ollamatest.Options{Redirect: elsewhere.URL}, "tiny", "redirects"},
		"a redirect of the question": {ollamatest.Options{Models: local("tiny:latest"),
			Answer: func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Redirect: elsewhere.URL} }}, "tiny",
			"redirects"},
		"an answer from elsewhere": {ollamatest.Options{Models: local("tiny:latest"),
			Answer: func(ollamatest.Chat) ollamatest.Reply {
				return ollamatest.Reply{Text: "{}", RemoteHost: "https://ollama.com"}
			}}, "tiny", "another host"},
		"a server that wants a sign-in": {ollamatest.Options{Models: local("tiny:latest"),
			Answer: func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Status: http.StatusUnauthorized} }}, "tiny",
			"sign-in"},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, tc.server)
			_, err := ask(t, llm.Options{URL: s.URL, Model: tc.model})
			var refused *llm.Refused
			if !errors.As(err, &refused) || !strings.Contains(refused.Reason, tc.reason) ||
				refused.Hint == "" && !strings.Contains(tc.reason, "redirects") {
				t.Errorf("got %v, want a refusal that says %q and what to do", err, tc.reason)
			}
		})
	}
	if len(elsewhere.Received()) > 0 {
		t.Errorf("another host received %d bytes", len(elsewhere.Received()))
	}
}

// names resolves to what each lookup is told to say.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	said := n[host]
	if len(said) == 0 {
		return nil, errors.New("no such host")
	}
	var out []netip.Addr
	for _, a := range strings.Fields(said[0]) {
		out = append(out, netip.MustParseAddr(a))
	}
	if len(said) > 1 {
		n[host] = said[1:] // a rebinding name says something else next time
	}
	return out, nil
}

func TestANameMustResolveToThisMachineEachTime(t *testing.T) {
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		says    []string
		refused bool
	}{
		"loopback":                  {[]string{"127.0.0.1"}, false},
		"another host":              {[]string{"192.0.2.7"}, true},
		"one address elsewhere":     {[]string{"127.0.0.1 192.0.2.7"}, true},
		"a mapped address":          {[]string{"::ffff:192.0.2.7"}, true},
		"the unspecified address":   {[]string{"0.0.0.0"}, true},
		"elsewhere the second time": {[]string{"127.0.0.1", "192.0.2.7"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, llm.Options{URL: "http://models.test:" + at.Port(), Model: "tiny",
				Resolver: names{"models.test": tc.says}})
			var refused *llm.Refused
			if errors.As(err, &refused) != tc.refused || (!tc.refused && err != nil) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestTheEnvironmentCannotRedirectTheText(t *testing.T) {
	proxy := httptest.NewServer(
		http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the proxy was used") }))
	t.Cleanup(proxy.Close)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("http_proxy", proxy.URL)
	s := start(t, ollamatest.Options{Models: local("tiny:latest")})
	if _, err := ask(t, llm.Options{URL: s.URL, Model: "tiny"}); err != nil {
		t.Error(err)
	}
	t.Setenv("OLLAMA_AUTH", "1")
	var refused *llm.Refused
	if _, err := ask(t, llm.Options{URL: s.URL, Model: "tiny"}); !errors.As(err, &refused) {
		t.Errorf("with OLLAMA_AUTH: got %v, want a refusal", err)
	}
}

func TestFailuresAreToldApart(t *testing.T) {
	const echo = "could not answer: the body of the question"
	for name, tc := range map[string]struct {
		reply ollamatest.Reply
		want  error
	}{
		"server error":       {ollamatest.Reply{Status: 500, Text: echo}, llm.ErrUnavailable},
		"busy":               {ollamatest.Reply{Status: 503, Text: echo}, llm.ErrUnavailable},
		"bad request":        {ollamatest.Reply{Status: 400, Text: echo}, llm.ErrAnswer},
		"too long, it says":  {ollamatest.Reply{Status: 400, Text: "exceeds the context length: " + echo}, llm.ErrTooLong},
		"too long, cut":      {ollamatest.Reply{Text: "{}", PromptTokens: 4096}, llm.ErrTooLong},
		"garbage":            {ollamatest.Reply{Garbage: []byte("<html>" + echo)}, llm.ErrAnswer},
		"nothing":            {ollamatest.Reply{Garbage: []byte{}}, llm.ErrAnswer},
		"broken off":         {ollamatest.Reply{Text: "half an answer", BreakOff: true}, llm.ErrAnswer},
		"endless":            {ollamatest.Reply{Huge: true}, llm.ErrAnswer},
		"hanging":            {ollamatest.Reply{Hang: true}, llm.ErrUnavailable},
		"streams unasked":    {ollamatest.Reply{Text: `{"a":1}`, Stream: true}, nil},
		"model gone between": {ollamatest.Reply{Status: 404, Text: echo}, llm.ErrNoModel},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, ollamatest.Options{Models: local("tiny:latest"),
				Answer: func(ollamatest.Chat) ollamatest.Reply { return tc.reply }})
			_, err := ask(t, llm.Options{URL: s.URL, Model: "tiny", Timeout: 2 * time.Second})
			if !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
			if err != nil && strings.Contains(err.Error(), "body of the question") {
				t.Errorf("the error repeats the question: %v", err)
			}
		})
	}
}

func TestAServerThatIsAwayIsUnavailable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Open(t.Context(), llm.Options{URL: "http://" + at, Model: "tiny"}); !errors.Is(err,
		llm.ErrUnavailable) {
		t.Errorf("got %v", err)
	}
}

func TestAutoTakesWhatIsThereAndDownloadsNothing(t *testing.T) {
	stub := ollamatest.Model{Name: "stub:latest", Size: 300, RemoteHost: "https://ollama.com", RemoteModel: "big"}
	embedder := ollamatest.Model{Name: "embed:latest", Capabilities: []string{"embedding"}}
	for name, tc := range map[string]struct {
		models []ollamatest.Model
		want   string
	}{
		"the largest that is comfortable": {[]ollamatest.Model{{Name: "small:1b", Size: 1 << 30},
			{Name: "mid:8b", Size: 5 << 30}, {Name: "huge:70b", Size: 40 << 30}}, "mid:8b"},
		"the smallest of the too large": {[]ollamatest.Model{{Name: "huge:70b", Size: 40 << 30},
			{Name: "big:14b", Size: 9 << 30}}, "big:14b"},
		"no stub, no cloud, no embedder": {[]ollamatest.Model{stub, {Name: "x:cloud"}, embedder}, ""},
		"an embedder of an old server": {
			[]ollamatest.Model{{Name: "bert:latest", Family: "nomic-bert", Capabilities: []string{}}}, ""},
		"nothing at all": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, ollamatest.Options{Models: tc.models, Cloud: "disabled"})
			p, err := llm.Open(t.Context(), llm.Options{URL: s.URL})
			if tc.want == "" {
				if !errors.Is(err, llm.ErrNoModel) {
					t.Errorf("got %v, want no model", err)
				}
			} else if err != nil || !strings.Contains(p.String(), tc.want) || strings.Contains(p.String(), "switched off") {
				t.Errorf("got %v, %v, want %s", p, err, tc.want)
			}
			if strings.Contains(string(s.Received()), "/api/pull") {
				t.Error("it tried to download a model")
			}
		})
	}
}

func TestAQuestionThatCannotFitIsNotSent(t *testing.T) {
	s := start(t, ollamatest.Options{Models: []ollamatest.Model{{Name: "tiny:latest", Context: 410}}})
	if _, err := ask(t, llm.Options{URL: s.URL, Model: "tiny"}); !errors.Is(err, llm.ErrTooLong) {
		t.Errorf("got %v", err)
	}
	if len(s.Chats()) > 0 {
		t.Error("it was sent")
	}
}
