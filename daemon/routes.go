package daemon

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
)

// routes is the only table of endpoints. docs/api.md describes each of them.
func (d *Daemon) routes() http.Handler {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = d.answerError
	e.Use(d.guardHost, guardOrigin, plainParams)
	d.pageRoutes(e)

	e.GET("/health", d.getHealth)
	e.GET("/proof", d.getProof)

	signed := e.Group("", d.guardToken)
	signed.POST("/hooks/:agent", d.postHook)

	own := signed.Group("", d.guardLoad, guardJSON)
	own.POST("/observe", d.postObserve)
	own.POST("/prompt", d.postPrompt)
	own.POST("/session/start", d.postSessionStart)
	own.POST("/session/end", d.postSessionEnd)
	own.GET("/search", timed(d.metrics.search, d.getSearch))
	own.GET("/context", d.getContext)
	own.GET("/observation/:ids", d.getObservations)
	own.GET("/timeline/:id", d.getTimeline)
	own.GET("/injection/:id", d.getInjection)
	own.GET("/status", d.getStatus)
	own.GET("/stats", d.getStats)
	own.GET("/metrics", d.getMetrics)
	own.GET("/ledger", d.getLedger)
	own.GET("/ledger/seen/:mac", d.getLedgerSeen)
	own.GET("/ledger/verify", d.getLedgerVerify)
	own.GET("/ledger/egress", d.getEgress)
	own.GET("/ledger/redactions", d.getRedactions)
	d.workRoutes(own)
	d.keepingRoutes(own)
	d.memoryRoutes(own)
	d.lookRoutes(own)
	d.teamRoutes(own)
	own.POST("/stop", d.postStop)
	own.POST("/restart", d.postRestart)
	return e
}

// lookRoutes are further routes for the page.
func (d *Daemon) lookRoutes(own *echo.Group) {
	own.GET("/feed", d.getFeed)
	own.GET("/sessions", d.getSessions)
	own.GET("/sessions/digest", d.getDigest)
	own.GET("/sessions/digests", d.getDigests)
	own.GET("/sessions/trace", d.getTrace)
	own.GET("/sessions/:row", d.getSession)
	own.POST("/sessions/:row/resume", d.postSessionResume)
	own.POST("/note", d.postNote)
	own.GET("/gotchas", d.getGotchas)
	own.POST("/gotchas/:id/:act", d.postGotcha)
	own.GET("/told", d.getTold)
	own.POST("/told/:id/mute", d.postMuted)
	own.POST("/told/:id/unmute", d.postMuted)
	own.GET("/growth", d.getGrowth)
	own.GET("/pause", d.getPause)
	own.POST("/pause", d.postPause)
	own.POST("/resume", d.postResume)
	own.POST("/private", d.postPrivate)
	own.GET("/settings", d.getSettings)
	own.POST("/settings", d.postSetting)
	own.POST("/redact", d.postRedact)
	own.GET("/verdicts", d.getVerdicts)
	own.POST("/verdicts", d.postVerdict)
	own.POST("/verdicts/:id/remove", d.postVerdictRemove)
	own.GET("/doctor", d.getDoctor)
	own.POST("/doctor/:check", d.postDoctor)
	own.GET("/ledger/sent", d.getSent)
	own.POST("/page/code", d.postPageCode)
}

// workRoutes are the routes for background work.
func (d *Daemon) workRoutes(own *echo.Group) {
	own.POST("/compress", d.postCompress)
	own.GET("/compress/preview", d.getPreview)
	own.GET("/queue", d.getQueue)
	own.POST("/queue/:id/retry", d.postRetry)
	own.POST("/queue/:id/skip", d.postSkip)
	own.POST("/queue/retry", d.postRetryAll)
	own.POST("/queue/skip", d.postSkipAll)
	own.POST("/sync", d.postSync)
	own.GET("/sync", d.getSync)
	own.GET("/runs", d.getRuns)
	own.GET("/runs/why", d.getRunsWhy)
	own.GET("/runs/:id", d.getRun)
	own.POST("/maintain", d.postMaintain)
	own.GET("/quarantine", d.getQuarantine)
	own.POST("/quarantine/:id/release", d.postRelease)
	own.POST("/quarantine/:id/purge", d.postPurge)
}

// keepingRoutes are the routes for stored data and its retention.
func (d *Daemon) keepingRoutes(own *echo.Group) {
	own.POST("/forget", d.postForget)
	own.POST("/scrub", d.postScrub)
	own.POST("/backup", d.postBackup)
	own.GET("/export", d.getExport)
	own.POST("/import", d.postImport)
}

// memoryRoutes are the routes for memories.
func (d *Daemon) memoryRoutes(own *echo.Group) {
	own.GET("/projects", d.getProjects)
	own.POST("/projects", d.postProject)
	own.POST("/projects/:id/remove", d.postProjectRemove)
	own.GET("/memories", d.getMemories)
	own.POST("/memories", d.postMemory)
	own.GET("/memories/search", d.getMemorySearch)
	own.GET("/memories/audit", d.getMemoryAudit)
	own.GET("/memories/history", d.getHistory)
	own.GET("/memories/rooms", d.getRooms)
	own.GET("/memories/status", d.getMemoryStatus)
	own.POST("/memories/rejudge", d.postRejudge)
	own.GET("/memories/export", d.getMemoryExport)
	own.POST("/memories/import", d.postMemoryImport)
	own.POST("/memories/reindex", d.postMemoryReindex)
	own.POST("/memories/reset", d.postMemoryReset)
	own.GET("/memories/:id", d.getMemory)
	own.GET("/memories/:id/why", d.getWhy)
	own.GET("/memories/:id/links", d.getMemoryLinks)
	own.POST("/memories/:id/link", d.postMemoryLink)
	own.POST("/memories/:id/edit", d.postMemoryEdit)
	own.POST("/memories/:id/forget", d.postMemoryForget)
	for action, change := range d.memoryChanges() {
		own.POST("/memories/:id/"+action, change)
	}
	own.GET("/review", d.getReview)
	own.POST("/review/reset", d.postReviewReset)
	own.POST("/review/:id/:act", d.postReview)
	own.GET("/blast", d.getBlast)
	own.GET("/overview", d.getOverview)
	own.GET("/outline", d.getOutline)
	own.POST("/ask", d.postAsk)
}

// plainParams unescapes the parts of a path that handlers read. The router leaves all of them escaped if one of them
// has an escaped slash.
func plainParams(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().URL.RawPath == "" {
			return next(c)
		}
		values := c.ParamValues()
		for i, v := range values {
			if plain, err := url.PathUnescape(v); err == nil {
				values[i] = plain
			}
		}
		c.SetParamValues(values...)
		return next(c)
	}
}
