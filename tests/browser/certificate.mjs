// The HTML certificate in a real browser: node --test tests/browser/certificate.mjs
//
// MCP_CONFORM and CHROMIUM name the programs where they are not the usual ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Browser, complaints, LEGIBILITY } from "./browser.mjs";

const program = process.env.MCP_CONFORM ?? fileURLToPath(new URL("../../target/debug/mcp-conform", import.meta.url));
const careless = fileURLToPath(new URL("careless.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "certificate-"));
const page = join(folder, "certificate.html");
let certificate;
let browser;

const DIVERGENT = ["fail", "non-strict", "wrong-reason", "errored", "timeout", "crashed"];

/** Certifies the careless adapter, in the given format, and returns what was written. */
function certify(format, output) {
  const run = spawnSync(program, ["certify", "--gate", "result", "--gate", "hostile", "--timeout", "20", "--format", format, "--output", output,
    "--", process.execPath, careless], { encoding: "utf8" });
  assert.equal(run.status, 1, `a careless client has divergences: ${run.stderr}`);
  return readFileSync(output, "utf8");
}

before(async () => {
  certificate = JSON.parse(certify("json", join(folder, "certificate.json")));
  certify("html", page);
  browser = await Browser.start(folder, page);
});

after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** What the list should show: computed from the JSON, by no code of the page. */
function wanted(test) {
  const entries = certificate.cases.filter(test);
  const cases = new Set(entries.map((entry) => entry.id)).size;
  const all = new Set(certificate.cases.map((entry) => entry.id)).size;
  const number = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  return `${number(cases, "case")} of ${all.toLocaleString("en")}, ${number(entries.length, "judgement")} of ${certificate.cases.length.toLocaleString("en")}`;
}
const counted = () => browser.see("document.getElementById('count').textContent");
const divergent = (entry) => DIVERGENT.includes(entry.verdict);

// ---- What is shown ---------------------------------------------------------------------------

test("the page asks for nothing and complains of nothing", async () => {
  await browser.open();
  assert.deepEqual(complaints(browser), { foreign: [], said: [] });
});

test("what an implementation says of itself is text and nothing else", async () => {
  await browser.open();
  assert.ok(certificate.implementation.name.includes("</script>"), "the careless adapter has a hostile name");
  assert.ok((await browser.see("document.querySelector('h1').textContent")).startsWith(certificate.implementation.name));
  assert.ok((await browser.see("document.title")).startsWith(certificate.implementation.name));
  assert.equal(await browser.see("document.scripts.length"), 2);
  assert.equal(await browser.see("[...document.links].filter((link) => link.protocol === 'javascript:').length"), 0);
});

test("the matrix says what the levels say", async () => {
  await browser.open();
  const rows = certificate.levels.filter((row) => row.must.judged + row.should.judged > 0);
  const cells = await browser.see("[...document.querySelectorAll('.matrix a')].map((cell) => [cell.dataset.version, cell.dataset.gate, cell.querySelector('.level').textContent].join(' ')).sort()");
  const level = (row) => (row.strict ? "strict" : row.core ? "core" : "fails");
  assert.deepEqual(cells, rows.map((row) => `${row.protocolVersion} ${row.gate} ${level(row)}`).sort());
  assert.ok(cells.some((cell) => cell.endsWith("fails")));
});

test("the counts are the certificate's", async () => {
  await browser.open();
  const shown = await browser.see("Object.fromEntries([...document.querySelectorAll('[data-count]')].map((box) => [box.dataset.count, Number(box.textContent.replace(/,/g, ''))]))");
  assert.deepEqual(shown, certificate.counts);
  assert.equal(await counted(), wanted(divergent), "the divergences come first");
});

test("each filter leaves what it should, from the address too", async () => {
  const rule = "mcp.result.structured-content.schema";
  for (const [hash, test] of [
    ["#?verdict=all", () => true],
    ["#?verdict=pass", (entry) => entry.verdict === "pass"],
    ["#?version=2026-07-28", (entry) => divergent(entry) && entry.protocolVersion === "2026-07-28"],
    ["#?gate=definition&verdict=all", (entry) => entry.gate === "definition"],
    ["#?level=must&verdict=fail,errored", (entry) => entry.level === "must" && ["fail", "errored"].includes(entry.verdict)],
    [`#?rule=${rule}&verdict=all`, (entry) => entry.rules.includes(rule)],
    ["#?q=SEARCH-tickets%20enum&verdict=all", (entry) => /search-tickets/.test(entry.id) && /enum/.test(JSON.stringify([entry.id, entry.description ?? "", entry.note ?? "", entry.why ?? "", entry.source]))],
    ["#?q=no-such-thing-anywhere&verdict=all", () => false],
  ]) {
    await browser.open(hash);
    assert.equal(await counted(), wanted(test), hash);
  }
  assert.ok(await browser.see("document.querySelector('.empty') !== null"), "an empty list says so");
});

test("a cell of the matrix chooses its gate and version", async () => {
  await browser.open();
  await browser.see("document.querySelector('.matrix a[data-gate=result][data-version=\"2026-07-28\"]').click()");
  assert.equal(await counted(), wanted((entry) => divergent(entry) && entry.gate === "result" && entry.protocolVersion === "2026-07-28"));
  assert.equal(await browser.see("location.hash"), "#?version=2026-07-28&gate=result");
});

test("a divergence is told in full", async () => {
  const id = "result/search-tickets#structured_bad_enum";
  const entry = certificate.cases.find((entry) => entry.id === id && entry.protocolVersion === "2026-07-28");
  assert.equal(entry.verdict, "non-strict", "the careless adapter accepts it");
  await browser.open(`#${id}`);
  assert.equal(await browser.see("location.hash"), `#${id}`);
  const told = await browser.see("document.querySelector('.detail').innerText");
  for (const part of ["non-strict", "2026-07-28", "reject", "structured-mismatch", "enum", "\"/0/status\"", "accept", entry.rule, ...entry.source, entry.rerun, "escalated"]) {
    assert.ok(told.includes(part), `${part} in ${told}`);
  }
  const open = await browser.see("[document.activeElement.getAttribute('aria-expanded'), document.querySelectorAll('.detail .copy').length]");
  assert.deepEqual(open, ["true", 3], "the row has the focus; the tool, the result and the command can be copied");
});

test("a reduced payload stands beside what was sent", async () => {
  const generated = join(folder, "generated.html");
  const json = join(folder, "generated.json");
  const run = spawnSync(program, ["certify", "--generate", "40", "--gate", "result", "--timeout", "20", "--output", generated, "--output", json,
    "--", process.execPath, careless], { encoding: "utf8" });
  assert.equal(run.status, 1, run.stderr);
  const entry = JSON.parse(readFileSync(json, "utf8")).cases.find((entry) => entry.shrunk && entry.shrunk.sent.result !== entry.sent.result);
  browser.page = generated;
  try {
    await browser.open(`#?verdict=all&case=${encodeURIComponent(entry.id)}`);
    const shown = await browser.see("[...document.querySelectorAll('.smallest')].map((figure) => [figure.querySelector('figcaption').firstChild.textContent, figure.querySelector('pre').textContent])");
    const bare = (text) => text.replace(/\s+/g, "");
    assert.deepEqual(shown.map(([name, text]) => [name, bare(text)]), [["Smallest found: result", bare(entry.shrunk.sent.result)]]);
  } finally {
    browser.page = page;
  }
});

test("a link leads to a case that the filters leave out", async () => {
  const { id } = certificate.cases.find((entry) => entry.verdict === "pass" && !certificate.cases.some((other) => other.id === entry.id && divergent(other)));
  await browser.open(`#${encodeURIComponent(id)}`);
  assert.equal(await browser.see("document.querySelector('.detail').closest('.row').dataset.id"), id);
});

test("texts are laid out, and no digit or member of them is lost", async () => {
  const entry = certificate.cases.find((entry) => entry.sent && /[0-9]{18}/.test(JSON.stringify(entry.sent)) && JSON.stringify(entry.sent).length < 2000);
  await browser.open(`#${entry.id}`);
  const shown = await browser.see("[...document.querySelectorAll('.sent pre')].map((pre) => pre.textContent)");
  const texts = Object.entries(entry.sent).filter(([name, value]) => typeof value === "string" && !["op", "gate", "version"].includes(name));
  const bare = (text) => text.replace(/\s+/g, "");
  assert.deepEqual(shown.slice(0, texts.length).map(bare), texts.map(([, text]) => bare(text)));
});

test("a long list is made as far as it is looked at", async () => {
  await browser.send("Emulation.setDeviceMetricsOverride", { width: 1200, height: 800, deviceScaleFactor: 1, mobile: false });
  await browser.open("#?verdict=all");
  const rows = "document.querySelectorAll('.row').length";
  const first = await browser.see(rows);
  assert.ok(first > 0 && first <= 240, `${first} rows`);
  await browser.see("document.getElementById('more').click()");
  assert.ok((await browser.see(rows)) > first);
});

test("everything can be done by keyboard", async () => {
  await browser.open();
  await browser.key("/");
  assert.equal(await browser.see("document.activeElement.name"), "q");
  for (const letter of "enum") await browser.key(letter);
  assert.equal(await browser.see("new URLSearchParams(location.hash.slice(2)).get('q')"), "enum");
  await browser.see("document.activeElement.blur()");
  await browser.key("j");
  await browser.key("j");
  await browser.key("k");
  const first = "document.querySelector('.head') === document.activeElement";
  assert.ok(await browser.see(first), "j and k move between the rows");
  await browser.key("Enter", "\r");
  assert.ok(await browser.see("document.querySelector('.detail') !== null"), "Enter opens a case");
  await browser.key("/");
  await browser.key("Escape");
  assert.equal(await browser.see("document.activeElement.value"), "", "Escape clears the search");
});

test("everything that acts has a name", async () => {
  await browser.open("#result/search-tickets#structured_bad_enum");
  const { nodes } = await browser.send("Accessibility.getFullAXTree");
  const acting = ["button", "link", "checkbox", "combobox", "searchbox", "textbox"];
  const nameless = nodes.filter((node) => !node.ignored && acting.includes(node.role?.value) && !node.name?.value?.trim());
  assert.deepEqual(nameless, []);
  assert.ok(nodes.filter((node) => node.role?.value === "columnheader").length >= 3);
});

test("it is light or dark as the reader's system is, and legible in both", async () => {
  for (const [scheme, isRight] of [["light", (page) => page > 0.8], ["dark", (page) => page < 0.05]]) {
    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await browser.open();
    const { page, worst } = await browser.see(LEGIBILITY);
    assert.ok(isRight(page), `${scheme}: a luminance of ${page}`);
    assert.ok(worst >= 4.5, `${scheme}: a contrast of ${worst}`);
  }
  await browser.send("Emulation.setEmulatedMedia", { features: [] });
});

test("a telephone is wide enough", async () => {
  await browser.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
  await browser.open("#result/search-tickets#structured_bad_enum");
  assert.equal(await browser.see("document.scrollingElement.scrollWidth"), 390);
  await browser.send("Emulation.clearDeviceMetricsOverride");
});
