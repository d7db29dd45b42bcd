// The HTML certificate in a real browser: node --test tests/browser/certificate.mjs
//
// Headless Chromium is driven through its debugging pipe, so that nothing has to be installed but
// node and chromium. MCP_CONFORM and CHROMIUM name the programs where they are not the usual ones.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const program = process.env.MCP_CONFORM ?? fileURLToPath(new URL("../../target/debug/mcp-conform", import.meta.url));
const chromium = process.env.CHROMIUM ?? "chromium";
const careless = fileURLToPath(new URL("careless.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "certificate-"));
const page = join(folder, "certificate.html");
let certificate;
let browser;

const DIVERGENT = ["fail", "non-strict", "wrong-reason", "errored", "timeout", "crashed"];

// ---- The browser ------------------------------------------------------------------------------

class Browser {
  #process;
  #waiting = new Map();
  #next = 1;
  events = [];

  static async start() {
    const browser = new Browser();
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", `--user-data-dir=${join(folder, "profile")}`];
    browser.#process = spawn(chromium, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    let rest = "";
    browser.#process.stdio[4].setEncoding("utf8").on("data", (chunk) => {
      const messages = (rest + chunk).split("\0");
      rest = messages.pop();
      messages.map((message) => JSON.parse(message)).forEach((message) => browser.#take(message));
    });
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    browser.session = (await browser.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.send(`${domain}.enable`);
    return browser;
  }

  #take(message) {
    if (message.id === undefined) return void this.events.push(message);
    const { resolve, reject } = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) reject(new Error(message.error.message));
    else resolve(message.result);
  }

  send(method, params = {}) {
    const id = this.#next++;
    this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.session })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** The value of an expression in the page. */
  async see(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    assert.equal(exceptionDetails, undefined, exceptionDetails?.exception?.description);
    return result.value;
  }

  /** Opens the page anew, with `hash` behind its address. */
  async open(hash = "") {
    await this.send("Page.navigate", { url: "about:blank" });
    this.events = [];
    await this.send("Page.navigate", { url: `${pathToFileURL(page)}${hash}` });
    for (let tries = 0; tries < 400; tries += 1) {
      const ready = await this.see("document.readyState === 'complete' && document.getElementById('count')?.textContent !== ''");
      if (ready) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    assert.fail("the page was not ready within ten seconds");
  }

  async key(key, text = key.length === 1 ? key : undefined) {
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key, text, code: key, windowsVirtualKeyCode: { Enter: 13, Escape: 27, Tab: 9 }[key] });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key });
  }

  stop() {
    this.#process.kill();
    return new Promise((resolve) => this.#process.on("exit", resolve));
  }
}

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
  browser = await Browser.start();
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
  const requests = browser.events.filter((event) => event.method === "Network.requestWillBeSent").map((event) => event.params.request.url);
  assert.deepEqual(requests.filter((url) => !url.startsWith("file:") || !url.includes("certificate.html")), []);
  const complaints = browser.events.filter((event) => ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"].includes(event.method));
  assert.deepEqual(complaints.map((event) => event.params), []);
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
  const legibility = `(() => {
    const rgb = (colour) => { const c = document.createElement("canvas").getContext("2d"); c.fillStyle = colour; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3); };
    const light = (colour) => { const [r, g, b] = rgb(colour).map((v) => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const contrast = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + .05) / (low + .05); };
    const inks = ["--ink", "--soft", "--accent", "--pass", "--fail", "--non-strict", "--wrong-reason", "--informational", "--skipped", "--errored"];
    const grounds = ["--page", "--panel", "--sunk"];
    return { page: light(getComputedStyle(document.body).backgroundColor), worst: Math.min(...inks.flatMap((ink) => grounds.map((ground) => contrast(of(ink), of(ground))))) };
  })()`;
  for (const [scheme, isRight] of [["light", (page) => page > 0.8], ["dark", (page) => page < 0.05]]) {
    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await browser.open();
    const { page, worst } = await browser.see(legibility);
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
