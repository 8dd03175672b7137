package privacy

// vault holds the secrets that really are on this machine, in memory only.
const ruleVault = "known-secret"

type vault struct{}

func newVault(o Options) *vault { return &vault{} }

func (v *vault) spans(dir, text string) []span { return nil }
