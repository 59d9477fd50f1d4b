// A real session over standard input and output, with the protocol library that VS Code's client uses.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {test} from "node:test";
import {pathToFileURL} from "node:url";

const require = createRequire(import.meta.url);
const {createProtocolConnection, StreamMessageReader, StreamMessageWriter} = require("vscode-languageserver-protocol/node");

const {pageOf} = require("../dist/parts/card.js");

const COMMAND = JSON.parse(process.env.DUNERULES_COMMAND ?? '["dunerules"]');
const PACK = 'id: mine\nversion: "1.0"\ntitle: Mine\nrequires: {base: "*"}\nauthors: [you]\nlicence: MIT\n';
const CARDS = "kind: card\ndefaults: {start: imperium_deck, icons: [spice_trade]}\nobjects:\n  mine_own:\n    name: Mine Own\n    agent: darw 1\n";

test("a session", {timeout: 120_000}, async () => {
  const root = mkdtempSync(join(tmpdir(), "dunerules-vscode-"));
  mkdirSync(join(root, "cards"));
  writeFileSync(join(root, "pack.yaml"), PACK);
  writeFileSync(join(root, "cards", "mine.yaml"), CARDS);
  const uri = pathToFileURL(join(root, "cards", "mine.yaml")).href;
  const [program, ...before] = COMMAND;
  const server = spawn(program, [...before, "server"], {stdio: ["pipe", "pipe", "inherit"]});
  const connection = createProtocolConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  try {
    const seen = [];
    let wake = () => {};
    connection.onNotification("textDocument/publishDiagnostics", (params) => (seen.push(params), wake()));
    connection.onRequest("client/registerCapability", () => null);
    connection.onRequest("window/workDoneProgress/create", () => null);
    connection.listen();
    const told = async (wanted) => {
      while (!seen.some((each) => each.uri === uri && wanted(each.diagnostics))) await new Promise((resolve) => (wake = resolve));
      return seen.findLast((each) => each.uri === uri && wanted(each.diagnostics)).diagnostics;
    };
    const {capabilities} = await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: pathToFileURL(root).href,
      workspaceFolders: [{uri: pathToFileURL(root).href, name: "mine"}],
      capabilities: {},
    });
    connection.sendNotification("initialized", {});
    connection.sendNotification("textDocument/didOpen", {textDocument: {uri, languageId: "yaml", version: 1, text: CARDS}});
    const [found] = await told((each) => each.length > 0);
    assert.equal(found.code, "DR401");
    assert.deepEqual(found.range.start, {line: 5, character: 11});
    const position = {line: 5, character: 15};
    const here = {textDocument: {uri}, position};
    const actions = await connection.sendRequest("textDocument/codeAction", {textDocument: {uri}, range: found.range, context: {diagnostics: [found]}});
    assert.ok(actions.some((each) => /draw/.test(each.title)), JSON.stringify(actions));
    const change = {range: {start: {line: 5, character: 11}, end: {line: 5, character: 15}}, text: "draw"};
    connection.sendNotification("textDocument/didChange", {textDocument: {uri, version: 2}, contentChanges: [change]});
    seen.length = 0;
    await told((each) => each.length === 0);
    const completed = await connection.sendRequest("textDocument/completion", {...here, position: {line: 5, character: 11}});
    assert.ok((completed.items ?? completed).some((each) => each.label === "draw"));
    const renamed = await connection.sendRequest("textDocument/rename", {textDocument: {uri}, position: {line: 3, character: 4}, newName: "mine_other"});
    assert.ok(JSON.stringify(renamed).includes("mine_other"));
    const edits = await connection.sendRequest("textDocument/formatting", {textDocument: {uri}, options: {tabSize: 2, insertSpaces: true}});
    assert.ok(!edits || edits.every((each) => typeof each.newText === "string"));
    const card = await connection.sendRequest("dunerules/texts", here);
    assert.deepEqual([card.kind, card.id], ["card", "mine_own"]);
    assert.deepEqual(card.languages.map((each) => each.language).filter((each) => ["cs", "en", "pl"].includes(each)).sort(), ["cs", "en", "pl"]);
    assert.ok(card.languages.every(({name, panels}) => name && panels.every((panel) => panel.length === 3)));
    assert.match(pageOf(card), /Mine Own/);
    assert.equal(await connection.sendRequest("dunerules/texts", {...here, position: {line: 0, character: 0}}), null);
    const lenses = await connection.sendRequest("textDocument/codeLens", {textDocument: {uri}});
    const {command, arguments: given} = lenses[0].command;
    assert.ok(capabilities.executeCommandProvider.commands.includes(command));
    assert.equal((await connection.sendRequest("workspace/executeCommand", {command, arguments: given})).id, "mine_own");
    await connection.sendRequest("shutdown");
    connection.sendNotification("exit");
    assert.equal(await new Promise((resolve) => server.once("exit", resolve)), 0);
  } finally {
    connection.dispose();
    server.kill();
    rmSync(root, {recursive: true, force: true});
  }
});
