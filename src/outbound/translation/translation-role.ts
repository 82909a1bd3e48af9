/** Translation on a network thread, for gateways. */
import type { Answerer, NetworkServices } from '../../services/network-services.ts';
import { type TranslationRequest, translateTopic, translationLanguagesTopic } from '../../services/translator.ts';
import type { LibreTranslate } from './libre-translate.ts';

export interface TranslationRole {
  readonly answerers: readonly (readonly [string, Answerer])[];
  close(): Promise<void>;
}

/** Answers nothing where the operator has configured no server. */
export function createTranslation({ options }: Pick<NetworkServices, 'options'>): TranslationRole {
  const { translationOrigin: origin, translationKey: key } = options;
  if (origin === undefined) return { answerers: [], close: () => Promise.resolve() };
  let loading: Promise<LibreTranslate> | undefined;
  // Created at the first request: no start waits for it.
  const translator = () => {
    loading ??= import('./libre-translate.ts').then(({ LibreTranslate }) => new LibreTranslate({ origin, key }));
    return loading;
  };
  return {
    answerers: [
      [translationLanguagesTopic, async () => (await translator()).languages()],
      [translateTopic, async (request) => (await translator()).translate(request as TranslationRequest)],
    ],
    close: async () => (await loading)?.close(),
  };
}
