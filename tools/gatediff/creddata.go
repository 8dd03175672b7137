package main

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// largestFile limits the files that are measured: the gate reads output of an agent's tools, which is smaller.
const largestFile = 1 << 20

// label is one row of CredData: a value on a line, and whether people considered it a credential.
type label struct {
	from, to int // bytes of the file
	truth    string
}

// labelledFile is a file of CredData with its labels.
type labelledFile struct {
	path   string
	text   string
	labels []label
}

// scored counts labelled values and those that a scanner marked.
type scored struct{ credentials, found, others, taken, unsure, unsureTaken, elsewhere int }

func (t *scored) add(f labelledFile, marked []span) {
	used := make([]bool, len(marked))
	for _, l := range f.labels {
		hit := false
		for i, m := range marked {
			if m.From < l.to && l.from < m.To {
				hit, used[i] = true, true
			}
		}
		switch l.truth {
		case "T":
			t.credentials++
			t.found += one(hit)
		case "F":
			t.others++
			t.taken += one(hit)
		default:
			t.unsure++
			t.unsureTaken += one(hit)
		}
	}
	for _, u := range used {
		t.elsewhere += one(!u)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *scored) print(name string) {
	recall := float64(t.found) / float64(max(t.credentials, 1))
	precision := float64(t.found) / float64(max(t.found+t.taken, 1))
	f1 := 2 * recall * precision / max(recall+precision, 1e-9)
	fmt.Printf("%-12s recall %5.1f %% (%d of %d)  precision %5.1f %%  F1 %5.1f  others taken %4.1f %% (%d of %d)  "+
		"unsure taken %d of %d  outside of labels %d\n", name, 100*recall, t.found, t.credentials, 100*precision, 100*f1,
		100*float64(t.taken)/float64(max(t.others, 1)), t.taken, t.others, t.unsureTaken, t.unsure, t.elsewhere)
}

// creddata measures a build, and other scanners next to it, on what creddata.sh fetched into dir.
func creddata(mum, dir string, scanners []string) error {
	files, skipped, err := labelledFiles(dir)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s holds no labelled files: creddata.sh %s fetches them", dir, dir)
	}
	fmt.Printf("%d files, %d larger than %d KiB or not text left out\n", len(files), skipped, largestFile>>10)
	ours, err := marksOfMum(mum, files)
	if err != nil {
		return err
	}
	report("mum", files, ours)
	for _, scanner := range scanners {
		theirs, err := marksOfScanner(scanner, files)
		if err != nil {
			return fmt.Errorf("%s: %w", scanner, err)
		}
		report(filepath.Base(scanner), files, theirs)
	}
	return nil
}

func report(name string, files []labelledFile, marked [][]span) {
	var t scored
	for i, f := range files {
		t.add(f, marked[i])
	}
	t.print(name)
}

// labelledFiles reads dir/meta/ID.csv and the files that it labels in dir/repos/ID. The first eight digits of the hash
// of its path name a file.
func labelledFiles(dir string) (files []labelledFile, skipped int, err error) {
	repos, err := os.ReadDir(filepath.Join(dir, "repos"))
	if err != nil {
		return nil, 0, err
	}
	for _, repo := range repos {
		rows, err := readRows(filepath.Join(dir, "meta", repo.Name()+".csv"))
		if err != nil {
			return nil, 0, err
		}
		root := filepath.Join(dir, "repos", repo.Name())
		err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			sum := sha256.Sum256([]byte(filepath.ToSlash(rel)))
			of := rows[hex.EncodeToString(sum[:])[:8]]
			if len(of) == 0 {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if len(data) > largestFile || !utf8.Valid(data) {
				skipped++
				return nil
			}
			files = append(files, labelledFile{path, string(data), labels(string(data), of)})
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return files, skipped, nil
}

// readRows returns the rows of a repository by file name.
func readRows(path string) (map[string][]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	out := map[string][]map[string]string{}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		out[row["FileID"]] = append(out[row["FileID"]], row)
	}
	return out, nil
}

// labels finds the bytes of each row: from a column of the first line to one of the last, or whole lines if there are
// no columns.
func labels(text string, rows []map[string]string) (out []label) {
	lines := strings.SplitAfter(text, "\n")
	start := make([]int, len(lines)+1)
	for i, l := range lines {
		start[i+1] = start[i] + len(l)
	}
	for _, row := range rows {
		first, err1 := strconv.Atoi(row["LineStart"])
		last, err2 := strconv.Atoi(row["LineEnd"])
		if err1 != nil || err2 != nil || first < 1 || last < first || last > len(lines) {
			continue
		}
		l := label{start[first-1], start[last], row["GroundTruth"]}
		from, err1 := strconv.Atoi(row["ValueStart"])
		to, err2 := strconv.Atoi(row["ValueEnd"])
		if err1 == nil && from >= 0 {
			l.from = start[first-1] + column(lines[first-1], from)
		}
		if err2 == nil && to >= 0 {
			l.to = start[last-1] + column(lines[last-1], to)
		}
		if l.to > l.from {
			out = append(out, l)
		}
	}
	return out
}

// column returns the byte at which a character of a line starts.
func column(line string, n int) int {
	at := 0
	for range n {
		if at >= len(line) {
			break
		}
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	return at
}

// marksOfMum returns what a build of mum takes out of each file.
func marksOfMum(mum string, files []labelledFile) ([][]span, error) {
	set, err := os.CreateTemp("", "creddata*.jsonl")
	if err != nil {
		return nil, err
	}
	defer os.Remove(set.Name())
	enc := json.NewEncoder(set)
	for _, f := range files {
		if err := enc.Encode(sample{Text: f.text}); err != nil {
			return nil, err
		}
	}
	if err := set.Close(); err != nil {
		return nil, err
	}
	out := make([][]span, len(files))
	_, err = redacted(mum, set.Name(), func(n int, s sample, a answer) error {
		out[n] = align(s.Text, a)
		return nil
	})
	return out, err
}

// marksOfScanner runs gitleaks, or a program with its options, on the folders of the files.
func marksOfScanner(scanner string, files []labelledFile) ([][]span, error) {
	root, err := os.MkdirTemp("", "creddata")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	for i, f := range files {
		dir := filepath.Join(root, strconv.Itoa(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.path)), []byte(f.text), 0o600); err != nil {
			return nil, err
		}
	}
	found := filepath.Join(root, "report.json")
	cmd := exec.Command(scanner, "dir", root, "--report-format", "json", "--report-path", found, "--exit-code", "0",
		"--no-banner", "--log-level", "error")
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %.500s", err, said)
	}
	data, err := os.ReadFile(found)
	if err != nil {
		return nil, err
	}
	var list []struct {
		File, Secret string
		StartLine    int
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	out := make([][]span, len(files))
	for _, finding := range list {
		rel, err := filepath.Rel(root, finding.File)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(strings.SplitN(filepath.ToSlash(rel), "/", 2)[0])
		if err != nil || n >= len(files) {
			continue
		}
		if s, ok := located(files[n].text, finding.Secret, finding.StartLine); ok && !slices.Contains(out[n], s) {
			out[n] = append(out[n], s)
		}
	}
	return out, nil
}

// located finds a secret at or after the line that a scanner reported.
func located(text, secret string, line int) (span, bool) {
	at := 0
	for range line - 1 {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	i := strings.Index(text[at:], secret)
	if i < 0 || secret == "" {
		return span{}, false
	}
	return span{at + i, at + i + len(secret), "found"}, true
}
