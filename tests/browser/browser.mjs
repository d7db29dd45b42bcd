// Headless Chromium, driven through its debugging pipe, so that nothing has to be installed but node
// and chromium; CHROMIUM names the program where it is not the usual one.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const chromium = process.env.CHROMIUM ?? "chromium";

export class Browser {
  #process;
  #waiting = new Map();
  #next = 1;
  events = [];

  /** Starts it, with its profile in `folder`; `page` is the file that it is to show. */
  static async start(folder, page) {
    const browser = new Browser();
    browser.page = page;
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
    await this.send("Page.navigate", { url: `${pathToFileURL(this.page)}${hash}` });
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

/** The worst contrast of the page's inks on its grounds, and how light the page is; for `see`. */
export const LEGIBILITY = `(() => {
    const rgb = (colour) => { const c = document.createElement("canvas").getContext("2d"); c.fillStyle = colour; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3); };
    const light = (colour) => { const [r, g, b] = rgb(colour).map((v) => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    const contrast = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + .05) / (low + .05); };
    const inks = ["--ink", "--soft", "--accent", "--pass", "--fail", "--non-strict", "--wrong-reason", "--informational", "--skipped", "--errored"];
    const grounds = ["--page", "--panel", "--sunk"];
    return { page: light(getComputedStyle(document.body).backgroundColor), worst: Math.min(...inks.flatMap((ink) => grounds.map((ground) => contrast(of(ink), of(ground))))) };
  })()`;

/** The addresses that the page asked for beside itself, and what the console has to say; both are to be empty. */
export function complaints(browser) {
  const requests = browser.events.filter((event) => event.method === "Network.requestWillBeSent").map((event) => event.params.request.url);
  const foreign = requests.filter((url) => url !== String(pathToFileURL(browser.page)) && !url.startsWith(`${pathToFileURL(browser.page)}#`));
  const said = browser.events.filter((event) => ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"].includes(event.method));
  return { foreign, said: said.map((event) => event.params) };
}
