package daemon

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"keepmum/api"
	"keepmum/memory"
)

// isTar reports whether a file is a tar archive.
func isTar(data []byte) bool {
	const at = 257 // of the magic word in the first header
	return len(data) > at && bytes.HasPrefix(data[at:], []byte("ustar"))
}

var errTar = errors.New("the tar file is damaged, or contains no memories")

// readTar reads what export --output FILE.tar wrote, and a tar file of any directory with trees of memories.
func readTar(data []byte) (out api.MemoryExport, err error) {
	files := tar.NewReader(bytes.NewReader(data))
	for left := int64(maxImportFile); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, errTar
		}
		f, ok := inTree(h.Name)
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		if left -= h.Size; left < 0 { // a sparse file may be longer than the whole archive
			return out, errTar
		}
		text, err := io.ReadAll(files)
		if err != nil {
			return out, errTar
		}
		f.Text = string(text)
		out.Files = append(out.Files, f)
	}
	if len(out.Files) == 0 {
		return out, errTar
	}
	return out, nil
}

// inTree separates the path of a memory in its tree from the directory of the tree, which has the name of the project.
func inTree(name string) (f api.MemoryFile, ok bool) {
	parts := strings.Split(path.Clean("/"+name), "/") // begins with an empty part
	at := slices.IndexFunc(parts, func(p string) bool { return slices.Contains(memory.TreeDirs(), p) })
	if at < 0 {
		return f, false
	}
	f.Project, f.Path = parts[at-1], path.Join(parts[at:]...)
	switch f.Project {
	case "":
		f.Project = "." // a tree without a name
	case memory.Everywhere:
		f.Project = ""
	}
	return f, true
}
