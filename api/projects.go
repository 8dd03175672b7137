package api

import "time"

// Project is a project that is known.
type Project struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name"`
	Directories []string  `json:"directories"`
	Entries     int64     `json:"entries"`
	Memories    int       `json:"memories"`          // in force
	MemoryDir   string    `json:"memory_dir"`        // where its memories lie, or would
	Added       bool      `json:"added"`             // they are in its repository
	Missing     bool      `json:"missing,omitempty"` // the repository is not where it was
	Last        time.Time `json:"last"`
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
	New     bool    `json:"new"`     // it was not added before
	Moved   int     `json:"moved"`   // memories that came along from the data directory
	Foreign int     `json:"foreign"` // memories that were there already: they came with the repository
}

// ProjectRemoved answers POST /projects/{id}/remove. The files stay.
type ProjectRemoved struct {
	Project   Project `json:"project"`
	MemoryDir string  `json:"memory_dir"` // the tree that stays
}
