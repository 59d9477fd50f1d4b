// The client without VS Code: its own parts, and its commands against a stand-in for the editor.
import assert from "node:assert/strict";
import {createRequire, Module} from "node:module";
import {readFileSync} from "node:fs";
import {test} from "node:test";

const require = createRequire(import.meta.url);
const {commandOf, lineOf} = require("../dist/parts/command.js");
const {pageOf} = require("../dist/parts/card.js");
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

test("the command of the settings", () => {
  assert.deepEqual(commandOf(["dunerules"], undefined), {program: "dunerules", before: []});
  assert.deepEqual(commandOf(["${workspaceFolder}/.venv/bin/python", "-m", "dunerules"], "/w"), {program: "/w/.venv/bin/python", before: ["-m", "dunerules"]});
  for (const wrong of [[], "dunerules", [""], [1], null]) assert.throws(() => commandOf(wrong, "/w"), /dunerules\.command/);
});

test("a line for a terminal", () => {
  const command = {program: "/my programs/dunerules", before: []};
  assert.equal(lineOf({program: "dunerules", before: []}, ["check"], false), "dunerules check");
  assert.equal(lineOf(command, ["check"], false), "'/my programs/dunerules' check");
  assert.equal(lineOf(command, ["it's"], true), "& '/my programs/dunerules' 'it''s'");
});

test("a page has no code of a pack in it", () => {
  const panels = [["Agent", "Draw <b>1</b> & more", ""]];
  const page = pageOf({kind: "card", id: "x", languages: [{language: "pl", name: '<script>alert("1")</script>', panels, note: ""}]});
  assert.ok(page.includes("Draw &#60;b&#62;1") && page.includes('lang="pl"') && !page.includes("<script>"));
  assert.ok(page.includes("default-src 'none'"));
  assert.match(pageOf(null), /No card/);
});

const CARD = {kind: "card", id: "x", languages: [{language: "en", name: "X", panels: [], note: ""}]};

/** A stand-in for the editor and for the library of clients, and what was done with them. */
function editor({fails = false, command = ["dunerules"]} = {}) {
  const done = {commands: {}, context: {}, errors: [], lines: [], requests: [], shown: 0, started: 0, stopped: 0, panels: [], servers: []};
  const nothing = () => ({dispose() {}});
  const active = {document: {languageId: "yaml", uri: {toString: () => "file:///w/cards.yaml"}}, selection: {active: {line: 3, character: 4}}};
  const vscode = {
    ViewColumn: {Beside: -2},
    commands: {
      registerCommand: (name, run) => ((done.commands[name] = run), nothing()),
      executeCommand: async (name, ...rest) => (name === "setContext" ? (done.context[rest[0]] = rest[1]) : undefined),
    },
    window: {
      activeTextEditor: active,
      terminals: [],
      createTerminal: (name) => ({name, show() {}, sendText: (line) => done.lines.push(line)}),
      createWebviewPanel: (...rest) => {
        const panel = {rest, webview: {html: ""}, reveal() {}, onDidDispose: (run) => (panel.dispose = run)};
        done.panels.push(panel);
        return panel;
      },
      onDidChangeTextEditorSelection: nothing,
      showErrorMessage: async (text) => void done.errors.push(text),
    },
    workspace: {
      workspaceFolders: [{uri: {fsPath: "/w"}}],
      getConfiguration: () => ({get: () => command}),
      createFileSystemWatcher: (pattern) => ({pattern}),
      onDidSaveTextDocument: nothing,
      onDidChangeConfiguration: nothing,
    },
  };
  class LanguageClient {
    constructor(id, name, server, options) {
      done.servers.push({server, options});
    }
    async start() {
      if (fails) throw new Error("spawn dunerules ENOENT");
      done.started += 1;
    }
    async stop() {
      done.stopped += 1;
    }
    async sendRequest(method, params) {
      done.requests.push([method, params]);
      return CARD;
    }
    outputChannel = {show: () => (done.shown += 1)};
  }
  const load = Module._load;
  Module._load = (request, ...rest) => {
    if (request === "vscode") return vscode;
    return request === "vscode-languageclient/node" ? {LanguageClient} : load(request, ...rest);
  };
  try {
    for (const path of Object.keys(require.cache).filter((each) => each.includes("/dist/parts/"))) delete require.cache[path];
    return {done, extension: require("../dist/parts/extension.js")};
  } finally {
    Module._load = load;
  }
}

test("it starts the server and has every command of its manifest", async () => {
  const {done, extension} = editor();
  const context = {subscriptions: []};
  await extension.activate(context);
  assert.deepEqual(done.servers[0].server, {command: "dunerules", args: ["server"]});
  assert.deepEqual(Object.keys(done.commands).sort(), manifest.contributes.commands.map((each) => each.command).sort());
  assert.equal(done.context["dunerules.running"], true);
  await done.commands["dunerules.restart"]();
  assert.deepEqual([done.started, done.stopped], [2, 1]);
  done.commands["dunerules.check"]();
  assert.deepEqual(done.lines, ["dunerules check"]);
  await extension.deactivate();
  assert.equal(done.stopped, 2);
});

test("the panel asks for the card under the cursor", async () => {
  const {done, extension} = editor();
  await extension.activate({subscriptions: []});
  await done.commands["dunerules.showCard"]();
  assert.deepEqual(done.requests, [["dunerules/texts", {textDocument: {uri: "file:///w/cards.yaml"}, position: {line: 3, character: 4}}]]);
  assert.match(done.panels[0].webview.html, /card\/x/);
});

test("what is clicked above cards and scenarios is shown", async () => {
  const {done, extension} = editor();
  await extension.activate({subscriptions: []});
  const click = (name, answer) => done.servers[0].options.middleware.executeCommand(name, [], async () => answer);
  assert.equal(await click("dunerules.showTexts", CARD), CARD);
  assert.match(done.panels[0].webview.html, /card\/x/);
  for (const passed of [true, false]) {
    await click("dunerules.runScenarios", {passed, code: passed ? 0 : 1, output: ""});
    assert.equal(done.shown, passed ? 0 : 1);
  }
});

test("a program that is not there, and a wrong setting, are told with what helps", async () => {
  for (const wrong of [{fails: true}, {command: "dunerules"}]) {
    const {done, extension} = editor(wrong);
    await extension.activate({subscriptions: []});
    assert.match(done.errors[0], /pip install "dunerules\[lsp\]"/);
    assert.notEqual(done.context["dunerules.running"], true);
  }
});
