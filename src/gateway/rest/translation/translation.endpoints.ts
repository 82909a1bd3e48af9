/** Translates posts with a LibreTranslate server configured by the operator; off without one. */
import { z } from 'zod';
import { targetsOfAny, translationLanguages } from '../../../operations/translation/languages.ts';
import { translateStatus } from '../../../operations/translation/translate-status.ts';
import { TranslationEntity, translationEntity } from '../../entities/translation.ts';
import { language, text } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { id, textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

const languageCharactersMax = 35;

const translate = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/translate',
  authentication: 'user',
  scopes: ['read:statuses'],
  parameters: z.object({ id, lang: textUpTo(languageCharactersMax) }),
  summary: 'Translates a public status into the given language, or into that of the user.',
  answer: TranslationEntity,
  handler: async (context, { id: statusId, lang }) =>
    json(translationEntity(await translateStatus(context, { statusId, language: lang || undefined }))),
});

/** For a status without a language. */
const undetermined = 'und';

const getLanguages = endpoint({
  method: 'GET',
  path: '/api/v1/instance/translation_languages',
  authentication: 'optional',
  summary:
    'The languages that can be translated, each with those into which it can be; empty where nothing translates.',
  answer: z.record(text, z.array(language)),
  async handler({ services }) {
    const languages = await translationLanguages(services);
    if (languages.size === 0) return json({});
    return json({ ...Object.fromEntries(languages), [undetermined]: targetsOfAny(languages) });
  },
});

export const translationEndpoints = [translate, getLanguages];
