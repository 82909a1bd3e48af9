/** The Translation entity. */
import { z } from 'zod';
import type { TranslatedStatus } from '../../operations/translation/translate-status.ts';
import { id, language, text } from './values.ts';

export const TranslationEntity = z
  .strictObject({
    content: text,
    spoiler_text: text,
    language,
    poll: z.strictObject({ id, options: z.array(z.strictObject({ title: text })) }).optional(),
    media_attachments: z.array(z.strictObject({ id, description: text })),
    detected_source_language: language,
    provider: text.min(1),
  })
  .meta({ id: 'Translation' });

export function translationEntity(translated: TranslatedStatus): z.output<typeof TranslationEntity> {
  const { statusId, content, spoilerText, pollOptions, attachments } = translated;
  return {
    content,
    spoiler_text: spoilerText,
    language: translated.language,
    ...(pollOptions && {
      poll: { id: statusId.toString(), options: pollOptions.map((title) => ({ title })) },
    }),
    media_attachments: attachments.map(({ id: mediaId, description }) => ({ id: mediaId.toString(), description })),
    detected_source_language: translated.detectedSource,
    provider: 'LibreTranslate',
  };
}
