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
  const dates = alike.map((entry) => entry.protocolVersion);
  return el("section", { class: "panel", "aria-label": `${entry.verdict} on ${spoken(dates)}` },
    el("h4", null, el("span", { class: "verdict", ...colour(entry.verdict) }, glyph(entry.verdict), entry.verdict),
      el("span", { class: "mono" }, spoken(dates)), el("small", null, `${entry.level}, at the gate ${entry.gate}`)),
    el("div", { class: "pair" }, expected(entry), got(entry)),
    facts([
      ["Why", entry.verdict !== "pass" && entry.why && prose(entry.why)],
      ...about(entry),
      ["Baseline", known(entry)],
    ]),
    entry.sent && sent(entry.sent, entry.shrunk),
    entry.rerun && figure("Ask again", entry.rerun, entry.rerun, "command"));
}

showTop();
showMatrix();
showLegend();
showFilters(versions);
start();
