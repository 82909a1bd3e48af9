/** A message that publishes a public post with nothing but text; `more` changes it. */
import type { PublishStatus } from '../../src/actors/account/statuses/statuses.messages.ts';

export function plainPost(text: string, more: Partial<PublishStatus> = {}): PublishStatus {
  return {
    text,
    content: `<p>${text}</p>`,
    visibility: 'public',
    sensitive: false,
    spoilerText: '',
    mentions: [],
    tags: [],
    emojis: [],
    attachments: [],
    ...more,
  };
}
