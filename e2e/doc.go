// Package e2e answers one question: do the real agents work with keepmum from end to end?
//
// Its tests run the real Claude Code, OpenCode and Codex, headless, against a
// scripted model on loopback: no account, no cost, no network. They need the
// harness that does so (MUM_E2E_DIR) and the agents (MUM_AGENTS_DIR), and skip
// without.
package e2e
