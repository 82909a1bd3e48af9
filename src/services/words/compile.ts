/**
 * Compiles a catalogue, once for each language: every text is read here, so that rendering a page parses nothing.
 * Messages that a translation lacks are said in the language of the source.
 */
import { escapeHtml } from '../../actors/text/escape.ts';
import { Html, type HtmlPart, markupOf } from './html.ts';
import { type Catalogue, Forms, type Message, type Said } from './message.ts';

type Node = Text | Value | Slot;
interface Text {
  readonly text: string;
  readonly markup: string;
}
interface Value {
  readonly name: string;
}
interface Slot {
  readonly slot: string;
  readonly inside: readonly Node[];
}

/** Values and slots by name. */
type Given = Readonly<Record<string, HtmlPart | ((inside: Html) => Html)>>;

interface CompiledText {
  readonly nodes: readonly Node[];
  readonly hasSlots: boolean;
}

export interface Translated {
  /** Code of the language, for plural forms. */
  readonly code: string;
  readonly catalogue: Catalogue;
}

/** `translated` may lack messages of `source`. Throws for a text that is malformed. */
export function compile<C extends Catalogue>(source: C, sourceCode: string, translated: Translated): Said<C> {
  const number = new Intl.NumberFormat(translated.code);
  const pluralRules = { source: new Intl.PluralRules(sourceCode), translated: new Intl.PluralRules(translated.code) };
  const group = (texts: Catalogue, others: Catalogue): object =>
    Object.fromEntries(
      Object.entries(texts).map(([key, one]) => {
        const other = others[key];
        if (!isMessage(one)) return [key, group(one, other === undefined || isMessage(other) ? {} : other)];
        const rules = other === undefined ? pluralRules.source : pluralRules.translated;
        return [key, said(one, other !== undefined && isMessage(other) ? other : one, rules, number)];
      }),
    );
  return group(source, translated.catalogue) as Said<C>;
}

export function isMessage(one: Message | Catalogue): one is Message {
  return typeof one === 'string' || one instanceof Forms;
}

/** The shape is that of the source: text where it has neither values nor slots, otherwise a function. */
function said(source: Message, message: Message, rules: Intl.PluralRules, number: Intl.NumberFormat) {
  if (typeof source === 'string' && !/[{<]/.test(source))
    return typeof message === 'string' ? message : message.texts.other;
  const texts: Readonly<Record<string, string>> = typeof message === 'string' ? { other: message } : message.texts;
  const compiled = new Map(Object.entries(texts).map(([form, text]) => [form, compileText(text)]));
  const other = compiled.get('other')!;
  const isPlural = compiled.size > 1;
  const say = (given: Given): string | Html => {
    const { count } = given;
    const chosen = isPlural && typeof count === 'number' ? (compiled.get(rules.select(count)) ?? other) : other;
    return chosen.hasSlots || hasMarkup(given)
      ? new Html(markupFor(chosen.nodes, given, number))
      : textFor(chosen.nodes, given, number);
  };
  return Object.assign(say, { source: JSON.stringify(texts) });
}

function hasMarkup(given: Given): boolean {
  for (const name in given) if (given[name] instanceof Html) return true;
  return false;
}

function textFor(nodes: readonly Node[], given: Given, number: Intl.NumberFormat): string {
  let text = '';
  for (const node of nodes) {
    if ('text' in node) text += node.text;
    else if ('name' in node) text += String(shownValue(given[node.name], number) ?? '');
  }
  return text;
}

function markupFor(nodes: readonly Node[], given: Given, number: Intl.NumberFormat): string {
  let markup = '';
  for (const node of nodes) {
    if ('text' in node) markup += node.markup;
    else if ('name' in node) markup += markupOf(shownValue(given[node.name], number));
    else {
      const around = given[node.slot];
      const inside = new Html(markupFor(node.inside, given, number));
      markup += typeof around === 'function' ? around(inside).markup : inside.markup;
    }
  }
  return markup;
}

function shownValue(given: Given[string], number: Intl.NumberFormat): HtmlPart {
  if (typeof given === 'function') return undefined;
  return typeof given === 'number' ? number.format(given) : given;
}

const pieces = /\{([a-zA-Z]+)\}|<([a-zA-Z]+)>|<\/([a-zA-Z]+)>/g;

/** Throws for braces and angle brackets that are neither a value nor a slot, and for slots that are not closed. */
export function compileText(text: string): CompiledText {
  const open: { slot: string; nodes: Node[] }[] = [{ slot: '', nodes: [] }];
  const malformed = () => new Error(`Malformed message: ${text}`);
  const add = (node: Node) => open.at(-1)!.nodes.push(node);
  const addText = (piece: string) => {
    if (/[{}<>]/.test(piece)) throw malformed();
    if (piece !== '') add({ text: piece, markup: escapeHtml(piece) });
  };
  let position = 0;
  let hasSlots = false;
  for (const match of text.matchAll(pieces)) {
    const [whole, value, opened, closed] = match;
    addText(text.slice(position, match.index));
    position = match.index + whole.length;
    if (value !== undefined) add({ name: value });
    else if (opened !== undefined) open.push({ slot: opened, nodes: [] });
    else {
      const last = open.pop();
      if (last === undefined || open.length === 0 || last.slot !== closed) throw malformed();
      add({ slot: last.slot, inside: last.nodes });
      hasSlots = true;
    }
  }
  addText(text.slice(position));
  if (open.length !== 1) throw malformed();
  return { nodes: open[0]!.nodes, hasSlots };
}
