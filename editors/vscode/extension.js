// Starts `trellis lsp` and shows what it says: diagnostics, hovers, code lenses, actions, progress. It speaks the protocol itself, so
// that the extension is two files and needs no packages.
"use strict";

const vscode = require("vscode");
const { spawn } = require("child_process");

class Server {
  constructor(context) {
    this.diagnostics = vscode.languages.createDiagnosticCollection("trellis");
    this.lensesChanged = new vscode.EventEmitter();
    this.pending = new Map();
    this.progress = new Map();
    this.next = 1;
    this.buffer = Buffer.alloc(0);
    const config = vscode.workspace.getConfiguration("trellis");
    const args = ["lsp", "--timeout", config.get("timeout")];
    this.process = spawn(config.get("path"), args, { stdio: ["pipe", "pipe", "ignore"] });
    this.process.on("error", (e) => vscode.window.showErrorMessage(`Trellis does not start: ${e.message}`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.read(data));
    const selector = [{ language: "c", scheme: "file" }, { language: "ivl", scheme: "file" }];
    const wanted = (document) => vscode.languages.match(selector, document) > 0;
    const identity = (document) => ({ uri: document.uri.toString() });
    this.parts = [
      this.diagnostics,
      this.lensesChanged,
      vscode.workspace.onDidOpenTextDocument((d) => wanted(d) && this.open(d)),
      vscode.workspace.onDidChangeTextDocument((e) => wanted(e.document) && this.notify("textDocument/didChange", {
        textDocument: { ...identity(e.document), version: e.document.version },
        contentChanges: [{ text: e.document.getText() }],
      })),
      vscode.workspace.onDidSaveTextDocument((d) => wanted(d) && this.notify("textDocument/didSave", { textDocument: identity(d) })),
      vscode.workspace.onDidCloseTextDocument((d) => wanted(d) && this.notify("textDocument/didClose", { textDocument: identity(d) })),
      vscode.languages.registerHoverProvider(selector, {
        provideHover: async (document, position) => {
          const answer = await this.request("textDocument/hover", { textDocument: identity(document), position });
          return answer && new vscode.Hover(new vscode.MarkdownString(answer.contents.value));
        },
      }),
      vscode.languages.registerCodeLensProvider(selector, {
        onDidChangeCodeLenses: this.lensesChanged.event,
        provideCodeLenses: async (document) => {
          const answer = await this.request("textDocument/codeLens", { textDocument: identity(document) });
          return (answer || []).map((lens) => new vscode.CodeLens(range(lens.range), lens.command));
        },
      }),
      vscode.languages.registerCodeActionsProvider(selector, {
        provideCodeActions: async (document, { start, end }) => {
          const params = { textDocument: identity(document), range: { start, end }, context: { diagnostics: [] } };
          const answer = await this.request("textDocument/codeAction", params);
          return (answer || []).map((offered) => Object.assign(new vscode.CodeAction(offered.title), { command: offered.command }));
        },
      }),
      ...["trellis.openReport", "trellis.writeHarness"].map((command) =>
        vscode.commands.registerCommand(command, (uri) => this.request("workspace/executeCommand", { command, arguments: [uri] })),
      ),
    ];
    const folder = (vscode.workspace.workspaceFolders || [])[0];
    this.request("initialize", {
      processId: process.pid,
      rootUri: folder ? folder.uri.toString() : null,
      capabilities: { window: { workDoneProgress: true, showDocument: { support: true } } },
    }).then(() => {
      this.notify("initialized", {});
      vscode.workspace.textDocuments.filter(wanted).forEach((d) => this.open(d));
    });
  }

  open(document) {
    this.notify("textDocument/didOpen", {
      textDocument: {
        uri: document.uri.toString(),
        languageId: document.languageId,
        version: document.version,
        text: document.getText(),
      },
    });
  }

  send(message) {
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.process.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.process.stdin.write(text);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params) {
    const id = this.next++;
    this.send({ id, method, params });
    return new Promise((resolve) => this.pending.set(id, resolve));
  }

  read(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.buffer.toString("ascii", 0, end))[1]);
      if (this.buffer.length < end + 4 + length) return;
      const message = JSON.parse(this.buffer.toString("utf8", end + 4, end + 4 + length));
      this.buffer = this.buffer.subarray(end + 4 + length);
      this.hear(message);
    }
  }

  hear(message) {
    const { id, method, params } = message;
    if (method === undefined) {
      const resolve = this.pending.get(id);
      this.pending.delete(id);
      if (resolve) resolve(message.result);
    } else if (method === "textDocument/publishDiagnostics") {
      this.diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
      this.lensesChanged.fire();
    } else if (method === "$/progress") {
      this.progressed(params.token, params.value);
    } else if (method === "window/showMessage") {
      vscode.window.showErrorMessage(params.message);
    } else if (method === "window/showDocument") {
      const uri = vscode.Uri.parse(params.uri);
      if (params.external) vscode.env.openExternal(uri);
      else vscode.window.showTextDocument(uri);
      this.send({ id, result: { success: true } });
    } else if (id !== undefined) {
      this.send({ id, result: null });
    }
  }

  progressed(token, value) {
    if (value.kind === "begin") {
      const options = { location: vscode.ProgressLocation.Window, title: value.title, cancellable: value.cancellable };
      vscode.window.withProgress(options, (_, cancellation) => {
        cancellation.onCancellationRequested(() => this.notify("window/workDoneProgress/cancel", { token }));
        return new Promise((resolve) => this.progress.set(token, resolve));
      });
    } else if (value.kind === "end") {
      const resolve = this.progress.get(token);
      this.progress.delete(token);
      if (resolve) resolve();
      this.lensesChanged.fire();
    }
  }

  async dispose() {
    this.parts.forEach((part) => part.dispose());
    const ended = this.request("shutdown", null);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2000))]);
    this.notify("exit", null);
  }
}

function range(of) {
  return new vscode.Range(of.start.line, of.start.character, of.end.line, of.end.character);
}

function diagnostic(of) {
  const made = new vscode.Diagnostic(range(of.range), of.message, of.severity - 1);
  made.code = of.code;
  made.source = of.source;
  made.relatedInformation = (of.relatedInformation || []).map((step) => new vscode.DiagnosticRelatedInformation(
    new vscode.Location(vscode.Uri.parse(step.location.uri), range(step.location.range)),
    step.message,
  ));
  return made;
}

let server;

function activate(context) {
  server = new Server(context);
  context.subscriptions.push(vscode.commands.registerCommand("trellis.restart", async () => {
    await server.dispose();
    server = new Server(context);
  }));
}

function deactivate() {
  return server && server.dispose();
}

module.exports = { activate, deactivate };
