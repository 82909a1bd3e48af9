/** The custom emojis of this server, kept by staff. */
import type { BodyOf } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import { recordAudit } from '../audit.state.ts';
import { holdPicture } from '../held-pictures.ts';
import type { Instance, StoredEmoji } from './instance.messages.ts';
import { customEmojis } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';
import { instanceLimits } from './limits.ts';

/**
 * What was written with an emoji keeps its pictures, so they stay in the blob store when others take their place or the emoji
 * is removed.
 */
export function putEmoji(
  turn: InstanceTurn,
  { audit, picture, ...emoji }: BodyOf<typeof Instance.putEmoji>,
): undefined {
  const { key } = turn.self;
  const before = turn.get(customEmojis, [key, emoji.shortcode]);
  if (before === undefined && Array.from(turn.range(customEmojis, [key])).length >= instanceLimits.customEmojisMax)
    throw validationFailure('There are too many custom emojis');
  const held = picture === undefined ? {} : { picture: holdPicture(turn, picture, turn.nextId()) };
  const kept = before?.isDisabled === undefined ? {} : { isDisabled: before.isDisabled };
  turn.put(customEmojis, [key, emoji.shortcode], { ...emoji, ...held, ...kept });
  recordAudit(turn, audit, { ...namesOf(emoji), before: before === undefined ? {} : factsOf(before), after: emoji });
}

export function changeEmoji(
  turn: InstanceTurn,
  { shortcode, audit, ...changes }: BodyOf<typeof Instance.changeEmoji>,
): undefined {
  const before = emojiOf(turn, shortcode);
  const { category, ...others } = before;
  const {
    category: given = category,
    visibleInPicker = before.visibleInPicker,
    isDisabled = before.isDisabled,
  } = changes;
  const sorted = given === undefined || given === '' ? {} : { category: given };
  const stored = { ...others, ...sorted, visibleInPicker, ...(isDisabled !== undefined && { isDisabled }) };
  turn.put(customEmojis, [turn.self.key, shortcode], stored);
  recordAudit(turn, audit, { ...namesOf(before), before: factsOf(before), after: factsOf(stored) });
}

/** Statuses and profiles that have it keep it until they are changed: each stores the emojis of its own texts. */
export function removeEmoji(turn: InstanceTurn, { shortcode, audit }: BodyOf<typeof Instance.removeEmoji>): undefined {
  const before = emojiOf(turn, shortcode);
  turn.delete(customEmojis, [turn.self.key, shortcode]);
  recordAudit(turn, audit, { ...namesOf(before), before: factsOf(before) });
}

/** Throws notFound. */
function emojiOf(turn: InstanceTurn, shortcode: string): StoredEmoji {
  const emoji = turn.get(customEmojis, [turn.self.key, shortcode]);
  if (emoji === undefined) throw new Failure('notFound', { text: `There is no custom emoji ${shortcode}.` });
  return emoji;
}

const namesOf = ({ shortcode }: Pick<StoredEmoji, 'shortcode'>) => ({ targetId: shortcode, name: shortcode });
const factsOf = ({ picture: _held, ...facts }: StoredEmoji) => facts;
