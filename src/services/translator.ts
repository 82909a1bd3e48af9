/** Translates texts, where the operator has configured a translation server. */

export const translateTopic = 'translate';
export const translationLanguagesTopic = 'translation languages';

export interface TranslationRequest {
  readonly texts: readonly string[];
  /** Whether the texts are HTML. */
  readonly isHtml: boolean;
  /** Undefined: the translator detects it. */
  readonly source: string | undefined;
  readonly target: string;
}

export interface TranslatedTexts {
  /** In the order of the request. */
  readonly texts: readonly string[];
  /** The detected language, where none was given. */
  readonly detectedSource: string | undefined;
}

/** The target languages for each source language. */
export type TranslationLanguages = ReadonlyMap<string, readonly string[]>;

export interface Translator {
  /** Both throw Failure remoteUnreachable. */
  languages(): Promise<TranslationLanguages>;
  translate(request: TranslationRequest): Promise<TranslatedTexts>;
}
