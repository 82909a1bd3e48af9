/** Requests translations from a network thread. */
import type { AskNetwork } from './resolver.ts';
import {
  type TranslatedTexts,
  type TranslationLanguages,
  type Translator,
  translateTopic,
  translationLanguagesTopic,
} from './translator.ts';

/** One network thread does all of it, so that its bounds hold for the whole server. */
const translatingThread = 0;

export function networkTranslator(ask: AskNetwork): Translator {
  return {
    languages: () => ask<TranslationLanguages>(translatingThread, translationLanguagesTopic, {}),
    translate: (request) => ask<TranslatedTexts>(translatingThread, translateTopic, request),
  };
}
