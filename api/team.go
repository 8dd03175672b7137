package api

import "time"

// TeamJoin is the body of POST /team/join. The password is where libpq finds it, never here.
type TeamJoin struct {
	DSN     string `json:"dsn"`
	Machine string `json:"machine"` // name of this machine for the others
}

// TeamJoined answers POST /team/join.
type TeamJoined struct {
	Team    string `json:"team"`
	Member  string `json:"member"`
	Machine string `json:"machine"`
	Host    string `json:"host"`
}

// TeamLeave is the body of POST /team/leave.
type TeamLeave struct {
	Purge bool `json:"purge,omitempty"` // also withdraw what this member shared
}

// TeamLeft answers POST /team/leave.
type TeamLeft struct {
	Team    string `json:"team"`
	Machine string `json:"machine"`          // member/machine
	Ended   int64  `json:"ended"`            // items that were withdrawn
	Untold  bool   `json:"untold,omitempty"` // the shared database did not answer, so it does not know yet
}

// TeamShare is the body of POST /team/share and POST /team/unshare.
type TeamShare struct {
	Project   string `json:"project,omitempty"` // a name or number; "" = the project of the directory
	Directory string `json:"directory,omitempty"`
	Key       string `json:"key,omitempty"`   // name of the project in the team; "" = its remote
	Since     string `json:"since,omitempty"` // a day: older items are not shared
	Purge     bool   `json:"purge,omitempty"` // of unshare: also withdraw what this member shared of it
}

// TeamShared answers POST /team/share and POST /team/unshare.
type TeamShared struct {
	Project string `json:"project"`         // key
	Ended   int64  `json:"ended,omitempty"` // of unshare: items that were withdrawn
}

// TeamMute is the body of POST /team/mute.
type TeamMute struct {
	Author string `json:"author"`
	Unmute bool   `json:"unmute,omitempty"`
}

// TeamSynced answers POST /team/sync.
type TeamSynced struct {
	Pushed    int `json:"pushed"`
	Pulled    int `json:"pulled"`
	Forgotten int `json:"forgotten"`
	Held      int `json:"held"`      // held back by the egress gate
	Conflicts int `json:"conflicts"` // changed in two places: the later version is used, the other one is kept
	Waiting   int `json:"waiting"`   // items whose files cannot be read now
}

// Team answers GET /team: what this machine knows and, with ?ask=1, what the shared database says.
type Team struct {
	Joined   bool           `json:"joined"`
	Team     string         `json:"team,omitempty"`
	Member   string         `json:"member,omitempty"`
	Machine  string         `json:"machine,omitempty"`
	Host     string         `json:"host,omitempty"`
	Projects []TeamProject  `json:"projects"`
	Items    map[string]int `json:"items"` // by state: same, out, held, forget, gone, unwanted
	Held     []TeamHeld     `json:"held"`
	Muted    []string       `json:"muted"`
	Synced   time.Time      `json:"synced,omitzero"` // the last complete sync
	Problem  string         `json:"problem,omitempty"`
	Fix      string         `json:"fix,omitempty"`      // the command that fixes the problem
	Listens  bool           `json:"listens"`            // the database notifies it of changes immediately
	Progress *TeamProgress  `json:"progress,omitempty"` // progress of a long sync
	Members  []TeamMember   `json:"members,omitempty"`
	Pending  []TeamReceipt  `json:"pending,omitempty"` // forgotten, but not yet deleted everywhere
}

// TeamProject is a shared project.
type TeamProject struct {
	Key     string    `json:"key"`
	Project int64     `json:"project_id"`
	Pulled  time.Time `json:"pulled,omitzero"`
}

// TeamHeld is an item that the egress gate holds back.
type TeamHeld struct {
	Project string `json:"project"`
	Title   string `json:"title"`
	Rules   string `json:"rules"`
}

// TeamMember is a member as the others see them.
type TeamMember struct {
	Name     string    `json:"name"`
	Machines []string  `json:"machines"`
	Seen     time.Time `json:"seen,omitzero"`
	Items    int64     `json:"items"`
	Removed  bool      `json:"removed,omitempty"`
}

// TeamProgress is the progress of a sync in one project.
type TeamProgress struct {
	Project string `json:"project"`
	Read    int64  `json:"read"`
	All     int64  `json:"all"`
}

// TeamGlance sums up the team in a few numbers.
type TeamGlance struct {
	Team     string    `json:"team"`
	Member   string    `json:"member"`
	Machine  string    `json:"machine"`
	Host     string    `json:"host"`
	Projects int       `json:"projects"`
	Shared   int       `json:"shared"`
	Waiting  int       `json:"waiting"` // items and tombstones
	Held     int       `json:"held"`
	Synced   time.Time `json:"synced,omitzero"`
	Problem  string    `json:"problem,omitempty"`
	Fix      string    `json:"fix,omitempty"`
}

// TeamReceipt is a forgotten item, and the machines that have proved that their copy is gone.
type TeamReceipt struct {
	Project   string    `json:"project"`
	Item      string    `json:"item"`
	Author    string    `json:"author"`
	At        time.Time `json:"at"`
	Ended     bool      `json:"ended,omitempty"` // ended by retention or withdrawn: its author keeps it
	Confirmed []string  `json:"confirmed"`       // member/machine
	Machines  []string  `json:"machines"`        // member/machine that have not confirmed yet
}

// TeamFound answers GET /team/search, best first.
type TeamFound struct {
	Results []TeamMatch `json:"results"`
	Total   int         `json:"total"`
	TookMS  float64     `json:"took_ms"`
}

// TeamMatch is an item of the team that matches a query.
type TeamMatch struct {
	Project string    `json:"project"`
	Item    string    `json:"item"`
	Kind    string    `json:"kind"`
	Author  string    `json:"author"`
	Machine string    `json:"machine"`
	Date    time.Time `json:"date"`
	Title   string    `json:"title"`
	Snippet string    `json:"snippet"` // HTML, with the words of the query marked
	Score   float64   `json:"score"`
}

// TeamEvent is a row of the team's log.
type TeamEvent struct {
	N       int64     `json:"n"`
	At      time.Time `json:"at"`
	Member  string    `json:"member"`
	Machine string    `json:"machine,omitempty"`
	Action  string    `json:"action"`
	Project string    `json:"project,omitempty"`
	Count   int64     `json:"count"`
	Hash    string    `json:"hash"`
}

// TeamLog answers GET /team/log, newest first.
type TeamLog struct {
	Events []TeamEvent `json:"events"`
	Broken int64       `json:"broken"` // the first row that is not linked to the one before it; 0 = none
}

// TeamReceipts answers GET /team/receipts, newest first.
type TeamReceipts struct {
	Receipts []TeamReceipt `json:"receipts"`
}
