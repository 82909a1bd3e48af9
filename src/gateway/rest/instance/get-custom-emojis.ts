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
  summary: 'Lists the custom emojis of this server.',
  answer: z.array(EmojiEntity),
  /** Hidden and disabled ones are left out (behaviour of the Mastodon API). */
  handler: ({ services }) =>
    json(
      listCustomEmojis(services.snapshots)
        .filter(({ visibleInPicker, isDisabled = false }) => visibleInPicker && !isDisabled)
        .map((emoji) => storedEmojiEntity(emoji, services.addresses)),
    ),
});
