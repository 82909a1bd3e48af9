/** Translating on a network thread, for the gateways that ask. */
import type { Answerer, NetworkServices } from '../../services/network-services.ts';
import { type TranslationRequest, translateTopic, translationLanguagesTopic } from '../../services/translator.ts';
import { LibreTranslate } from './libre-translate.ts';

export interface TranslationRole {
  readonly answerers: readonly (readonly [string, Answerer])[];
  close(): Promise<void>;
}

/** Answers nothing where the operator named no server. */
export function createTranslation({ options }: Pick<NetworkServices, 'options'>): TranslationRole {
  const { translationOrigin: origin, translationKey: key } = options;
  if (origin === undefined) return { answerers: [], close: () => Promise.resolve() };
  const translator = new LibreTranslate({ origin, key });
  return {
    answerers: [
      [translationLanguagesTopic, () => translator.languages()],
      [translateTopic, (request) => translator.translate(request as TranslationRequest)],
    ],
    close: () => translator.close(),
  };
}
