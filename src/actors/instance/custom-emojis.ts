/** The custom emojis of this server, kept by staff. */
import type { BodyOf } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import type { Instance } from './instance.messages.ts';
import { customEmojis } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';
import { instanceLimits } from './limits.ts';

export function putEmoji(turn: InstanceTurn, emoji: BodyOf<typeof Instance.putEmoji>): undefined {
  const { key } = turn.self;
  const isNew = turn.get(customEmojis, [key, emoji.shortcode]) === undefined;
  if (isNew && Array.from(turn.range(customEmojis, [key])).length >= instanceLimits.customEmojisMax)
    throw validationFailure('There are too many custom emojis');
  turn.put(customEmojis, [key, emoji.shortcode], emoji);
}

/** Statuses and profiles that have it keep it until they are changed: each stores the emojis of its own texts. */
export function removeEmoji(turn: InstanceTurn, { shortcode }: BodyOf<typeof Instance.removeEmoji>): undefined {
  if (turn.get(customEmojis, [turn.self.key, shortcode]) === undefined)
    throw new Failure('notFound', { text: `There is no custom emoji ${shortcode}.` });
  turn.delete(customEmojis, [turn.self.key, shortcode]);
}
