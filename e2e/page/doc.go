// Package page answers one question: what does a real browser make of the page?
//
// Its tests have the build tag browser and requirements of their own (browser.mod), so that
// the module of the program gains none: make test-page.
package page
