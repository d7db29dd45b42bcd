
// ---- What is asked for, kept behind the address's # ----------------------------------------------
//
// The list that pages share. A page has `cases`, each with its `entries`: one answer each, with a
// verdict. It says which entries are `wanted` and how a `row` and its `detail` look; the rest is here.

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

/** A selection in one line. */
function selected(selection) {
  const said = Object.entries(selection).filter(([, value]) => value !== null && (!Array.isArray(value) || value.length > 0));
  return said.map(([name, value]) => `${name}: ${[value].flat().join(", ")}`).join("; ");
}

// ---- Filters ------------------------------------------------------------------------------------------

const form = $("filters");

/** Fills the controls; `columns` are what stands above the marks of a row. */
function showFilters(columns) {
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
  $("columns").append(...columns.map((name) => el("span", { title: name }, name)));
}

/** The choices of a control: all, or one of `values`, which are called `names`. */
function fill(control, all, values, names = values) {
  form.elements[control].append(el("option", { value: "" }, all), ...values.map((value, index) => el("option", { value }, names[index])));
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
    const chosen = ["gate", "version", "by"].every((name) => (cell.dataset[name] ?? "") === (state[name] ?? ""));
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

/** How a list is divided: by which name, shown how, and whether the largest part comes first. */
const ruled = (name) => (name === "" ? "about no rule of the catalogue" : el("code", null, name));
const GROUPS = {
  rule: { key: (kase) => kase.matching.find((entry) => entry.rule)?.rule ?? "", title: ruled, sorts: true },
  suite: { key: (kase) => kase.suite, title: (name) => name, sorts: false },
};

let pending = []; // [group, case] still to be shown
let sizes = new Map();

function showList(shown) {
  const { key, sorts } = GROUPS[state.group];
  const groups = new Map();
  for (const kase of shown) {
    const name = key(kase);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(kase);
  }
  const sorted = [...groups];
  if (sorts) sorted.sort(([a, x], [b, y]) => (a === "") - (b === "") || y.length - x.length);
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
      const title = GROUPS[state.group].title(name, kase);
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

function toggle(item, kase, id, open = item.firstElementChild.getAttribute("aria-expanded") !== "true") {
  item.firstElementChild.setAttribute("aria-expanded", String(open));
  item.querySelector(".detail")?.remove();
  if (open) item.append(detail(kase, id));
  return open;
}

// ---- Moving about --------------------------------------------------------------------------------------

/** Opens a case wherever it is, also where the filters would leave it out. */
function open(asked) {
  const kase = byId.get(asked);
  if (!kase) return;
  const { id } = kase; // there may be more than one name for it
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

/** Shows what the address asks for; a page calls it when it has everything. */
function start() {
  follow();
  $("more").addEventListener("click", () => showMore());
  new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && showMore(), { rootMargin: "600px" }).observe($("more"));
  addEventListener("hashchange", follow);
}
