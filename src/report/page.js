"use strict";

// What all pages share. Everything that is shown comes out of the page's data as text: nothing of
// it is ever markup.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);

// A verdict's sign and meaning; the order is that of the reports.
const VERDICTS = {
  pass: ["✓", "as expected"],
  fail: ["✕", "a must is missed"],
  "non-strict": ["△", "a should is missed"],
  "wrong-reason": ["≠", "rejected, as expected, for a reason that is not the one"],
  informational: ["i", "the specification leaves it open: noted, and held against nobody"],
  skipped: ["–", "the implementation does not do this; never a pass"],
  errored: ["!", "the implementation failed, or broke the protocol"],
  timeout: ["…", "no answer in time"],
  crashed: ["↯", "the process ended before it answered"],
};
const KIND = Object.keys(VERDICTS);
const DIVERGENT = KIND.filter((name) => !["pass", "informational", "skipped"].includes(name));
const LEVELS = { strict: ["✓✓", "--pass"], core: ["✓", "--informational"], fails: ["✕", "--fail"] };
const PAGE = 80;

// ---- Elements -------------------------------------------------------------------------------

/** An element; `parts` are strings or elements, and what is null or false is left out. */
function el(tag, attributes, ...parts) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "onclick") element.addEventListener("click", value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...parts.flat(Infinity).filter((part) => part !== null && part !== undefined && part !== false));
  return element;
}

const number = new Intl.NumberFormat("en");
const count = (n, noun) => `${number.format(n)} ${noun}${n === 1 ? "" : "s"}`;
const colour = (verdict) => ({ "--c": `var(--${KIND.includes(verdict) ? verdict : "skipped"})` });
const glyph = (verdict) => el("span", { class: "glyph", "aria-hidden": "true" }, VERDICTS[verdict]?.[0] ?? "?");
const spoken = (list) => (list.length < 2 ? list.join("") : `${list.slice(0, -1).join(", ")} and ${list.at(-1)}`);

/** Text in which `this` is code. */
const prose = (text) => text.split("`").map((part, index) => (index % 2 === 1 ? el("code", null, part) : part));

/** A link, but only to where a link may lead: the address is somebody else's text. */
function link(address, text = address) {
  return /^https?:\/\//i.test(address) ? el("a", { href: address, rel: "noreferrer" }, text) : el("span", null, text);
}

function copyButton(text, what) {
  const button = el("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Without the clipboard's interface (an insecure origin), by way of a selection.
      const area = el("textarea", { class: "sr" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  return button;
}

// ---- JSON as it was sent ----------------------------------------------------------------------

const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+|"|\s+/g;

/**
 * JSON text laid out in lines and coloured, token by token. It is not parsed: 1.0 stays 1.0,
 * equal members stay two, and text that is no JSON is shown all the same.
 */
function laidOut(text) {
  const out = document.createDocumentFragment();
  const tokens = (text.match(TOKEN) ?? []).filter((token) => token.trim() !== "");
  let depth = 0;
  const line = () => out.append(`\n${"  ".repeat(Math.min(Math.max(depth, 0), 40))}`);
  tokens.forEach((token, index) => {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      out.append(token);
      depth += 1;
      if (next !== "}" && next !== "]") line();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (tokens[index - 1] !== "{" && tokens[index - 1] !== "[") line();
      out.append(token);
    } else if (token === ",") {
      out.append(token);
      line();
    } else if (token === ":") {
      out.append(": ");
    } else {
      const kind = !token.startsWith('"') ? "j-lit" : next === ":" ? "j-key" : "j-str";
      out.append(el("span", { class: kind }, token));
    }
  });
  return out;
}

// ---- What is told of a case ------------------------------------------------------------------------

const code = (text) => el("code", null, text);
const line = (name, value) => value !== undefined && value !== null && el("li", null, `${name} `, value);

/** What a case expects. */
function expected(entry) {
  return el("div", { class: "side" }, el("h5", null, "Expected"), el("strong", null, entry.expected),
    el("ul", null,
      line("reason", entry.expectedReason?.length ? entry.expectedReason.join(" or ") : null),
      line("keyword", entry.expectedKeyword && code(entry.expectedKeyword)),
      line("at", entry.expectedAt !== undefined ? code(JSON.stringify(entry.expectedAt)) : null),
      line("branch", entry.expectedBranch && code(entry.expectedBranch)),
      line("usable", entry.expectedUsable?.map((name) => [code(name), " "]))));
}

/** What came back. */
function got(entry, title = "Got") {
  const outcome = entry.outcome ?? {};
  return el("div", { class: "side got", ...colour(entry.verdict) }, el("h5", null, title),
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
}

/** Where the expectation comes from; a rule leads to all that is about it. */
function about(entry) {
  const rule = (rule) => el("div", null, el("a", { href: address({ rule, q: "", case: "" }), onclick: (event) => {
    event.preventDefault();
    Object.assign(state, { rule, q: "" });
    refresh();
    $("cases").scrollIntoView();
  } }, code(rule)));
  return [
    ["Rule", rulesOf(entry).map(rule)],
    ["Source", (entry.source ?? []).map((source) => el("div", null, source))],
    ["Note", entry.note && prose(entry.note)],
  ];
}

/** What the baseline says of a divergence. */
const known = (entry) => entry.known && [prose(entry.known.reason), entry.known.issue && [" ", link(entry.known.issue)]];

/** Pairs of a name and what there is to say; where that is nothing, the pair is left out. */
function facts(pairs) {
  const said = pairs.filter(([, value]) => value && value.length !== 0);
  return said.length > 0 && el("dl", { class: "more-facts" }, said.map(([name, value]) => [el("dt", null, name), el("dd", null, value)]));
}

/**
 * What was sent: each text under test laid out. What was found to be enough stands beside it: of
 * the smaller message, the texts that are not those of the first.
 */
function sent(message, shrunk) {
  const texts = (of) => Object.entries(of ?? {}).filter(([name, value]) => typeof value === "string" && !["op", "gate", "version"].includes(name));
  const smaller = texts(shrunk?.sent).filter(([name, text]) => text !== message[name]);
  return el("div", { class: "sent" },
    texts(message).map(([name, text]) => figure(`Sent: ${name}`, laidOut(text), text, "")),
    smaller.map(([name, text]) => figure(`Smallest found: ${name}`, laidOut(text), text, "smallest")));
}

function figure(caption, content, text, own) {
  return el("figure", { class: own }, el("figcaption", null, caption, copyButton(text, caption.toLowerCase())), el("pre", { tabindex: "0", "aria-label": caption }, content));
}
