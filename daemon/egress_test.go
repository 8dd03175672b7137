package daemon

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"keepmum/api"
	"keepmum/privacy"
)

// labelled is one sample of a measuring file: a text and the secrets in it.
type labelled struct {
	Set, Rule, Kind, Text string
	Secrets               []string
}

// secret is the longest label, which is the secret where others are its user or host.
func (l labelled) secret() string {
	return slices.MaxFunc(l.Secrets, func(a, b string) int { return len(a) - len(b) })
}

// samples reads the secrets of every *.jsonl file in a directory.
func samples(t *testing.T, dir string) []labelled {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	var all []labelled
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			s := labelled{Set: strings.TrimSuffix(filepath.Base(name), ".jsonl")}
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				t.Fatal(err)
			}
			if s.Kind == "tp" && len(s.Secrets) > 0 && len(s.secret()) >= 6 {
				all = append(all, s)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// every thins the samples out where MUM_EVAL_EVERY asks for it: all of them take minutes.
func every(t *testing.T, all []labelled) []labelled {
	t.Helper()
	if os.Getenv("MUM_EVAL_EVERY") == "" {
		return all
	}
	n, err := strconv.Atoi(os.Getenv("MUM_EVAL_EVERY"))
	if err != nil || n < 1 {
		t.Fatalf("MUM_EVAL_EVERY=%q is no number of samples", os.Getenv("MUM_EVAL_EVERY"))
	}
	var some []labelled
	for i := 0; i < len(all); i += n {
		some = append(some, all[i])
	}
	return some
}

// summariseAll waits for a long queue without slowing it down.
func (x *target) summariseAll(client *api.Client) {
	x.t.Helper()
	if err := client.Post(x.t.Context(), "/compress", fields{}, nil); err != nil {
		x.t.Fatal(err)
	}
	for {
		var waiting api.JobList
		for _, state := range []string{"pending", "leased", "failed"} {
			var l api.JobList
			if err := client.Get(x.t.Context(), "/queue", url.Values{"state": {state}, "limit": {"1"}}, &l); err != nil {
				x.t.Fatal(err)
			}
			waiting.Jobs = append(waiting.Jobs, l.Jobs...)
		}
		if len(waiting.Jobs) == 0 {
			return
		}
		<-time.After(100 * time.Millisecond)
	}
}

var numbered = regexp.MustCompile(`Sample number (\d+) of the set`)

// TestNoLabelledSecretReachesAModel pushes every labelled text through the
// hooks and the compressor. What the labels call a secret and is a name (a
// host, a user, an account) may pass: see notSecret.
func TestNoLabelledSecretReachesAModel(t *testing.T) {
	dir := os.Getenv("MUM_EVAL_DIR")
	if dir == "" {
		t.Skip("MUM_EVAL_DIR names no measuring files; TestNoAttackGetsASecretOntoTheDiskOrToAModel uses our own")
	}
	all := every(t, samples(t, filepath.Join(dir, "privacy")))
	x := newTarget(t, privacy.ModeSafe)
	x.up(func(client *api.Client) {
		for n, s := range all {
			id := fmt.Sprint("sample-", n)
			x.play(client, []step{
				asked(fmt.Sprintf("Sample number %d of the set. What does this print?", n)).with("session_id", id),
				ran("cat notes.txt", s.Text).with("session_id", id),
			})
		}
		x.summariseAll(client)
	})
	chats := x.model.Chats()
	leaked, names := map[string]int{}, 0
	for _, c := range chats {
		text := c.Messages[1].Content
		m := numbered.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		switch s := all[n]; {
		case !strings.Contains(strings.Replace(text, m[0], "", 1), s.secret()):
		case notSecret(s.Rule, s.secret()):
			names++
		default:
			leaked[s.Set]++
			t.Errorf("%s %s: reached the model in %q", s.Set, s.Rule, s.Text[:min(len(s.Text), 120)])
		}
	}
	t.Logf("%d samples, %d questions reached the model, %d names passed, leaked: %v", len(all), len(chats), names, leaked)
	if len(chats) < len(all)/4 {
		t.Errorf("only %d questions of %d: so little was sent that it proves nothing", len(chats), len(all))
	}
}

// notSecret says what the labels call a secret and is none, or what nothing in
// the text gives away: the rules of the measuring files that find names.
func notSecret(rule, label string) bool {
	return nameRules.MatchString(rule) || unmarked.MatchString(rule) || nameLike.MatchString(label)
}

var (
	// nameRules label hosts, users, accounts, buckets and ids of applications.
	nameRules = regexp.MustCompile(
		`^(?:kingfisher\.(?:algolia\.2|anypoint\.2|artifactory\.2|auth0\.3|azure\.devops\.2|azureopenai\.host\.1|azuresearch\.url\.1|` +
			`azurestorage\.name\.1|bitbucket\.1|databricks\.3|discord\.3|eagleeyenetworks\.2|jira\.1|linkedin\.1|okta\.2|planetscale\.2|psexec\.1|reactapp\.1|` +
			`salesforce\.2|shopify\.2|snowflake\.[12]|sonarqube\.2|odbc\.1|netrc\.1|mongodb\.[12]|gradle\.1|generic\.4|findl\.1|blazemeter\.1)|` +
			`np\.(?:s3\.[12]|gcs\.[12]|shopify\.1|psexec\.1|reactapp\.1|linkedin\.1|vmware\.1|odbc\.1|netrc\.1|mongodb\.1|postgres\.1|gradle\.1|generic\.(?:3|4|8|9|13|14)|postmark\.1)|` +
			`secretlint-rule-azure)$`)
	// unmarked are bare words: "letmein42" with nothing around it, a password as the name of a file.
	unmarked = regexp.MustCompile(`^(?:kingfisher\.(?:weak_password\.1|airtable\.2|enigma\.1)|file_path)$`)
	// an address, or a value that only names itself
	nameLike = regexp.MustCompile(`^(?:[\w.+-]+@[\w.-]+|(?:[\w-]+\.)+[a-z]{2,6}(?::\d+)?|\w*(?:username|password))$`)
)
