/** The panel with the card under the cursor: what the server tells of it, as a page. */

/** Title, words and icons. */
export type Panel = readonly [title: string, words: string, icons: string];

export interface Printed {
  readonly language: string;
  readonly name: string;
  readonly panels: readonly Panel[];
  readonly note: string;
}

/** The answer to `dunerules/texts`: an object of a pack as it is printed in every language. */
export interface Card {
  readonly kind: string;
  readonly id: string;
  readonly languages: readonly Printed[];
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
  const printed = card.languages.map((each) => {
    const panels = each.panels.map(panelOf).join("");
    const note = each.note ? `<p>${escaped(each.note)}</p>` : "";
    const head = `<h2>${escaped(each.name)}</h2><span class="language">${escaped(each.language)}</span>`;
    return `<article lang="${escaped(each.language)}">${head}${panels}${note}</article>`;
  });
  return `<h1>${escaped(card.kind)}/${escaped(card.id)}</h1><main>${printed.join("")}</main>`;
}

function panelOf([title, words, icons]: Panel): string {
  const head = title ? `<h3>${escaped(title)}</h3>` : "";
  return `${head}<p>${escaped(words)}</p>${icons ? `<p class="icons">${escaped(icons)}</p>` : ""}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
