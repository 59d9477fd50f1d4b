/** A thin client: the language server does the work, this starts it and shows what it tells. */

import * as vscode from "vscode";
import {LanguageClient, type LanguageClientOptions, type ServerOptions} from "vscode-languageclient/node";

import {type Card, pageOf} from "./card";
import {type Command, commandOf, lineOf} from "./command";

const NAME = "dunerules";

let client: LanguageClient | undefined;
let panel: vscode.WebviewPanel | undefined;
let asked = 0;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("dunerules.restart", restart),
    vscode.commands.registerCommand("dunerules.showCard", showCard),
    vscode.commands.registerCommand("dunerules.check", () => inTerminal(["check"])),
    vscode.commands.registerCommand("dunerules.test", () => inTerminal(["test"])),
    vscode.window.onDidChangeTextEditorSelection((event) => updateCard(event.textEditor)),
    vscode.workspace.onDidSaveTextDocument(() => updateCard(vscode.window.activeTextEditor)),
    vscode.workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("dunerules.command") ? restart() : undefined)),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

function command(): Command {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return commandOf(vscode.workspace.getConfiguration(NAME).get("command"), folder);
}

async function start(): Promise<void> {
  try {
    const {program, before} = command();
    const server: ServerOptions = {command: program, args: [...before, "server"]};
    const options: LanguageClientOptions = {
      documentSelector: [
        {scheme: "file", language: "yaml"},
        {scheme: "file", pattern: "**/*.po"},
      ],
      middleware: {executeCommand: onLens},
      synchronize: {fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{yaml,po}")},
    };
    client = new LanguageClient(NAME, NAME, server, options);
    await client.start();
    await vscode.commands.executeCommand("setContext", "dunerules.running", true);
  } catch (error) {
    client = undefined;
    const said = error instanceof Error ? error.message : String(error);
    const chosen = await vscode.window.showErrorMessage(
      `dunerules does not start: ${said}. It is installed by: pip install "dunerules[lsp]"`,
      "Settings",
    );
    if (chosen !== undefined) await vscode.commands.executeCommand("workbench.action.openSettings", "dunerules.command");
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await vscode.commands.executeCommand("setContext", "dunerules.running", false);
  await running?.stop();
}

async function restart(): Promise<void> {
  await stop();
  await start();
}

function inTerminal(rest: readonly string[]): void {
  const found = vscode.window.terminals.find((terminal) => terminal.name === NAME);
  const terminal = found ?? vscode.window.createTerminal(NAME);
  terminal.show(true);
  terminal.sendText(lineOf(command(), rest, process.platform === "win32"));
}

// ---- the card under the cursor

async function showCard(): Promise<void> {
  opened();
  await updateCard(vscode.window.activeTextEditor);
}

function opened(): vscode.WebviewPanel {
  if (panel === undefined) {
    panel = vscode.window.createWebviewPanel("dunerules.card", "Card", {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true});
    panel.onDidDispose(() => (panel = undefined));
  }
  panel.reveal(undefined, true);
  return panel;
}

async function updateCard(editor: vscode.TextEditor | undefined): Promise<void> {
  if (panel === undefined || client === undefined || editor?.document.languageId !== "yaml") return;
  const number = ++asked;
  const {document, selection} = editor;
  const where = {textDocument: {uri: document.uri.toString()}, position: selection.active};
  try {
    const card = await client.sendRequest<Card | null>("dunerules/texts", where);
    if (number === asked && panel !== undefined) panel.webview.html = pageOf(card); // else a later one is on its way
  } catch {
    // the server is busy, or has ended: what is shown stays
  }
}

// ---- what stands above cards and scenarios, to be clicked

/** The server does what is clicked, and logs what comes of it; a card is shown in the panel. */
async function onLens(name: string, given: unknown[], ask: (name: string, given: unknown[]) => unknown): Promise<unknown> {
  const answer = await ask(name, given);
  if (name === "dunerules.showTexts") {
    asked += 1;
    opened().webview.html = pageOf(answer as Card | null);
  } else if (name === "dunerules.runScenarios") {
    if (!(answer as {passed: boolean}).passed) client?.outputChannel.show(true);
  }
  return answer;
}
