// Effects inside YAML, coloured as VS Code would do it.
import assert from "node:assert/strict";
import {readdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {test} from "node:test";

const require = createRequire(import.meta.url);
const {Registry, INITIAL} = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const HERE = new URL("..", import.meta.url);
const INJECTION = "source.dunerules.injection";
// a stand-in for the grammar of VS Code: what is injected into it matters
const YAML = {
  scopeName: "source.yaml",
  patterns: [
    {match: "#.*$", name: "comment.line.number-sign.yaml"},
    {match: "^(\\s*)([\\w/]+)(:)(?=\\s|$)", captures: {2: {name: "entity.name.tag.yaml"}}},
    {match: "[^#\\s][^#]*", name: "string.unquoted.plain.out.yaml"},
  ],
};

const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) =>
    scope === "source.yaml" ? YAML : JSON.parse(readFileSync(new URL("syntaxes/effects.tmLanguage.json", HERE), "utf8")),
  getInjections: (scope) => (scope === "source.yaml" ? [INJECTION] : undefined),
});
const grammar = await registry.loadGrammar("source.yaml");

/** Text and innermost scope of every token, without blanks. */
function tokens(text) {
  let state = INITIAL;
  return text.split("\n").flatMap((line) => {
    const told = grammar.tokenizeLine(line, state);
    state = told.ruleStack;
    return told.tokens
      .map(({startIndex, endIndex, scopes}) => [line.slice(startIndex, endIndex).trim(), scopes.at(-1), scopes])
      .filter(([word]) => word !== "");
  });
}

const scopes = (text) => Object.fromEntries(tokens(text).map(([word, scope]) => [word, scope]));

test("an effect on the line of its key", () => {
  assert.deepEqual(
    tokens("    agent: pay 2 spice -> may { draw 1 }, if have alliance with emperor { gain 1 sword }  # why").map(([w, s]) => `${w} ${s}`),
    [
      "agent entity.name.tag.yaml",
      ": punctuation.separator.key-value.mapping.yaml",
      "pay entity.name.function.dunerules",
      "2 constant.numeric.dunerules",
      "spice variable.other.dunerules",
      "-> keyword.control.arrow.dunerules",
      "may keyword.control.dunerules",
      "{ punctuation.dunerules",
      "draw entity.name.function.dunerules",
      "1 constant.numeric.dunerules",
      "} punctuation.dunerules",
      ", punctuation.dunerules",
      "if keyword.control.dunerules",
      "have keyword.operator.word.dunerules",
      "alliance variable.other.dunerules",
      "with keyword.operator.word.dunerules",
      "emperor variable.other.dunerules",
      "{ punctuation.dunerules",
      "gain entity.name.function.dunerules",
      "1 constant.numeric.dunerules",
      "sword variable.other.dunerules",
      "} punctuation.dunerules",
      "# why comment.line.number-sign.yaml",
    ],
  );
});

test("an effect in quotes, and one of several lines, which ends where the indentation does", () => {
  assert.equal(scopes('    visit: "any order { draw 2 | research 1 }"').research, "entity.name.function.dunerules");
  const lines = "    agent: |-\n      choose 1 {\n        gain 1 influence with guild\n      }\n    name: May Day";
  assert.equal(scopes(lines).choose, "keyword.control.dunerules");
  assert.equal(scopes(lines).guild, "variable.other.dunerules");
  assert.equal(scopes(lines)["May Day"], "string.unquoted.plain.out.yaml");
});

test("what is no effect stays as it is", () => {
  for (const line of ["name: gain 1 spice", "title: may you", "kind: card", "cost: 3", "start: imperium_deck", "authors: [you]", "# agent: gain 1 spice"]) {
    assert.ok(!tokens(line).some(([, , all]) => all.some((scope) => scope.includes("dunerules"))), line);
  }
});

test("every effect of the shipped cards is coloured", () => {
  const folder = new URL("../../content/base/cards/", HERE);
  const slots = /^ {4}(agent|reveal|effect|acquire): (?!\{todo|\w+$)/; // a lone word may be anything
  let seen = 0;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".yaml"))) {
    for (const line of readFileSync(new URL(file, folder), "utf8").split("\n").filter((each) => slots.test(each) && !/[|>]-?$/.test(each))) {
      seen += tokens(line).some(([, , all]) => all.includes("source.dunerules")) ? 1 : assert.fail(line);
    }
  }
  assert.ok(seen > 50);
});
