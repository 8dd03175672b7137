"use strict";
(() => {
  const base = document.documentElement.dataset.base, one = s => document.querySelector(s);
  const zone = root => root.querySelectorAll("time[datetime]").forEach(t => {
    const d = new Date(t.dateTime);
    if (isNaN(d)) return;
    t.title = d.toLocaleString();
    t.textContent = t.className === "clock" ? d.toLocaleTimeString() : d.toLocaleString([], {dateStyle: "medium", timeStyle: "short"});
  });
  zone(document);
  if (!base) return;

  // Keys: g and a letter opens a room, / the search, ? the list of keys; j and u move down and up.
  // k moves up too, except on reviews, where k, e and d decide.
  const go = {t: "today", s: "search", e: "sessions", m: "memories", r: "review", o: "told", p: "privacy", h: "health", c: "settings", f: "gotchas", n: "runs", w: "team"};
  let g = 0;
  const walk = step => {
    const all = [...document.querySelectorAll("[data-walk]")], i = all.indexOf(document.activeElement.closest("[data-walk]"));
    const to = all[Math.min(Math.max(i + step, 0), all.length - 1)];
    if (to) (to.querySelector("a,button") || to).focus();
  };
  addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) return;
    const room = g && e.timeStamp - g < 1500 ? go[e.key] : "";
    g = 0;
    if (room) location.href = base + room;
    else if (e.key === "g") g = e.timeStamp;
    else if (e.key === "/") { const q = one("#q"); if (q) { e.preventDefault(); q.focus(); } else location.href = base + "search"; }
    else if (e.key === "?") location.href = base + "keys";
    else if (e.key === "j") walk(1);
    else if (e.key === "u") walk(-1);
    else {
      const at = document.activeElement.closest("[data-review]") || one("[data-review]");
      const b = at && at.querySelector("[data-key='" + CSS.escape(e.key) + "']");
      if (!b) { if (e.key === "k") walk(-1); return; }
      e.preventDefault();
      if (b.tagName === "SUMMARY") { b.click(); const f = b.parentNode.querySelector("input:not([type=hidden])"); if (f) f.focus(); } else b.click();
    }
  });

  // While the daemon restarts: ask until it answers, then open its room.
  const again = one("#again");
  if (again) {
    const ask = () => fetch(again.dataset.to, {cache: "no-store", redirect: "manual"}).then(r => { if (r.status === 200) location.href = again.dataset.to; else throw r; }).catch(() => setTimeout(ask, 500));
    setTimeout(ask, 1500);
  }

  // New events, live. The list stays short: older events are on the next page.
  const list = one("#live"), gone = one("#gone"), told = one("#told");
  if (!list) return;
  const most = 200, state = one("#state");
  let source, unseen = 0, say;
  const add = html => {
    const box = document.createElement("template");
    box.innerHTML = html;
    const news = [...box.content.querySelectorAll(".session")].reverse();
    zone(box.content);
    const note = one("#none");
    if (note) note.remove();
    for (const s of news) {
      const old = document.getElementById(s.id), rows = [...s.querySelectorAll("ol.events>li")];
      rows.forEach(r => r.classList.add("new"));
      unseen += rows.length;
      if (!old) { list.prepend(s); continue; }
      old.querySelector("ol.events").prepend(...rows);
      const had = old.contains(document.activeElement);
      if (list.firstElementChild !== old && !had) list.prepend(old);
    }
    const all = list.querySelectorAll("ol.events>li");
    for (let i = all.length - 1; i >= most; i--) { const s = all[i].closest(".session"); all[i].remove(); if (!s.querySelector("li")) s.remove(); }
    clearTimeout(say);
    say = setTimeout(() => { told.textContent = unseen + " new"; unseen = 0; }, 3000);
  };
  let last = list.dataset.newest;
  const open = () => {
    source = new EventSource(base + "live?after=" + last);
    source.onmessage = e => { last = e.lastEventId || last; add(e.data); };
    source.onopen = () => { gone.hidden = true; state.textContent = "live"; };
    source.onerror = () => {
      gone.hidden = false; state.textContent = "not connected";
      if (source.readyState === 2) setTimeout(open, 3000);
    };
  };
  const begin = () => setTimeout(open); // before that it would keep the room loading
  if (document.readyState === "complete") begin(); else addEventListener("load", begin);
  addEventListener("pagehide", () => source && source.close());
  addEventListener("pageshow", e => { if (e.persisted) open(); });
})();
