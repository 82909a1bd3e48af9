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

/** Compiled when a thread first says something in it, because most threads say nothing; words never change. */
const compiled = new WeakMap<Translation, Words>();

function wordsIn(translation: Translation): Words {
  const known = compiled.get(translation);
  if (known !== undefined) return known;
  const { catalogue, ...language } = translation;
  const words = {
    ...compile(english, 'en', { code: language.locale, catalogue }),
    language,
    formats: new Formats(language.locale),
  };
  compiled.set(translation, words);
  return words;
}

export class Languages {
  private readonly translations: readonly Translation[];
  private readonly codes: readonly string[];
  private readonly presetTranslation: Translation;

  /** `known` has the source first. `preset` is the code of one of them; without one, it is the source. */
  constructor(preset?: string, known: readonly Translation[] = Object.values(translations)) {
    this.translations = known;
    this.codes = known.map(({ code }) => code);
    this.presetTranslation = this.of(preset) ?? known[0]!;
  }

  get all(): readonly Words[] {
    return this.translations.map(wordsIn);
  }

  /** In English: what programs read is written in it. */
  get source(): Words {
    return wordsIn(this.translations[0]!);
  }

  /** Of the operator's choice. */
  get preset(): Words {
    return wordsIn(this.presetTranslation);
  }

  /** For the first of the wanted languages that there are words for; none of them is the preset. */
  best(wanted: Iterable<string>): Words {
    for (const code of wanted) {
      const found = this.of(code);
      if (found !== undefined) return wordsIn(found);
    }
    return this.preset;
  }

  private of(wanted: string | undefined): Translation | undefined {
    const code = wanted === undefined ? undefined : closestLanguage(this.codes, wanted);
    return code === undefined ? undefined : this.translations[this.codes.indexOf(code)];
  }
}
