/**
 * The words of pages, mails and notifications, by language. `en/` is the source; every other folder is a translation,
 * which may lack messages: those are said in English.
 *
 * To add a language: a folder beside `de/`, its line in `translations`, and its code in the option `language`.
 */
import type { Options } from '../../options/table.ts';
import { closestLanguage } from './closest-language.ts';
import { compile } from './compile.ts';
import { german } from './de/german.ts';
import { english } from './en/english.ts';
import { Formats } from './formats.ts';
import type { Catalogue, Said } from './message.ts';

/** A language as a catalogue declares it. */
export interface Translation {
  /** BCP 47, for the `lang` attribute and the choice. */
  readonly code: string;
  /** Its own name for itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** The language, with the region whose dates are shown. */
  readonly locale: string;
  readonly catalogue: Catalogue;
}

/** What is said in one language: messages by area, and formats. */
export interface Words extends Said<typeof english> {
  readonly language: Omit<Translation, 'catalogue'>;
  readonly formats: Formats;
}

/** The source first; the option for the operator's choice names the same ones. */
const translations: Readonly<Record<Options['language'], Translation>> = {
  en: { code: 'en', name: 'English', direction: 'ltr', locale: 'en-GB', catalogue: english },
  de: { code: 'de', name: 'Deutsch', direction: 'ltr', locale: 'de', catalogue: german },
};

export function wordsIn({ catalogue, ...language }: Translation): Words {
  const translated = { code: language.locale, catalogue };
  return { ...compile(english, 'en', translated), language, formats: new Formats(language.locale) };
}

export class Languages {
  readonly all: readonly Words[];
  /** In English: what programs read is written in it. */
  readonly source: Words;
  /** Of the operator's choice. */
  readonly preset: Words;
  private readonly codes: readonly string[];

  /** `all` has the source first. `preset` is the code of one of them; without one, it is the source. */
  constructor(preset?: string, all: readonly Words[] = Object.values(translations).map(wordsIn)) {
    this.all = all;
    this.source = all[0]!;
    this.codes = all.map(({ language }) => language.code);
    this.preset = this.of(preset) ?? this.source;
  }

  /** For the first of the wanted languages that there are words for; none of them is the preset. */
  best(wanted: Iterable<string>): Words {
    for (const code of wanted) {
      const found = this.of(code);
      if (found !== undefined) return found;
    }
    return this.preset;
  }

  private of(wanted: string | undefined): Words | undefined {
    const code = wanted === undefined ? undefined : closestLanguage(this.codes, wanted);
    return code === undefined ? undefined : this.all[this.codes.indexOf(code)];
  }
}
