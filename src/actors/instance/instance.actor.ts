/** The instance actor: settings and texts of staff, and secrets that the server generated. */
import { type BodyOf, implement } from '../../runtime/contract.ts';
import { Failure, validationFailure } from '../../runtime/errors.ts';
import {
  changeAnnouncement,
  endAnnouncement,
  publishAnnouncement,
  sweepReactions,
  withdrawAnnouncement,
} from './announcements/announcements.actor.ts';
import { react, takeReactionBack, tellReactions } from './announcements/reactions.ts';
import { putEmoji, removeEmoji } from './custom-emojis.ts';
import { Instance, type InstanceSecrets } from './instance.messages.ts';
import { secrets, settings, termsOfService } from './instance.state.ts';
import type { InstanceTurn } from './instance.turn.ts';
import { instanceLimits } from './limits.ts';
import { addRule, changeRule, removeRule } from './server-rules.ts';

function changeSettings(turn: InstanceTurn, changes: BodyOf<typeof Instance.changeSettings>): undefined {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  turn.put(settings, [turn.self.key], { ...turn.get(settings, [turn.self.key]), ...given });
}

function adoptSecrets(turn: InstanceTurn, offered: BodyOf<typeof Instance.adoptSecrets>): InstanceSecrets {
  const present = turn.get(secrets, [turn.self.key]);
  if (present !== undefined) return present;
  turn.put(secrets, [turn.self.key], offered);
  return offered;
}

function setHashtagDisallowed(
  turn: InstanceTurn,
  { name, isDisallowed }: BodyOf<typeof Instance.setHashtagDisallowed>,
): undefined {
  const stored = turn.get(settings, [turn.self.key]);
  const others = (stored?.disallowedHashtags ?? []).filter((other) => other !== name);
  if (isDisallowed && others.length >= instanceLimits.disallowedHashtagsMax)
    throw validationFailure('There are too many disallowed hashtags');
  const disallowedHashtags = isDisallowed ? [...others, name].sort() : others;
  turn.put(settings, [turn.self.key], { ...stored, disallowedHashtags });
}

function publishTerms(turn: InstanceTurn, { day, content }: BodyOf<typeof Instance.publishTerms>): undefined {
  const days = Array.from(turn.range(termsOfService, [turn.self.key]), ({ key }) => key[1]);
  if (!days.includes(day) && days.length >= instanceLimits.termsVersionsMax)
    throw validationFailure('There are too many terms of service: withdraw some that do not hold any more');
  turn.put(termsOfService, [turn.self.key, day], { content, publishedAt: turn.now });
}

function withdrawTerms(turn: InstanceTurn, { day }: BodyOf<typeof Instance.withdrawTerms>): undefined {
  if (turn.get(termsOfService, [turn.self.key, day]) === undefined)
    throw new Failure('notFound', { text: 'There are no terms of service that take effect on that date.' });
  turn.delete(termsOfService, [turn.self.key, day]);
}

export const instanceActor = implement<InstanceTurn>()(Instance, {
  changeSettings,
  adoptSecrets,
  addRule,
  changeRule,
  removeRule,
  setHashtagDisallowed,
  publishTerms,
  withdrawTerms,
  publishAnnouncement,
  changeAnnouncement,
  withdrawAnnouncement,
  endAnnouncement,
  sweepReactions,
  react,
  takeReactionBack,
  tellReactions,
  putEmoji,
  removeEmoji,
});
