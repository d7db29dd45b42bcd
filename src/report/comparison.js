
// ---- Certificates side by side -----------------------------------------------------------------------

const who = data.implementations;
const gates = [...new Set(data.levels.map((row) => row.gate))];
const versions = [...new Set(data.levels.map((row) => row.protocolVersion))].sort();

// A case is here once for each set of versions on which it came to the same, and its entries are the
// answers: one for each implementation that was asked.
const cases = [];
const byId = new Map();
for (const [list, silent] of [[data.divergences, false], [data.silent, true]]) {
  for (const question of list) {
    const [suite, ...name] = question.id.split("#");
    const id = `${question.id}@${question.protocolVersions[0]}`;
    const kase = { id, suite, name: name.join("#"), question, silent, entries: [] };
    question.answers.forEach((answer, index) => {
      if (answer) kase.entries.push({ ...answer, by: String(index), rule: question.rule, rules: question.rules, kase });
    });
    const answers = new Set(kase.entries.filter((entry) => entry.verdict !== "skipped").map((entry) => entry.outcome?.answer));
    kase.differs = answers.size > 1;
    cases.push(kase);
    byId.set(id, kase);
    if (!byId.has(question.id)) byId.set(question.id, kase); // a link that names no version
  }
}
const entries = cases.flatMap((kase) => kase.entries);
const rulesOf = ({ rules, rule }) => (rules?.length ? rules : rule ? [rule] : []);
const textOf = (entry) => {
  const { question } = entry.kase;
  return (entry.text ??= [question.id, question.description, question.note, rulesOf(question), question.source, entry.why, entry.known?.reason, entry.outcome?.reason, who[entry.by].label]
    .flat().filter(Boolean).join("\n").toLowerCase());
};

const anyDivergence = data.divergences.length > 0;
const everyday = () => new Set(anyDivergence ? DIVERGENT : KIND);
const state = { q: "", version: "", gate: "", level: "", rule: "", by: "", silent: "", group: "rule", verdicts: everyday(), case: "" };
const PLAIN = ["q", "version", "gate", "level", "rule", "by", "silent"];

const wanted = (entry) => {
  const { question, silent, differs } = entry.kase;
  return (!state.version || question.protocolVersions.includes(state.version)) &&
    (!state.gate || question.gate === state.gate) &&
    (!state.level || question.level === state.level) &&
    (!state.rule || rulesOf(question).includes(state.rule)) &&
    (!state.by || entry.by === state.by) &&
    (!state.silent || !silent || differs) &&
    state.q.toLowerCase().split(/\s+/).every((word) => textOf(entry).includes(word));
};

// Musts apart from shoulds: the cases come in that order.
const SAID = { must: "a must", should: "a should", informational: "the specification is silent" };
GROUPS.rule = {
  key: ({ question }) => `${question.level} ${question.rule ?? ""}`,
  title: (_, { question }) => [ruled(question.rule ?? ""), el("small", null, SAID[question.level] ?? question.level)],
  sorts: false,
};

// ---- The top -----------------------------------------------------------------------------------------

function showTop() {
  const { counts } = data;
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0);
  $("lede").append(`${count(who.length, "implementation")}, ${count(total, "case")} on their versions: nobody diverges on ${number.format(counts.agreed)}, somebody on ${number.format(counts.diverged)}.`);
  $("notices").append(...data.notices.map((text) => el("p", { class: "notice" }, text)));
  const dates = [...new Set(who.map((it) => it.date))].sort();
  const suites = [...new Map(who.map((it) => [it.suite.sha256, it.suite])).values()];
  const said = [
    ["Suite", suites.map((suite) => [`${suite.version} `, el("code", { title: suite.sha256 }, suite.sha256.slice(0, 12)), copyButton(suite.sha256, "the hash of the suite"), " "])],
    ["Certificates of", dates.length > 1 ? `${dates[0]} to ${dates.at(-1)}` : dates[0]],
    ["Put together by", [`${data.tool.name} ${data.tool.version}`, copyButton(data.command, "the command that made this page")]],
  ];
  $("facts").append(...said.map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, value))));
  $("about").append(`Listed are the cases on which somebody diverges, and with the verdict “informational” those about which the specification is silent (${number.format(counts.silent)}). On ${number.format(counts.agreed)} nobody diverges${counts.skipped > 0 ? `, and ${number.format(counts.skipped)} nobody does` : ""}: those are counted alone.`);
}

function showImplementations() {
  const row = (it) => {
    const parts = KIND.filter((name) => it.counts[name] > 0);
    const spokenParts = parts.map((name) => `${number.format(it.counts[name])} ${name}`).join(", ");
    const tally = el("div", { class: "tally", role: "img", "aria-label": spokenParts, title: spokenParts }, parts.map((name) => {
      const part = el("span", colour(name));
      part.style.flexGrow = it.counts[name];
      return part;
    }));
    const own = [!it.complete && "partial", it.selection && `only ${selected(it.selection)}`, it.known > 0 && `${number.format(it.known)} known to its baseline`].filter(Boolean);
    return el("tr", null, el("th", { scope: "row" }, it.homepage ? link(it.homepage, it.label) : it.label, el("small", null, own.join("; "))),
      [it.version, it.language, it.config, it.date, [`${it.suite.version} `, el("code", null, it.suite.sha256.slice(0, 12))], tally].map((value) => el("td", null, value ?? "–")));
  };
  $("implementations").append(
    el("caption", { class: "sr" }, "The implementations and their certificates"),
    el("thead", null, el("tr", null, ["Implementation", "Version", "Language", "Configuration", "Date", "Suite", "Cases"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", null, who.map(row)));
}

function showMatrix() {
  const cell = ({ gate, protocolVersion: version }, standing, index) => {
    if (!standing?.judged) return el("td", null, el("span", { class: "none" }, standing ? "not judged" : "–"));
    const level = standing.strict ? "strict" : standing.core ? "core" : "";
    const [sign, tone] = LEVELS[level || "fails"];
    const share = (name) => `${name} ${standing[name].passed}/${standing[name].total}`;
    const skipped = ["must", "should"].reduce((sum, name) => sum + standing[name].total - standing[name].judged, 0);
    const target = { version, gate, by: String(index), q: "", level: "", rule: "", case: "" };
    return el("td", null, el("a", {
      href: address(target), "--c": `var(${tone})`, "data-gate": gate, "data-version": version, "data-by": index,
      "aria-label": `${who[index].label}, ${gate} on ${version}: ${level && `${level}, `}${share("must")}, ${share("should")}. Show these cases`,
      onclick: (event) => {
        event.preventDefault();
        Object.assign(state, target);
        refresh();
        $("cases").scrollIntoView();
        $("cases").focus({ preventScroll: true });
      },
    }, level && el("span", { class: "level", "data-glyph": sign }, level), ["must", "should"].filter((name) => standing[name].total > 0).map((name) => el("span", { class: "plainly" }, share(name))),
    skipped > 0 && el("span", { class: "plainly" }, `${number.format(skipped)} skipped`)));
  };
  const row = (one, first, span) => el("tr", null, first && el("th", { scope: "rowgroup", rowspan: span }, one.protocolVersion),
    el("th", { scope: "row" }, one.gate), one.standings.map((standing, index) => cell(one, standing, index)));
  const bodies = versions.map((version) => {
    const rows = data.levels.filter((one) => one.protocolVersion === version);
    return el("tbody", null, rows.map((one, index) => row(one, index === 0, rows.length)));
  });
  $("matrix").append(
    el("caption", { class: "sr" }, "What holds at each gate on each protocol version, by implementation"),
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Version"), el("th", { scope: "col" }, "Gate"), who.map((it) => el("th", { scope: "col" }, it.label)))),
    ...bodies);
}

function showLegend() {
  $("legend").append(...KIND.map((name) => el("div", null, el("dt", colour(name), glyph(name), name), el("dd", null, VERDICTS[name][1]))));
}

// ---- A case --------------------------------------------------------------------------------------------

function row(kase) {
  const { question } = kase;
  const worst = kase.matching.find((entry) => DIVERGENT.includes(entry.verdict)) ?? kase.matching[0];
  const marks = who.map((it, index) => {
    const entry = kase.entries.find((entry) => entry.by === String(index));
    if (!entry) return el("span", { class: "mark gone", title: `${it.label}: not asked` }, "·");
    const dim = kase.matching.includes(entry) ? "" : " dim";
    const said = entry.verdict === "informational" ? `${entry.outcome?.answer}s` : entry.verdict;
    return el("span", { class: `mark${dim}`, ...colour(entry.verdict), title: `${it.label}: ${said}` }, glyph(entry.verdict), el("small", null, said));
  });
  const id = `case-${kase.id}`;
  const said = kase.entries.map((entry) => `${who[entry.by].label} ${entry.verdict}`);
  const dates = question.protocolVersions;
  const head = el("button", { type: "button", class: "head", "aria-expanded": "false", "aria-controls": id, "aria-label": `${question.id} on ${spoken(dates)}: ${spoken(said)}` },
    el("span", { class: "what" },
      el("span", { class: "case" }, el("span", null, `${kase.suite}#`), el("b", null, kase.name), dates.map((date) => [" ", el("span", { class: "date" }, date)])),
      el("br"), el("span", { class: "short" }, prose((kase.silent ? question.note : worst.why) ?? question.description ?? `to be ${question.expected}ed`))),
    el("span", { class: "marks", "aria-hidden": "true" }, marks));
  const item = el("li", { class: "row", "data-id": kase.id }, head);
  head.addEventListener("click", () => {
    const open = toggle(item, kase, id);
    state.case = open ? kase.id : "";
    writeAddress();
  });
  return item;
}

/** The question once, then the answers: those that are alike together. */
function detail(kase, id) {
  const { question } = kase;
  const sides = new Map();
  for (const entry of kase.entries) {
    const { millis, ...outcome } = entry.outcome ?? {};
    const alike = JSON.stringify([entry.verdict, entry.why, entry.asks, entry.known, outcome]);
    sides.set(alike, [...(sides.get(alike) ?? []), entry]);
  }
  const shrunk = kase.entries.find((entry) => entry.shrunk)?.shrunk;
  const again = kase.entries.filter((entry) => entry.rerun);
  return el("div", { class: "detail", id, role: "region", "aria-label": question.id },
    question.description && el("p", null, `${question.description[0].toUpperCase()}${question.description.slice(1)}.`),
    el("section", { class: "panel", "aria-label": "What was asked" },
      el("h4", null, el("span", { class: "mono" }, spoken(question.protocolVersions)), el("small", null, `${question.level}, at the gate ${question.gate}`)),
      el("div", { class: "answers" }, expected(question), [...sides.values()].map(side)),
      facts(about(question)),
      question.sent && sent(question.sent, shrunk),
      again.map((entry) => figure(`Ask ${who[entry.by].label} again`, entry.rerun, entry.rerun, "command"))),
    el("p", null, el("a", { href: `#${kase.id}` }, "Link to this case")));
}

/** What some implementations did alike. */
function side(alike) {
  const [entry] = alike;
  const { millis, ...outcome } = entry.outcome ?? {}; // a time is one answer's own
  const box = got({ ...entry, outcome }, alike.map((entry) => who[entry.by].label).join(", "));
  box.querySelector("strong").prepend(el("span", { class: "verdict" }, glyph(entry.verdict), ` ${entry.verdict}: `));
  const more = facts([["Why", entry.verdict !== "pass" && entry.why && prose(entry.why)], ["Its suite asks for", entry.asks && prose(entry.asks)], ["Baseline", known(entry)]]);
  if (more) box.append(more);
  return box;
}

document.documentElement.style.setProperty("--columns", who.length);
document.body.classList.toggle("many", who.length > 6);
showTop();
showImplementations();
showMatrix();
showLegend();
fill("by", "all", who.map((_, index) => String(index)), who.map((it) => it.label));
showFilters(who.map((it) => it.label));
start();
