/** Translating texts, where the operator named a server that does it. */

export const translateTopic = 'translate';
export const translationLanguagesTopic = 'translation languages';

export interface TranslationRequest {
  readonly texts: readonly string[];
  /** Whether they are HTML. */
  readonly isHtml: boolean;
  /** Undefined: the translator finds out. */
  readonly source: string | undefined;
  readonly target: string;
}

export interface TranslatedTexts {
  /** In the order of the request. */
  readonly texts: readonly string[];
  /** What the translator found out, where it was asked to. */
  readonly detectedSource: string | undefined;
}

/** The languages into which texts of a language can be translated. */
export type TranslationLanguages = ReadonlyMap<string, readonly string[]>;

export interface Translator {
  /** Both throw Failure remoteUnreachable. */
  languages(): Promise<TranslationLanguages>;
  translate(request: TranslationRequest): Promise<TranslatedTexts>;
}
