const certificate = data;

// ---- Cases --------------------------------------------------------------------------------------

const entries = certificate.cases ?? [];
const versions = [...new Set(entries.map((entry) => entry.protocolVersion))].sort();
const gates = [...new Set(entries.map((entry) => entry.gate))];
const cases = [];
const byId = new Map();
for (const entry of entries) {
  if (!byId.has(entry.id)) {
    const [suite, ...name] = entry.id.split("#");
    const kase = { id: entry.id, suite, name: name.join("#"), entries: [] };
    byId.set(entry.id, kase);
    cases.push(kase);
  }
  byId.get(entry.id).entries.push(entry);
}
const rulesOf = (entry) => (entry.rules?.length ? entry.rules : entry.rule ? [entry.rule] : []);
const textOf = (entry) =>
  (entry.text ??= [entry.id, entry.description, entry.note, entry.why, entry.known?.reason, rulesOf(entry), entry.source, entry.outcome?.reason]
    .flat().filter(Boolean).join("\n").toLowerCase());

// ---- What is asked for, kept behind the address's # ----------------------------------------------

const anyDivergence = entries.some((entry) => DIVERGENT.includes(entry.verdict));
const everyday = () => new Set(anyDivergence ? DIVERGENT : KIND);
const state = { q: "", version: "", gate: "", level: "", rule: "", group: "rule", verdicts: everyday(), case: "" };
const PLAIN = ["q", "version", "gate", "level", "rule"];

/** Reads `#CASE`, or `#?gate=result&verdict=fail,timeout&case=CASE`, into the state. */
function readAddress() {
  let hash = location.hash.slice(1);
  try {
    hash = decodeURIComponent(hash);
  } catch { /* a stray % is part of the text */ }
  const asked = byId.has(hash) ? new URLSearchParams({ case: hash })
    : new URLSearchParams(hash.startsWith("?") ? location.hash.slice(2) : location.search);
  for (const name of [...PLAIN, "case"]) state[name] = asked.get(name) ?? "";
  state.group = asked.get("group") === "suite" ? "suite" : "rule";
  const verdicts = asked.get("verdict");
  if (verdicts === null) state.verdicts = everyday();
  else state.verdicts = new Set(verdicts === "all" ? KIND : verdicts.split(",").filter((name) => KIND.includes(name)));
}

const same = (a, b) => a.size === b.size && [...a].every((item) => b.has(item));

function address(changes = {}) {
  const wanted = { ...state, ...changes };
  const said = new URLSearchParams();
  for (const name of PLAIN) if (wanted[name]) said.set(name, wanted[name]);
  if (wanted.group !== "rule") said.set("group", wanted.group);
  if (wanted.verdicts.size === KIND.length) said.set("verdict", "all");
  else if (!same(wanted.verdicts, everyday())) said.set("verdict", [...wanted.verdicts].join(","));
  if (said.size === 0) return `#${wanted.case}`;
  if (wanted.case) said.set("case", wanted.case);
  return `#?${said}`;
}

function writeAddress() {
  try {
    history.replaceState(null, "", address());
  } catch { /* a frame without a history: the page works all the same */ }
}

const wanted = (entry) =>
  (!state.version || entry.protocolVersion === state.version) &&
  (!state.gate || entry.gate === state.gate) &&
  (!state.level || entry.level === state.level) &&
  (!state.rule || rulesOf(entry).includes(state.rule)) &&
  state.q.toLowerCase().split(/\s+/).every((word) => textOf(entry).includes(word));

// ---- The top ---------------------------------------------------------------------------------------

function showTop() {
  const { implementation: it = {}, suite = {}, tool = {}, counts = {}, levels = [] } = certificate;
  $("name").append(it.name ?? "An implementation", " ", el("span", { class: "version" }, it.version ?? ""));

  const judged = levels.filter((row) => row.must.judged + row.should.judged > 0);
  const strict = judged.filter((row) => row.strict).length;
  const core = judged.filter((row) => row.core && !row.strict).length;
  const diverging = DIVERGENT.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const places = `of ${count(judged.length, "cell")} of the matrix`;
  const claim =
    judged.length === 0 ? "Nothing was judged."
    : strict === judged.length ? "Strict everywhere: every must and every should holds."
    : strict + core === 0 ? `Core in none ${places}.`
    : `Strict in ${strict} ${places}, core in ${core} more.`;
  const rest = diverging === 0 ? `${count(total, "judgement")}, none diverges.` : `${number.format(diverging)} of ${count(total, "judgement")} diverge.`;
  $("lede").append(`${claim} ${rest}`);

  const notices = [];
  if (certificate.complete === false) notices.push(["", "The run was interrupted: this certificate is partial and claims nothing."]);
  if (certificate.smoke) notices.push(["", `The implementation ${certificate.smoke.replace("-all", "")} everything: does the adapter look at what it is sent?`]);
  if (certificate.selection) notices.push(["mild", `Only a selection was asked (${selected(certificate.selection)}).`]);
  if (certificate.restarts > 0) notices.push(["mild", `The implementation had to be started again ${certificate.restarts === 1 ? "once" : `${certificate.restarts} times`}.`]);
  const known = entries.filter((entry) => entry.known).length;
  if (known > 0) notices.push(["mild", `A baseline explains ${known === diverging ? "every divergence" : `${number.format(known)} of the divergences`}.`]);
  $("notices").append(...notices.map(([kind, text]) => el("p", { class: `notice ${kind}` }, text)));

  const parts = KIND.filter((name) => counts[name] > 0);
  $("tally").setAttribute("aria-label", parts.map((name) => `${number.format(counts[name])} ${name}`).join(", "));
  $("tally").append(...parts.map((name) => {
    const part = el("span", { ...colour(name), title: `${number.format(counts[name])} ${name}` });
    part.style.flexGrow = counts[name];
    return part;
  }));

  const facts = [
    ["Written in", it.language],
    ["Home", it.homepage && link(it.homepage, it.homepage.replace(/^https?:\/\//, "").replace(/\/$/, ""))],
    ["Configuration", it.config],
    ["Suite", suite.version && [`${suite.version} `, el("code", { title: suite.sha256 }, (suite.sha256 ?? "").slice(0, 12)), copyButton(suite.sha256 ?? "", "the hash of the suite")]],
    ["Judged by", tool.name && `${tool.name} ${tool.version}`],
    ["On", certificate.date],
  ];
  $("facts").append(...facts.filter(([, value]) => value).map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value))));
}

function selected(selection) {
  const said = Object.entries(selection).filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0));
  return said.map(([name, value]) => `${name}: ${[value].flat().join(", ")}`).join("; ");
}

function showMatrix() {
  const levels = certificate.levels ?? [];
  const columns = [...new Set(levels.map((row) => row.protocolVersion))];
  const rows = [...new Set(levels.map((row) => row.gate))];
  const cell = (gate, version) => {
    const row = levels.find((row) => row.gate === gate && row.protocolVersion === version);
    if (!row || row.must.judged + row.should.judged === 0) return el("td", null, el("span", { class: "none" }, "not judged"));
    const level = row.strict ? "strict" : row.core ? "core" : "fails";
    const [sign, tone] = LEVELS[level];
    const meter = (name, { total, judged, passed }) => {
      const all = total ?? judged;
      if (all === 0) return el("span", { class: "meter" }, el("span", null, name), el("span", { class: "nil" }, "none"));
      const part = passed / all;
      return el("span", { class: "meter", "--part": part, title: judged < all ? `${all - judged} not done by the implementation` : null },
        el("span", null, name), el("i", null), el("span", null, `${passed}/${all}`));
    };
    const label = `${gate} on ${version}: ${level}, must ${row.must.passed} of ${row.must.total ?? row.must.judged}, should ${row.should.passed} of ${row.should.total ?? row.should.judged}. Show these cases`;
    const target = { version, gate, q: "", level: "", rule: "", case: "" };
    return el("td", null, el("a", {
      href: address(target), "aria-label": label, "--c": `var(${tone})`, "data-gate": gate, "data-version": version,
      onclick: (event) => {
        event.preventDefault();
        Object.assign(state, target);
        refresh();
        $("cases").scrollIntoView();
        $("cases").focus({ preventScroll: true });
      },
    }, el("span", { class: "level", "data-glyph": sign }, level), el("span", { class: "meters" }, meter("must", row.must), meter("should", row.should))));
  };
  $("matrix").append(
    el("caption", { class: "sr" }, "What holds at each gate on each protocol version"),
    el("thead", null, el("tr", null, el("td", null), columns.map((version) => el("th", { scope: "col" }, version)))),
    el("tbody", null, rows.map((gate) => el("tr", null, el("th", { scope: "row" }, gate), columns.map((version) => cell(gate, version))))),
  );
}

function showLegend() {
  $("legend").append(...KIND.map((name) => el("div", null, el("dt", colour(name), glyph(name), name), el("dd", null, VERDICTS[name][1]))));
  if (certificate.stderr) {
    $("stderr").hidden = false;
    $("stderr").querySelector("pre").textContent = certificate.stderr;
  }
}

// ---- Filters ------------------------------------------------------------------------------------------

const form = $("filters");

function showFilters() {
  const fill = (name, all, values) => form.elements[name].append(el("option", { value: "" }, all), ...values.map((value) => el("option", { value }, value)));
  fill("version", "all versions", versions);
  fill("gate", "all gates", gates);
  fill("level", "all levels", ["must", "should", "informational"]);
  fill("rule", "all rules", [...new Set(entries.flatMap(rulesOf))].sort());
  const chip = (name, label, title, own) => el("label", { class: `chip ${own}`, title, ...colour(name) },
    el("input", { type: "checkbox", name: "verdict", value: name }), el("span", null, label, el("b", { "data-count": name })));
  $("verdicts").append(
    ...KIND.map((name) => chip(name, [glyph(name), name], VERDICTS[name][1], "")),
    el("button", { type: "button", class: "plain", onclick: () => choose(DIVERGENT) }, "divergences"),
    el("button", { type: "button", class: "plain", onclick: () => choose(KIND) }, "all"),
  );
  const choose = (names) => {
    state.verdicts = new Set(names);
    refresh();
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    for (const name of [...PLAIN, "group"]) state[name] = form.elements[name].value;
    state.verdicts = new Set([...form.querySelectorAll("[name=verdict]:checked")].map((box) => box.value));
    refresh();
  });
  $("reset").addEventListener("click", () => {
    for (const name of PLAIN) state[name] = "";
    state.verdicts = everyday();
    state.case = "";
    refresh();
  });
  $("columns").append(...versions.map((version) => el("span", null, version)));
}

/** Brings the controls, the matrix, the address and the list into line with the state. */
function refresh() {
  for (const name of [...PLAIN, "group"]) {
    const control = form.elements[name];
    if (control.value !== state[name]) control.value = state[name];
  }
  const counts = Object.fromEntries(KIND.map((name) => [name, 0]));
  const shown = [];
  let judgements = 0;
  for (const kase of cases) {
    kase.matching = kase.entries.filter(wanted);
    for (const entry of kase.matching) counts[entry.verdict] += 1;
    kase.matching = kase.matching.filter((entry) => state.verdicts.has(entry.verdict));
    judgements += kase.matching.length;
    if (kase.matching.length > 0) shown.push(kase);
  }
  for (const box of form.querySelectorAll("[name=verdict]")) {
    box.checked = state.verdicts.has(box.value);
    box.parentElement.classList.toggle("nil", counts[box.value] === 0);
    form.querySelector(`[data-count="${box.value}"]`).textContent = number.format(counts[box.value]);
  }
  for (const cell of document.querySelectorAll(".matrix a")) {
    const chosen = cell.dataset.gate === state.gate && cell.dataset.version === state.version;
    if (chosen) cell.setAttribute("aria-current", "true");
    else cell.removeAttribute("aria-current");
  }
  $("count").textContent = `${count(shown.length, "case")} of ${number.format(cases.length)}, ${count(judgements, "judgement")} of ${number.format(entries.length)}`;
  const untouched = PLAIN.every((name) => state[name] === "") && same(state.verdicts, everyday());
  $("reset").hidden = untouched;
  writeAddress();
  showList(shown);
}

// ---- The list, made as far as it is looked at -------------------------------------------------------------

let pending = []; // [group, case] still to be shown
let sizes = new Map();

function showList(shown) {
  const key = state.group === "suite" ? (kase) => kase.suite : (kase) => kase.matching.find((entry) => entry.rule)?.rule ?? "";
  const groups = new Map();
  for (const kase of shown) {
    const name = key(kase);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(kase);
  }
  const sorted = [...groups];
  if (state.group === "rule") sorted.sort(([a, x], [b, y]) => (a === "") - (b === "") || y.length - x.length);
  sizes = new Map(sorted.map(([name, list]) => [name, list.length]));
  pending = sorted.flatMap(([name, list]) => list.map((kase) => [name, kase]));
  $("list").replaceChildren();
  if (pending.length === 0) $("list").append(el("p", { class: "empty" }, "No case fits these filters."));
  showMore();
}

function showMore(until) {
  let left = PAGE;
  while (pending.length > 0 && (left > 0 || until)) {
    const [name, kase] = pending.shift();
    let group = $("list").lastElementChild;
    if (!group || group.dataset.name !== name) {
      const title = name === "" ? "about no rule of the catalogue" : state.group === "suite" ? name : el("code", null, name);
      group = el("div", { class: "group", "data-name": name },
        el("h3", null, title, el("small", null, count(sizes.get(name), "case"))), el("ul", { class: "rows" }));
      $("list").append(group);
    }
    group.lastElementChild.append(row(kase));
    left -= 1;
    if (kase.id === until) until = undefined;
  }
  $("more").hidden = pending.length === 0;
  $("more").textContent = `Show more (${number.format(pending.length)} left)`;
}

function row(kase) {
  const worst = kase.matching.find((entry) => DIVERGENT.includes(entry.verdict)) ?? kase.matching[0];
  const marks = versions.map((version) => {
    const entry = kase.entries.find((entry) => entry.protocolVersion === version);
    if (!entry) return el("span", { class: "mark gone", title: `${version}: the case says nothing about it` }, "·");
    const dim = kase.matching.includes(entry) ? "" : " dim";
    return el("span", { class: `mark${dim}`, ...colour(entry.verdict), title: `${version}: ${entry.verdict}` },
      glyph(entry.verdict), el("small", null, entry.verdict));
  });
  const id = `case-${kase.id}`;
  const said = kase.entries.map((entry) => `${entry.protocolVersion} ${entry.verdict}`);
  const head = el("button", { type: "button", class: "head", "aria-expanded": "false", "aria-controls": id, "aria-label": `${kase.id}: ${spoken(said)}` },
    el("span", { class: "what" },
      el("span", { class: "case" }, el("span", null, `${kase.suite}#`), el("b", null, kase.name)),
      el("br"), el("span", { class: "short" }, prose(worst.why ?? worst.description ?? `to be ${worst.expected}ed`))),
    el("span", { class: "marks", "aria-hidden": "true" }, marks));
  const item = el("li", { class: "row", "data-id": kase.id }, head);
  head.addEventListener("click", () => {
    const open = toggle(item, kase, id);
    state.case = open ? kase.id : "";
    writeAddress();
  });
  return item;
}

function toggle(item, kase, id, open = item.firstElementChild.getAttribute("aria-expanded") !== "true") {
  item.firstElementChild.setAttribute("aria-expanded", String(open));
  item.querySelector(".detail")?.remove();
  if (open) item.append(detail(kase, id));
  return open;
}

/** The answers to a case, those of versions that were judged alike in one panel. */
function detail(kase, id) {
  const panels = new Map();
  for (const entry of kase.entries) {
    const { millis, ...outcome } = entry.outcome ?? {};
    const alike = JSON.stringify([entry.verdict, entry.level, entry.expected, entry.rules, entry.expectedReason, entry.why, outcome]);
    panels.set(alike, [...(panels.get(alike) ?? []), entry]);
  }
  const first = kase.entries[0];
  const sorted = [...panels.values()].sort(([a], [b]) => DIVERGENT.includes(b.verdict) - DIVERGENT.includes(a.verdict));
  return el("div", { class: "detail", id, role: "region", "aria-label": kase.id },
    first.description && el("p", null, `${first.description[0].toUpperCase()}${first.description.slice(1)}.`),
    sorted.map(panel),
    el("p", null, el("a", { href: `#${kase.id}` }, "Link to this case")));
}

function panel(alike) {
  const [entry] = alike;
  const outcome = entry.outcome ?? {};
  const dates = alike.map((entry) => entry.protocolVersion);
  const code = (text) => el("code", null, text);
  const line = (name, value) => value !== undefined && value !== null && el("li", null, `${name} `, value);
  const expected = el("div", { class: "side" }, el("h5", null, "Expected"), el("strong", null, entry.expected),
    el("ul", null,
      line("reason", entry.expectedReason?.length ? entry.expectedReason.join(" or ") : null),
      line("keyword", entry.expectedKeyword && code(entry.expectedKeyword)),
      line("at", entry.expectedAt !== undefined ? code(JSON.stringify(entry.expectedAt)) : null),
      line("branch", entry.expectedBranch && code(entry.expectedBranch)),
      line("usable", entry.expectedUsable?.map((name) => [code(name), " "]))));
  const got = el("div", { class: "side got", ...colour(entry.verdict) }, el("h5", null, "Got"),
    el("strong", null, outcome.answer === "none" ? "no answer" : outcome.answer ?? entry.verdict),
    el("ul", null,
      line("reason", outcome.reason),
      line("keyword", outcome.keyword && code(outcome.keyword)),
      line("at", outcome.at !== undefined ? code(JSON.stringify(outcome.at)) : null),
      line("branch", outcome.branch && code(outcome.branch)),
      line("usable", outcome.usable?.map((name) => [code(name), " "])),
      line("delivered", outcome.delivered && code(outcome.delivered.length > 400 ? `${outcome.delivered.slice(0, 400)}…` : outcome.delivered)),
      line("", outcome.detail), line("", outcome.issue && link(outcome.issue)),
      line("after", outcome.millis >= 1000 ? `${(outcome.millis / 1000).toFixed(1)} s` : outcome.millis !== undefined ? `${Number(outcome.millis).toPrecision(2)} ms` : null)));
  const about = [
    ["Why", entry.verdict !== "pass" && entry.why && prose(entry.why)],
    ["Rule", rulesOf(entry).map((rule) => el("div", null, el("a", { href: address({ rule, q: "", case: "" }), onclick: (event) => {
      event.preventDefault();
      Object.assign(state, { rule, q: "" });
      refresh();
      $("cases").scrollIntoView();
    } }, code(rule))))],
    ["Source", (entry.source ?? []).map((source) => el("div", null, source))],
    ["Note", entry.note && prose(entry.note)],
    ["Baseline", entry.known && [prose(entry.known.reason), entry.known.issue && [" ", link(entry.known.issue)]]],
  ];
  const facts = about.filter(([, value]) => value && value.length !== 0);
  return el("section", { class: "panel", "aria-label": `${entry.verdict} on ${spoken(dates)}` },
    el("h4", null, el("span", { class: "verdict", ...colour(entry.verdict) }, glyph(entry.verdict), entry.verdict),
      el("span", { class: "mono" }, spoken(dates)), el("small", null, `${entry.level}, at the gate ${entry.gate}`)),
    el("div", { class: "pair" }, expected, got),
    facts.length > 0 && el("dl", { class: "more-facts" }, facts.map(([name, value]) => [el("dt", null, name), el("dd", null, value)])),
    entry.sent && sent(entry.sent),
    entry.rerun && figure("Ask again", entry.rerun, entry.rerun, "command"));
}

/** What was sent: each text under test laid out, and the whole message to copy. */
function sent(message) {
  const texts = Object.entries(message).filter(([name, value]) => typeof value === "string" && !["op", "gate", "version"].includes(name));
  return el("div", { class: "sent" }, texts.map(([name, text]) => figure(`Sent: ${name}`, laidOut(text), text, "")));
}

function figure(caption, content, text, own) {
  return el("figure", { class: own }, el("figcaption", null, caption, copyButton(text, caption.toLowerCase())), el("pre", { tabindex: "0", "aria-label": caption }, content));
}

// ---- Moving about --------------------------------------------------------------------------------------

/** Opens a case wherever it is, also where the filters would leave it out. */
function open(id) {
  const kase = byId.get(id);
  if (!kase) return;
  if (!pending.some(([, other]) => other === kase) && !rowOf(id)) {
    for (const name of PLAIN) state[name] = "";
    state.verdicts = new Set(KIND);
    refresh();
  }
  if (!rowOf(id)) showMore(id);
  const item = rowOf(id);
  toggle(item, kase, `case-${id}`, true);
  item.scrollIntoView({ block: "start" });
  item.firstElementChild.focus({ preventScroll: true });
}

const rowOf = (id) => [...document.querySelectorAll(".row")].find((item) => item.dataset.id === id);

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input[type=search], select, textarea");
  if (event.key === "Escape" && event.target.name === "q") {
    state.q = "";
    refresh();
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    form.elements.q.focus();
  } else if (event.key === "j" || event.key === "k") {
    const heads = [...document.querySelectorAll(".head")];
    const now = heads.indexOf(document.activeElement.closest?.(".row")?.firstElementChild);
    const next = heads[now === -1 ? 0 : now + (event.key === "j" ? 1 : -1)];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
});

function follow() {
  readAddress();
  refresh();
  if (state.case) open(state.case);
}

showTop();
showMatrix();
showLegend();
showFilters();
follow();
$("more").addEventListener("click", () => showMore());
new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && showMore(), { rootMargin: "600px" }).observe($("more"));
addEventListener("hashchange", follow);
