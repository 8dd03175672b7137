package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"keepmum/api"
	"keepmum/atomicfile"
	"keepmum/project"
	"keepmum/safefile"
)

func newProjectCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "project", Short: "Choose which projects keep their memories in their repository",
		Long: `Projects are found automatically. The memories of a project are in the data
directory until you add it; then they are in .mum/memory of the repository, as
markdown that you can read, edit and commit.

A project is recognised by its git remote (origin), otherwise by its folder: without a
remote, a renamed folder is a new project. To join the two: give the repository a remote
(git remote add origin URL; nothing is fetched), give the folder its old name, send a
prompt to a connected agent in it, rename it again, and send another prompt there.`,
		Example: "  mum project add\n  mum project list",
	}
	cmd.AddCommand(newProjectAddCmd(a), newProjectListCmd(a), newProjectRemoveCmd(a))
	return cmd
}

type projectAdd struct{ commit, ignore, json bool }

func newProjectAddCmd(a *app) *cobra.Command {
	var o projectAdd
	cmd := &cobra.Command{
		Use: "add [DIR]", Short: "Keep a project's memories in its repository", Args: cobra.MaximumNArgs(1),
		Long: `Keep the memories of a project in .mum/memory of its repository (default: that of
this directory). Those in the data directory move there. You choose whether git
commits them: --ignore adds .mum/memory/ to .gitignore, --commit does not. Without
either, mum asks once, on a terminal.`,
		Example: "  mum project add\n  mum project add ~/src/shop --ignore",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runProjectAdd(cmd.Context(), o, args) },
	}
	cmd.Flags().BoolVar(&o.commit, "commit", false, "let git commit the memories: .gitignore stays as it is")
	cmd.Flags().BoolVar(&o.ignore, "ignore", false, "add .mum/memory/ to .gitignore")
	cmd.Flags().BoolVar(&o.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("commit", "ignore")
	return cmd
}

func (a *app) runProjectAdd(ctx context.Context, o projectAdd, args []string) error {
	dir, err := filepath.Abs(strings.Join(args, ""))
	if err != nil {
		return err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage(fmt.Errorf("%s is not a directory", a.tilde(dir)))
	}
	if err := nameable(dir, "rename it"); err != nil {
		return err
	}
	ignored, err := a.readIgnored(dir, o)
	if err != nil {
		return err
	}
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.ProjectAdded
	if err := client.Post(ctx, "/projects", api.ProjectAdd{Directory: dir}, &out); err != nil {
		return err
	}
	if o.json {
		err = a.printJSON(out)
	} else {
		a.printProjectAdded(out)
	}
	if err != nil || !out.Git {
		return err
	}
	return a.gitignore(out, o, ignored)
}

func (a *app) printProjectAdded(out api.ProjectAdded) {
	a.printf("memories of %s are in %s\n", oneLine(out.Project.Name, 100), a.tilde(out.Project.MemoryDir))
	if out.Moved > 0 {
		a.printf("%s moved there from the data directory\n", plural(out.Moved, "file", "files"))
	}
	if out.Foreign > 0 {
		them := "them"
		if out.Foreign == 1 {
			them = "it"
		}
		a.printf("%s came with the repository: someone else may have written %s (mum memory audit)\n",
			plural(out.Foreign, "memory", "memories"), them)
	}
}

const ignoreLine = ".mum/memory/"

// readIgnored returns the text of .gitignore, and an error if what the user asked for cannot be done with it.
func (a *app) readIgnored(dir string, o projectAdd) ([]byte, error) {
	in := project.Of(dir)
	if in.CommonDir == "" {
		return nil, nil
	}
	path := filepath.Join(in.Root, ".gitignore")
	text, err := safefile.Read(path, 1<<20)
	switch ignored := ignoresMemories(string(text)); {
	case errors.Is(err, os.ErrNotExist) && o.ignore:
		return nil, noLink(path) // to nothing
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, hinted(fmt.Errorf(".gitignore cannot be read, so nothing was added: %w", err), "fix "+a.tilde(path))
	case o.commit && ignored:
		return nil, hinted(errors.New(".gitignore excludes the memories, so nothing was added"),
			"remove the line with .mum from "+a.tilde(path))
	case o.ignore && !ignored:
		return text, noLink(path)
	}
	return text, nil
}

// gitignore changes .gitignore as the user asked, and never without being asked. A link is not changed, so nobody is
// asked about one.
func (a *app) gitignore(out api.ProjectAdded, o projectAdd, text []byte) error {
	path := filepath.Join(out.Root, ".gitignore")
	switch {
	case o.commit || ignoresMemories(string(text)):
		return nil
	case o.ignore || out.New && noLink(path) == nil && a.wantsIgnore():
		return addIgnore(path, text)
	case !o.json && noLink(path) != nil:
		a.printf("git can commit them; to prevent that, add the line %s to %s yourself, which is a link\n", ignoreLine,
			a.tilde(path))
	case !o.json:
		a.printf("git can commit them; mum project add --ignore prevents that\n")
	}
	return nil
}

// wantsIgnore asks on a terminal; without a terminal the answer is no.
func (a *app) wantsIgnore() bool {
	return a.interactive() && a.confirm("Should git ignore the memories (adds "+ignoreLine+" to .gitignore)?")
}

// ignoresMemories reports whether a line names the memories in order to ignore them.
func ignoresMemories(gitignore string) bool {
	for line := range strings.Lines(gitignore) {
		switch strings.Trim(strings.TrimSpace(line), "/") {
		case ".mum", ".mum/memory", ".mum/*", ".mum/**", ".mum/memory/*", ".mum/memory/**":
			return true
		}
	}
	return false
}

// noLink refuses a link: the file that it leads to would be copied into the repository.
func noLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return hinted(errors.New(".gitignore is a symbolic link; nothing was written into it"),
			"add the line "+ignoreLine+" to it yourself")
	}
	return nil
}

func addIgnore(path string, text []byte) error {
	if err := noLink(path); err != nil {
		return err
	}
	mode := os.FileMode(0o644)
	if info, err := os.Lstat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return atomicfile.Write(path, append(text, ignoreLine+"\n"...), mode)
}

func newProjectListCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "list", Short: "List the known projects", Args: cobra.NoArgs,
		Example: "  mum project list\n  mum project list --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.runProjectList(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runProjectList(ctx context.Context, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var out api.ProjectList
	if err := client.Get(ctx, "/projects", nil, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	if len(out.Projects) == 0 {
		a.printf("no projects yet: run mum project add, or work in a project with a connected agent\n")
	}
	c := a.colours()
	for _, p := range out.Projects {
		where := "memories in the data directory"
		if gone := goneFolder(p); gone != "" {
			where += "; " + a.tilde(gone) + " is gone"
		}
		switch {
		case p.Missing:
			where = a.tilde(p.MemoryDir) + " is missing: run mum project add in its new place"
		case p.Added:
			where = a.tilde(p.MemoryDir)
		}
		a.printf("%s%4d%s  %s%-20s%s %6d %-7s  %4d %-8s  %s%s%s\n", c.dim, p.ID, c.off, c.bold, oneLine(p.Name, 100), c.off,
			p.Entries, noun(p.Entries, "entry", "entries"), p.Memories, noun(p.Memories, "memory", "memories"),
			c.dim, where, c.off)
	}
	return nil
}

func newProjectRemoveCmd(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "remove [NAME|ID|DIR]", Short: "Stop keeping a project's memories in its repository",
		Args: cobra.MaximumNArgs(1),
		Long: `Stop reading the memories in a project's repository (default: that of this directory).
The files stay where they are, but no search finds them until mum project add, which
gives them new numbers. New memories go to the data directory.`,
		Example: "  mum project remove\n  mum project remove shop",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.runProjectRemove(cmd.Context(), args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) runProjectRemove(ctx context.Context, args []string, asJSON bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var all api.ProjectList
	if err := client.Get(ctx, "/projects", nil, &all); err != nil {
		return err
	}
	p, err := pickProject(all.Projects, strings.Join(args, ""))
	if err != nil {
		return err
	}
	var out api.ProjectRemoved
	if err := client.Post(ctx, "/projects/"+strconv.FormatInt(p.ID, 10)+"/remove", struct{}{}, &out); err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(out)
	}
	a.printf("%s is no longer read; its files stay\n", a.tilde(out.MemoryDir))
	if out.Memories > 0 {
		a.printf("%s there can no longer be found; mum project add brings them back, with new numbers\n",
			plural(out.Memories, "memory", "memories"))
	}
	return nil
}

// pickProject returns one project: the one that the user names, by name, number or directory; otherwise the project of
// this directory.
func pickProject(all []api.Project, what string) (api.Project, error) {
	if what == "" {
		return projectAround(all, ".", "this directory is not in a project that was added")
	}
	named := func(is func(api.Project) bool) []api.Project {
		return slices.DeleteFunc(slices.Clone(all), func(p api.Project) bool { return !is(p) })
	}
	found := named(func(p api.Project) bool { return p.Name == what })
	if len(found) == 0 {
		found = named(func(p api.Project) bool { return strconv.FormatInt(p.ID, 10) == what })
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return api.Project{},
			&exitError{exitUsage, errors.New("there are several projects of that name"),
				"mum project list, then mum project remove NUMBER"}
	}
	if info, err := os.Stat(what); err == nil && info.IsDir() {
		return projectAround(all, what, "that directory is not in a project that was added")
	}
	return api.Project{}, hinted(errors.New("there is no such project"), "mum project list")
}

// projectAround returns the added project that a directory belongs to. It does not go on to one further out, which may
// be another repository, but names it.
func projectAround(all []api.Project, dir, none string) (api.Project, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return api.Project{}, err
	}
	in := project.Of(dir)
	var around api.Project
	for _, p := range all {
		top := filepath.Dir(filepath.Dir(p.MemoryDir))
		rel, err := filepath.Rel(top, in.Root)
		if p.Added && (err == nil && rel == "." || sameRepository(in, top)) {
			return p, nil
		}
		if p.Added && err == nil && filepath.IsLocal(rel) &&
			len(p.MemoryDir) > len(around.MemoryDir) {
			around = p
		}
	}
	if around.ID == 0 {
		return around, hinted(errors.New(none), "mum project list")
	}
	return api.Project{}, hinted(fmt.Errorf("%s; around it is %s; to remove that one", none,
		filepath.Dir(filepath.Dir(around.MemoryDir))), fmt.Sprint("mum project remove ", around.ID))
}

// sameRepository reports whether a directory is another worktree of a project's repository.
func sameRepository(in project.Identity, dir string) bool {
	return in.CommonDir != "" && project.Of(dir).CommonDir == in.CommonDir
}
