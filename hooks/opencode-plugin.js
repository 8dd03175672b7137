// keepmum's plugin for OpenCode 1.x, installed by `mum connect opencode`.
//
// It tells the daemon on this machine what happens in a session and hands the
// daemon's notes on earlier work to the model. One file without dependencies,
// so that OpenCode needs neither network nor installation to load it. Nothing
// in here may throw, and OpenCode waits for nothing but context (300 ms).

import { spawn, spawnSync } from "node:child_process"
import fs from "node:fs"
import net from "node:net"
import path from "node:path"

const HOME = process.env.MUM_HOME || "@MUM_HOME@"
const MUM = "@MUM_BIN@"
const PATIENCE = Number(process.env.MUM_PATIENCE) || 1 // set by tests, for a busy machine
const CONTEXT_MS = 300 * PATIENCE // the longest that a prompt may be held up
const SEND_MS = 2000 * PATIENCE

const read = (name) => fs.readFileSync(path.join(HOME, name), "utf8").trim()

// The daemon's TCP port could be anybody's after a crash, so the token never goes
// there from here. Without a socket (Windows, some file systems) `mum hook`
// delivers: it asks a listener on the port for a proof first.
const address = () => {
  const socket = path.join(HOME, "mum.sock")
  if (process.platform === "win32" || !fs.existsSync(socket)) throw new Error("no socket")
  return { path: socket }
}

// post resolves to {status, body}. It speaks HTTP/1.0 over a plain connection:
// fetch() and http.request() of OpenCode's runtime send loopback requests to
// $HTTP_PROXY too, and a proxy must never see a payload.
const post = (body) =>
  new Promise((resolve, reject) => {
    const head = [
      "POST /hooks/opencode HTTP/1.0",
      "Host: localhost",
      "Authorization: Bearer " + read("token"),
      "Content-Type: application/json",
      "Content-Length: " + Buffer.byteLength(body),
    ]
    const socket = net.connect(address())
    let answer = ""
    socket.setEncoding("utf8")
    socket.setTimeout(SEND_MS, () => socket.destroy(new Error("timeout")))
    socket.on("error", reject)
    socket.on("data", (text) => (answer += text))
    socket.on("close", () => {
      const status = Number(answer.split(" ", 2)[1])
      if (!status) return reject(new Error("no answer"))
      resolve({ status, body: answer.slice(answer.indexOf("\r\n\r\n") + 4) })
    })
    socket.write(head.join("\r\n") + "\r\n\r\n" + body)
  })

const hookEnv = () => ({ ...process.env, MUM_HOME: HOME })

// hook gives the payload to `mum hook`, which starts the daemon, or keeps the
// cleaned event until there is one. It survives the end of OpenCode.
const hook = (body) =>
  new Promise((resolve) => {
    const child = spawn(MUM, ["hook", "opencode"], {
      stdio: ["pipe", "pipe", "ignore"], env: hookEnv(), detached: true, windowsHide: true,
    })
    let answer = ""
    child.on("error", () => resolve(""))
    child.on("close", () => resolve(answer))
    child.stdin.on("error", () => {})
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text) => (answer += text))
    child.stdin.end(body)
    child.unref()
  })

// deliver never rejects. A status of 400 or more means that a second try would
// end the same, except for an old token or a daemon in trouble.
const deliver = async (body) => {
  try {
    const { status, body: answer } = await post(body)
    if (status < 300) return answer
    if (status !== 401 && status < 500) return ""
  } catch {}
  try {
    return await hook(body)
  } catch {
    return ""
  }
}

const waiting = new Set()
let last = Promise.resolve()

// send delivers payloads one after the other, in the order of the calls.
const send = (payload) => {
  let body
  try {
    body = JSON.stringify(payload)
  } catch {
    return Promise.resolve("")
  }
  const job = { body }
  waiting.add(job)
  last = last.then(() => deliver(body)).finally(() => waiting.delete(job))
  return last
}

// What OpenCode's exit would cut off is handed over by one process each. The
// daemon knows a repeat by its id.
process.on("exit", () => {
  for (const { body } of waiting) {
    try {
      spawnSync(MUM, ["hook", "opencode"], {
        input: body, stdio: ["pipe", "ignore", "ignore"], env: hookEnv(), timeout: SEND_MS, windowsHide: true,
      })
    } catch {}
  }
})

const within = (promise, ms) => {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms, "")))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const contextIn = (answer) => {
  try {
    return answer ? String(JSON.parse(answer).context ?? "") : ""
  } catch {
    return ""
  }
}

// ask sends a payload and returns the context that came back in time, or "".
// The daemon records what it tells, so what comes later is not dropped: keep gets it.
const ask = (payload, keep) =>
  new Promise((resolve) => {
    let waits = true
    const late = () => {
      waits = false
      resolve("")
    }
    const timer = setTimeout(late, CONTEXT_MS)
    send({ ...payload, until: Date.now() + CONTEXT_MS }).then((answer) => {
      clearTimeout(timer)
      const context = contextIn(answer)
      if (!waits && context) keep(context)
      resolve(context)
    })
  })

// A hook that throws would break the session.
const guarded = (fn) => async (input, output) => {
  try {
    await fn(input, output)
  } catch {}
}

export const Mum = async ({ directory }) => {
  if (process.env.MUM_HOOK === "off") return {}

  const roots = new Map() // child session -> the session that the user sees
  const primers = new Map() // session -> promise of the context for its start
  const late = new Map() // session -> context that came too late, for its next message
  const answers = new Map() // session -> last text of the assistant
  const compactions = new Map() // session -> last summary
  const summaries = new Set() // messages that are summaries

  const payload = (hook, session, input, output) => ({ hook, directory, parent: roots.get(session), input, output })

  const keep = (session) => (context) => late.set(session, [...(late.get(session) ?? []), context])

  const begin = (session, event) => primers.set(session, ask(payload("event", session, event), keep(session)))

  const forget = (session) => {
    for (const map of [roots, primers, late, answers, compactions]) map.delete(session)
  }

  // take sends the text kept for a session, once.
  const take = (texts, session, event) => {
    const text = texts.get(session)
    texts.delete(session)
    if (text) send(payload("event", session, { type: event.type, properties: { sessionID: session } }, text))
  }

  const onEvent = ({ event }) => {
    const { info, part, sessionID } = event.properties ?? {}
    switch (event.type) {
      case "session.created":
        // The daemon sees from info.parentID that this is a subagent.
        begin(sessionID ?? info.id, event)
        if (info.parentID) roots.set(info.id, roots.get(info.parentID) ?? info.parentID)
        break
      case "message.updated":
        if (info.role === "assistant" && info.summary === true) summaries.add(info.id)
        break
      case "message.part.updated":
        // A tool that fails does not reach tool.execute.after.
        if (part.type === "tool" && part.state.status === "error")
          send(payload("event", part.sessionID, { type: event.type, properties: { sessionID: part.sessionID, part } }))
        break
      case "session.idle":
        take(answers, sessionID, event)
        break
      case "session.compacted":
        take(compactions, sessionID, event)
        break
      case "session.deleted":
        send(payload("event", info.id, { type: event.type, properties: { sessionID: info.id } }))
        forget(info.id)
        break
    }
  }

  const onPrompt = async (input, output) => {
    const session = input.sessionID
    // OpenCode does not say that it goes on with an old session.
    if (!primers.has(session)) begin(session, { type: "session.resumed", properties: { sessionID: session } })
    const { message, parts } = output
    const said = { message, parts: parts.filter((p) => p.type === "text") }
    const now = await ask(payload("chat.message", session, input, said), keep(session))
    const text = parts.findLast((p) => p.type === "text")
    if (!text || roots.has(session)) return
    const context = [...(late.get(session) ?? []), now].filter(Boolean).join("\n")
    late.delete(session)
    // A part of its own, marked as not the user's; its id sorts behind the text.
    if (context) parts.push({ ...text, id: text.id + "m", text: context, synthetic: true })
  }

  const onTool = (input, output) => {
    const { tool, sessionID, callID, args } = input
    const { title, output: text, metadata } = output
    // metadata repeats the output and whole files; only the exit status is news.
    const result = text === undefined ? output : { title, output: text, metadata: { exit: metadata?.exit } }
    send(payload("tool.execute.after", sessionID, { tool, sessionID, callID, args }, result))
  }

  const onText = ({ sessionID, messageID }, { text }) => {
    const texts = summaries.delete(messageID) ? compactions : answers
    const before = texts.get(sessionID)
    texts.set(sessionID, { messageID, text: before?.messageID === messageID ? before.text + "\n" + text : text })
  }

  // The same text in each request of a session, so that prompt caches hold. The
  // request for a title has no use for it.
  const onSystem = async ({ sessionID }, { system }) => {
    const primer = await primers.get(sessionID)
    if (primer && !/title generator/i.test(system[0] ?? "")) system.push(primer)
  }

  return {
    event: guarded(onEvent),
    "chat.message": guarded(onPrompt),
    "tool.execute.after": guarded(onTool),
    "experimental.text.complete": guarded(onText),
    "experimental.chat.system.transform": guarded(onSystem),
    dispose: guarded(() => within(last, SEND_MS)),
  }
}
