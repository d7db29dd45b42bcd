// Certificates side by side in a real browser: node --test tests/browser/comparison.mjs
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
const folder = mkdtempSync(join(tmpdir(), "comparison-"));
const page = join(folder, "comparison.html");
const ENUM = "result/search-tickets#structured_bad_enum";
const DIVERGENT = ["fail", "non-strict", "wrong-reason", "errored", "timeout", "crashed"];
let comparison;
let browser;

function run(status, ...words) {
  const done = spawnSync(program, ["certify", ...words], { encoding: "utf8", cwd: folder });
  assert.equal(done.status, status, done.stderr);
}

before(async () => {
  run(0, "--gate", "result", "--gate", "listing", "--output", "builtin.json");
  run(1, "--gate", "result", "--gate", "definition", "--timeout", "20", "--output", "careless.json", "--", process.execPath, careless);
  run(0, "--compare", "builtin.json", "careless.json", "--output", "comparison.html", "--output", "comparison.json");
  comparison = JSON.parse(readFileSync(join(folder, "comparison.json"), "utf8"));
  browser = await Browser.start(folder, page);
});

after(async () => {
  await browser?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** What the list should show: computed from the JSON, by no code of the page. */
function wanted(test) {
  const number = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
  let [cases, shown, all] = [0, 0, 0];
  const questions = [...comparison.divergences, ...comparison.silent];
  for (const question of questions) {
    const answers = question.answers.map((answer, by) => ({ ...answer, by, there: answer !== null })).filter((answer) => answer.there);
    const fit = answers.filter((answer) => test(answer, question));
    all += answers.length;
    shown += fit.length;
    cases += fit.length > 0;
  }
  return `${number(cases, "case")} of ${questions.length.toLocaleString("en")}, ${number(shown, "judgement")} of ${all.toLocaleString("en")}`;
}
const counted = () => browser.see("document.getElementById('count').textContent");
const divergent = (answer) => DIVERGENT.includes(answer.verdict);

test("the page asks for nothing and complains of nothing", async () => {
  await browser.open();
  assert.deepEqual(complaints(browser), { foreign: [], said: [] });
});

test("what implementations say of themselves is text and nothing else", async () => {
  await browser.open();
  const labels = await browser.see("[...document.querySelectorAll('.scores thead th')].slice(2).map((head) => head.textContent)");
  assert.deepEqual(labels, comparison.implementations.map((it) => it.label));
  assert.ok(labels[1].includes("</script>"), "the careless adapter has a hostile name");
  assert.equal(await browser.see("document.scripts.length"), 2);
  assert.equal(await browser.see("[...document.links].filter((link) => link.protocol === 'javascript:').length"), 0);
});

test("what weighs on the figures is said first", async () => {
  await browser.open();
  const notices = await browser.see("[...document.querySelectorAll('.notice')].map((notice) => notice.textContent).filter((text) => !text.startsWith('The list needs'))");
  assert.deepEqual(notices, comparison.notices);
  assert.equal(notices.length, 2, "each certificate is of a selection");
});

test("the scoreboard says what the certificates say", async () => {
  await browser.open();
  const cells = await browser.see("[...document.querySelectorAll('.scores a')].map((cell) => [cell.dataset.by, cell.dataset.version, cell.dataset.gate, ...[...cell.children].map((part) => part.textContent)].join(' '))");
  const expected = comparison.levels.flatMap(({ protocolVersion, gate, standings }) => standings.flatMap((one, by) => {
    if (!one?.judged) return [];
    const level = one.strict ? ["strict"] : one.core ? ["core"] : [];
    const skipped = one.must.total + one.should.total - one.must.judged - one.should.judged;
    const shares = ["must", "should"].filter((name) => one[name].total > 0).map((name) => `${name} ${one[name].passed}/${one[name].total}`);
    return [[by, protocolVersion, gate, ...level, ...shares, ...(skipped ? [`${skipped} skipped`] : [])].join(" ")];
  }));
  assert.deepEqual(cells.sort(), expected.sort());
  const none = await browser.see("[...document.querySelectorAll('.scores .none')].map((cell) => cell.textContent)");
  assert.ok(none.includes("–"), "the builtin was not asked about definitions");
});

test("each filter leaves what it should, from the address too", async () => {
  await browser.open();
  assert.equal(await counted(), wanted(divergent), "the divergences come first");
  for (const [hash, test] of [
    ["#?verdict=all", () => true],
    ["#?by=1", (answer) => divergent(answer) && answer.by === 1],
    ["#?by=0", () => false],
    ["#?version=2026-07-28", (answer, question) => divergent(answer) && question.protocolVersions.includes("2026-07-28")],
    ["#?gate=definition&verdict=fail", (answer, question) => answer.verdict === "fail" && question.gate === "definition"],
    ["#?level=must", (answer, question) => divergent(answer) && question.level === "must"],
    ["#?verdict=informational", (answer) => answer.verdict === "informational"],
    ["#?q=no-such-thing-anywhere&verdict=all", () => false],
  ]) {
    await browser.open(hash);
    assert.equal(await counted(), wanted(test), hash);
  }
});

test("where the specification is silent, those can be chosen on which answers differ", async () => {
  await browser.open("#?verdict=informational&silent=differ");
  const differ = ({ answers }) => new Set(answers.filter((answer) => answer && answer.verdict !== "skipped").map((answer) => answer.outcome.answer)).size > 1;
  assert.equal(await counted(), wanted((answer, question) => answer.verdict === "informational" && (!comparison.silent.includes(question) || differ(question))));
});

test("musts stand before shoulds", async () => {
  await browser.open();
  for (let more = 0; more < 50 && (await browser.see("!document.getElementById('more').hidden")); more += 1) await browser.see("document.getElementById('more').click()");
  const levels = await browser.see("[...document.querySelectorAll('.group h3 small:first-of-type')].map((said) => said.textContent)");
  assert.ok(levels.includes("a must") && levels.includes("a should"));
  assert.ok(levels.lastIndexOf("a must") < levels.indexOf("a should"), levels.join());
});

test("a cell of the scoreboard chooses its gate, its version and who", async () => {
  await browser.open();
  await browser.see("document.querySelector('.scores a[data-by=\"1\"][data-gate=result][data-version=\"2026-07-28\"]').click()");
  assert.equal(await counted(), wanted((answer, question) => divergent(answer) && answer.by === 1 && question.gate === "result" && question.protocolVersions.includes("2026-07-28")));
  assert.equal(await browser.see("document.querySelectorAll('.scores [aria-current]').length"), 1);
});

test("a divergence is told in full", async () => {
  const question = comparison.divergences.find((question) => question.id === ENUM);
  for (const hash of [`#${ENUM}`, `#${ENUM}@${question.protocolVersions[0]}`]) {
    await browser.open(hash);
    const told = await browser.see("document.querySelector('.detail').innerText");
    const { rerun } = question.answers[1];
    for (const part of ["2026-07-28", "reject", "structured-mismatch", "enum", "\"/0/status\"", "non-strict", "accept", question.rule, ...question.source, rerun, "escalated"]) {
      assert.ok(told.includes(part), `${part} in ${told}`);
    }
    for (const { label } of comparison.implementations) assert.ok(told.toLowerCase().includes(label.toLowerCase()), label);
    assert.equal(await browser.see("document.activeElement.getAttribute('aria-expanded')"), "true", "the row has the focus");
  }
});

test("everything can be done by keyboard", async () => {
  await browser.open();
  await browser.key("/");
  assert.equal(await browser.see("document.activeElement.name"), "q");
  for (const letter of "enum") await browser.key(letter);
  assert.equal(await browser.see("new URLSearchParams(location.hash.slice(2)).get('q')"), "enum");
  await browser.see("document.activeElement.blur()");
  await browser.key("j");
  await browser.key("Enter", "\r");
  assert.ok(await browser.see("document.querySelector('.detail') !== null"), "Enter opens a case");
});

test("everything that acts has a name", async () => {
  await browser.open(`#${ENUM}`);
  const { nodes } = await browser.send("Accessibility.getFullAXTree");
  const acting = ["button", "link", "checkbox", "combobox", "searchbox", "textbox"];
  const nameless = nodes.filter((node) => !node.ignored && acting.includes(node.role?.value) && !node.name?.value?.trim());
  assert.deepEqual(nameless, []);
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
  await browser.open(`#${ENUM}`);
  assert.equal(await browser.see("document.scrollingElement.scrollWidth"), 390);
  await browser.send("Emulation.clearDeviceMetricsOverride");
});
