/** GET /api/v1/custom_emojis (specification 4.9). */
import { z } from 'zod';
import { listCustomEmojis } from '../../../actors/instance/instance.queries.ts';
import { EmojiEntity, storedEmojiEntity } from '../../entities/emoji.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

export const getCustomEmojis = endpoint({
  method: 'GET',
  path: '/api/v1/custom_emojis',
  authentication: 'optional',
  summary: 'The custom emojis of this server.',
  answer: z.array(EmojiEntity),
  handler: ({ services }) => json(listCustomEmojis(services.snapshots).map(storedEmojiEntity)),
});
