package api

import "time"

// Project is a known project.
type Project struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name"`
	Directories []string  `json:"directories"`
	Entries     int64     `json:"entries"`
	Memories    int       `json:"memories"`          // active ones
	MemoryDir   string    `json:"memory_dir"`        // directory of its memories, whether it exists or not
	Added       bool      `json:"added"`             // its memories are in its repository
	Missing     bool      `json:"missing,omitempty"` // the repository is not where it was
	Last        time.Time `json:"last"`
	Created     time.Time `json:"created"` // when it was first heard of
}

// ProjectList answers GET /projects.
type ProjectList struct {
	Projects []Project `json:"projects"`
}

// ProjectAdd is the body of POST /projects.
type ProjectAdd struct {
	Directory string `json:"directory"`
}

// ProjectAdded answers POST /projects.
type ProjectAdded struct {
	Project Project `json:"project"`
	Root    string  `json:"root"`    // top of the working tree
	Git     bool    `json:"git"`     // it is a git repository
	New     bool    `json:"new"`     // it had not been added before
	Moved   int     `json:"moved"`   // memories that were moved from the data directory
	Foreign int     `json:"foreign"` // memories that were there already, because they came with the repository
}

// ProjectRemoved answers POST /projects/{id}/remove. The files are kept.
type ProjectRemoved struct {
	Project   Project `json:"project"`
	MemoryDir string  `json:"memory_dir"` // the directory of memories, which is kept
	Memories  int     `json:"memories"`   // active ones there, which are no longer read
}
