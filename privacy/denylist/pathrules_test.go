package denylist

import (
	"slices"
	"strings"
	"testing"

	"keepmum/longtest"
)

// TestTheLiteralOfAGlobChangesNoAnswer compares the rules with those that match every path as a glob.
func TestTheLiteralOfAGlobChangesNoAnswer(t *testing.T) {
	own := []string{"private/**", "a?c/*.{key,txt}", "[ab]*secret*", "**/x/**/y.txt", "/srv/*/conf/**", "*mid*dle*",
		"!keep/**/*.pem", `we\*ird*x`, "d*/", "*/", "?", "**/**"}
	for _, globs := range [][]string{defaultDenied(), append(defaultDenied(), own[:len(own)-3]...), own[:len(own)-3],
		own[len(own)-3:]} {
		rules, err := newPathRules(globs)
		if err != nil {
			t.Fatal(err)
		}
		slow := &pathRules{list: slices.Clone(rules.list), always: true}
		for i := range slow.list {
			slow.list[i].literal, slow.list[i].pieced = "", false
		}
		for i, p := range manyPaths(rules) {
			if !longtest.Every(5, i) { // 5 and the 48 paths of a name have no common divisor
				continue
			}
			if got, want := rules.match(p), slow.match(p); got != want {
				t.Errorf("%s: %v, without the literal %v", p, got, want)
			}
		}
	}
}

// manyPaths returns paths that the rules name, near misses, and ordinary files.
func manyPaths(rules *pathRules) []string {
	names := append(names(rules.list), "a.go", "env", "secret", "abc/z.key", "abc/q.txt", "xsecretx", "asecret", "y.txt",
		"middle", "xmidxdlex", "we*irdx", "keep", "x", "yaml", "conf", "secret-store.yaml", "sealed-secret.yaml",
		"my-external-secret-x.yml", "known_hosts", "config.json", "hosts.yml")
	for _, r := range rules.list {
		names = append(names, strings.TrimPrefix(filled(r.glob), "/"),
			strings.TrimPrefix(strings.ReplaceAll(strings.ReplaceAll(r.glob, "**/", ""), "*", ""), "/"))
	}
	var out []string
	for _, n := range names {
		for _, dir := range []string{"", "/", "/home/dev/shop/", "/home/dev/.ssh/", "/etc/rancher/",
			"/etc/rancher/k3s/deep/", "/run/secrets/", "/srv/a/conf/b/", "private/", "/x/private/q/", "/home/dev/.aws/",
			"templates/", "/proc/12/", "/proc/self/task/3/", "keep/a/b/", "/x/y/"} {
			out = append(out, dir+n, dir+n+"/z", dir+n+".bak")
		}
	}
	return out
}

func BenchmarkPathRules(b *testing.B) {
	rules, err := newPathRules(defaultDenied())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rules.match("/home/dev/shop/src/handlers/user_12.go")
	}
}
