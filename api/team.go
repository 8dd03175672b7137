package api

import "time"

// TeamJoin is the body of POST /team/join. The password lies where libpq finds it, never here.
type TeamJoin struct {
	DSN     string `json:"dsn"`
	Machine string `json:"machine"` // how the others see this machine
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
	Purge bool `json:"purge,omitempty"` // also forget everywhere what this member shared
}

// TeamShare is the body of POST /team/share and POST /team/unshare.
type TeamShare struct {
	Project   string `json:"project,omitempty"` // a name or number; "" = that of the directory
	Directory string `json:"directory,omitempty"`
	Key       string `json:"key,omitempty"`   // how the team calls it; "" = its remote
	Since     string `json:"since,omitempty"` // a day: what is older stays here
	Purge     bool   `json:"purge,omitempty"` // of unshare: also forget everywhere what this member shared of it
}

// TeamShared answers POST /team/share and POST /team/unshare.
type TeamShared struct {
	Project string `json:"project"` // key
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
	Conflicts int `json:"conflicts"` // changed in two places: the later one is in force, the other is kept
	Waiting   int `json:"waiting"`   // its files cannot be read now
}

// Team answers GET /team: what this machine knows, and with ?ask=1 what the shared place says.
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
	Synced   time.Time      `json:"synced,omitzero"` // the last complete sync of this process
	Problem  string         `json:"problem,omitempty"`
	Members  []TeamMember   `json:"members,omitempty"`
	Pending  []TeamPending  `json:"pending,omitempty"` // forgotten, and not yet deleted everywhere
}

// TeamProject is a project that is shared.
type TeamProject struct {
	Key     string    `json:"key"`
	Project int64     `json:"project_id"`
	Pulled  time.Time `json:"pulled,omitzero"`
}

// TeamHeld is something that the egress gate holds back.
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

// TeamPending is a forgotten item that some machines have not deleted yet.
type TeamPending struct {
	Project  string   `json:"project"`
	Item     string   `json:"item"`
	Machines []string `json:"machines"` // member/machine
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

// TeamLog answers GET /team/log, the newest first.
type TeamLog struct {
	Events []TeamEvent `json:"events"`
	Broken int64       `json:"broken"` // the first row that does not follow from the one before it; 0 = none
}
