/** The panel with the card under the cursor: what the server tells of it, as a page. */

export interface Panel {
  readonly title: string;
  readonly words: string;
  readonly icons: string;
}

export interface Printed {
  readonly language: string;
  readonly name: string;
  readonly panels: readonly Panel[];
  readonly problem?: string;
}

/** The answer to `dunerules/card`: an object of a pack as it is printed in every language. */
export interface Card {
  readonly kind: string;
  readonly id: string;
  readonly printed: readonly Printed[];
}

const STYLE = `
  body { font: var(--vscode-font-size) var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 1em; }
  main { display: grid; grid-template-columns: repeat(auto-fill, minmax(16em, 1fr)); gap: 1em; }
  article { border: 1px solid var(--vscode-panel-border); border-radius: 6px; padding: 0 1em 0.5em; }
  h1 { font-size: 1em; opacity: 0.7; } h2 { font-size: 1.2em; margin-bottom: 0; } h3 { font-size: 1em; margin: 0.8em 0 0; }
  .language { opacity: 0.7; } p { margin: 0.2em 0; white-space: pre-line; } .icons { opacity: 0.8; }`;

/** The page of a card. Nothing of it is code: a pack is somebody else's text. */
export function pageOf(card: Card | null): string {
  const body = card === null ? "<p>No card, or other object of a pack, is here.</p>" : cardOf(card);
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>${STYLE}</style></head><body>${body}</body></html>`;
}

function cardOf(card: Card): string {
  const printed = card.printed.map((each) => {
    const panels = each.panels.map(panelOf).join("");
    const problem = each.problem ? `<p>${escaped(each.problem)}</p>` : "";
    const head = `<h2>${escaped(each.name)}</h2><span class="language">${escaped(each.language)}</span>`;
    return `<article lang="${escaped(each.language)}">${head}${panels}${problem}</article>`;
  });
  return `<h1>${escaped(card.kind)}/${escaped(card.id)}</h1><main>${printed.join("")}</main>`;
}

function panelOf(panel: Panel): string {
  const icons = panel.icons ? `<p class="icons">${escaped(panel.icons)}</p>` : "";
  return `<h3>${escaped(panel.title)}</h3><p>${escaped(panel.words)}</p>${icons}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
