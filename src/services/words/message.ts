/**
 * Messages of the catalogue, and their types. A message is a whole sentence:
 *
 *   'Post by {name}'                                  a value: text, a number, or markup
 *   'See <link>the rules</link>'                      a slot: markup around a part of the sentence
 *   forms({ one: '{count} post', other: '{count} posts' })    plural forms, chosen by {count}
 *
 * A message without values and slots is its text. Others are functions, whose parameters derive from the text: a
 * missing or misspelled one does not compile. What they return is text; with slots, or with markup among the values, it
 * is markup in which everything else is escaped.
 */
import type { Html } from './html.ts';

/** A text for each plural form that a language has (CLDR). */
type PluralTexts = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** A message with plural forms. */
export class Forms<Texts extends PluralTexts> {
  readonly texts: Texts;

  constructor(texts: Texts) {
    this.texts = texts;
  }
}

export function forms<const Texts extends PluralTexts>(texts: Texts): Forms<Texts> {
  return new Forms(texts);
}

export type Message = string | Forms<PluralTexts>;

/** Messages by key, in groups. */
export interface Catalogue {
  readonly [key: string]: Message | Catalogue;
}

type TextsOf<M> = M extends Forms<infer Texts> ? Extract<Texts[keyof Texts], string> : Extract<M, string>;

/** The names of `{name}` in a text. */
type ValueNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueNames<Rest>
  : never;

/** The names of `<name>…</name>` in a text. */
type SlotNames<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | SlotNames<Rest>
  : never;

/** `{count}` chooses the plural form. */
type Values<Names extends string, Value> = { readonly [Name in Names]: Name extends 'count' ? number : Value };
type Slots<Names extends string> = { readonly [Name in Names]: (inside: Html) => Html };

interface Source {
  /** The texts by plural form, as JSON: for the script of a page. */
  readonly source: string;
}

/** A message with values. Numbers are written as the language does. */
export interface Sentence<Names extends string> extends Source {
  (values: Values<Names, string | number>): string;
  (values: Values<Names, string | number | Html>): Html;
}

/** A message with slots, and perhaps values. */
export interface MarkedSentence<Names extends string, Slot extends string> extends Source {
  (values: Values<Names, string | number | Html> & Slots<Slot>): Html;
}

type SaidMessage<Names extends string, Slot extends string> = [Slot] extends [never]
  ? [Names] extends [never]
    ? string
    : Sentence<Names>
  : MarkedSentence<Names, Slot>;

type SaidOf<M extends Message> = SaidMessage<
  ValueNames<TextsOf<M>> | (M extends string ? never : 'count'),
  SlotNames<TextsOf<M>>
>;

/** A catalogue as pages and mails use it. */
export type Said<C> = { readonly [Key in keyof C]: C[Key] extends Message ? SaidOf<C[Key]> : Said<C[Key]> };

/** Values that a translation needs and may use; a form for a single number may leave `{count}` out. */
type Agrees<Source, Translation> = [
  Exclude<ValueNames<TextsOf<Source>>, ValueNames<TextsOf<Translation>> | 'count'>,
  Exclude<ValueNames<TextsOf<Translation>>, ValueNames<TextsOf<Source>>>,
  Exclude<SlotNames<TextsOf<Source>>, SlotNames<TextsOf<Translation>>>,
  Exclude<SlotNames<TextsOf<Translation>>, SlotNames<TextsOf<Source>>>,
] extends [never, never, never, never]
  ? Translation
  : { readonly differs: TextsOf<Source> };

/** What a translation of a catalogue may be: some of its keys, with the values and slots of each. */
export type TranslationOf<Source, Translation> = {
  readonly [Key in keyof Translation]: Key extends keyof Source
    ? Source[Key] extends Message
      ? Agrees<Source[Key], Translation[Key]>
      : TranslationOf<Source[Key], Translation[Key]>
    : never;
};
