/**
 * The pages of docs/clients as HTML: headings, paragraphs, lists, tables, code, links, emphasis. No more of Markdown than
 * these pages use: they are files of the project, so nothing needs to be guarded against.
 */
import { type Html, html } from '../../services/words/html.ts';

interface Heading {
  readonly level: number;
  readonly text: string;
}

/** Below /api/docs, where `README` is `clients`. */
export const guidePath = (name: string) => `/api/docs/${name === 'README' ? 'clients' : name}`;

export function guideMarkup(markdown: string): Html {
  return html`${blocksOf(markdown).map(block)}`;
}

/** The first heading. */
export function titleOf(markdown: string): string {
  return headingOf(markdown.split('\n')[0] ?? '')?.text ?? '';
}

/** Lines that belong together. Code may contain empty lines. */
function blocksOf(markdown: string): string[][] {
  const blocks: string[][] = [];
  let current: string[] = [];
  let isCode = false;
  const close = () => {
    if (current.length > 0) blocks.push(current);
    current = [];
  };
  for (const line of markdown.split('\n')) {
    const isFence = line.startsWith('```');
    if (isFence && !isCode) close();
    if (isCode || line !== '') current.push(line);
    if (isFence) isCode = !isCode;
    if (!isCode && (isFence || line === '')) close();
  }
  close();
  return blocks;
}

function block(lines: readonly string[]): Html {
  const [first = '', ...others] = lines;
  const heading = headingOf(first);
  if (heading !== undefined) return html`${headingMarkup(heading)}${others.length > 0 && block(others)}`;
  if (first.startsWith('```')) return html`<pre><code>${others.slice(0, -1).join('\n')}</code></pre>`;
  if (first.startsWith('|')) return table(lines);
  const list = lines.findIndex((line) => /^(?:- |\d+\. )/.test(line));
  if (list < 0) return html`<p>${inline(lines.join(' '))}</p>`;
  const items = itemsOf(lines.slice(list)).map((item) => html`<li>${inline(item)}</li>`);
  const before = list > 0 && html`<p>${inline(lines.slice(0, list).join(' '))}</p>`;
  return html`${before}${lines[list]!.startsWith('- ') ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`}`;
}

function headingOf(line: string): Heading | undefined {
  const [, marks, text] = /^(#{1,3}) (.*)$/.exec(line) ?? [];
  return marks === undefined || text === undefined ? undefined : { level: marks.length, text };
}

function headingMarkup({ level, text }: Heading): Html {
  const id = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  if (level === 1) return html`<h1 id="${id}">${inline(text)}</h1>`;
  return level === 2 ? html`<h2 id="${id}">${inline(text)}</h2>` : html`<h3 id="${id}">${inline(text)}</h3>`;
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    const [, text] = /^(?:- |\d+\. )(.*)$/.exec(line) ?? [];
    if (text !== undefined) items.push(text);
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return items;
}

function table(lines: readonly string[]): Html {
  const [head = [], , ...rows] = lines.map((line) => line.slice(1, -1).split('|'));
  return html`<table><thead><tr>${head.map((cell) => html`<th>${inline(cell.trim())}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell.trim())}</td>`)}</tr>`)}</tbody></table>`;
}

const marks = /(`[^`]+`|\*\*[^*]+\*\*|\[(?:[^\]]+)\]\([^)]+\))/;

function inline(text: string): Html {
  return html`${text.split(marks).map(marked)}`;
}

function marked(part: string): Html | string {
  if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
  if (part.startsWith('**')) return html`<strong>${inline(part.slice(2, -2))}</strong>`;
  const [, words, target] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
  return words === undefined || target === undefined ? part : html`<a href="${addressOf(target)}">${inline(words)}</a>`;
}

function addressOf(target: string): string {
  const [, name, fragment = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  return name === undefined ? target : `${guidePath(name)}${fragment}`;
}
