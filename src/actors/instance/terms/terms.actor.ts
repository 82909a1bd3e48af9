/**
 * The terms of service: versions by the day on which they take effect. Everybody is told of a change where staff ask for it:
 * by an announcement in the same commit, and by mail, some accounts at a time as announcements are.
 */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure, validationFailure } from '../../../runtime/errors.ts';
import { Account } from '../../account/account.messages.ts';
import { recordAudit } from '../../audit.state.ts';
import { keepAnnouncement } from '../announcements/announcements.actor.ts';
import { Instance } from '../instance.messages.ts';
import { termsOfService } from '../instance.state.ts';
import type { InstanceTurn } from '../instance.turn.ts';
import { instanceLimits } from '../limits.ts';
import { findTermsReaders as findReaders } from './terms.effects.ts';
import type { termsMessages } from './terms.messages.ts';

type Body<Name extends keyof typeof termsMessages> = BodyOf<(typeof termsMessages)[Name]>;

/** Whoever was told of a version is told of another text for the same day, if staff ask for it again. */
export function publishTerms(turn: InstanceTurn, { day, content, audit }: Body<'publishTerms'>): undefined {
  const days = Array.from(turn.range(termsOfService, [turn.self.key]), ({ key }) => key[1]);
  if (!days.includes(day) && days.length >= instanceLimits.termsVersionsMax)
    throw validationFailure('There are too many terms of service: withdraw some that do not hold any more');
  const before = turn.get(termsOfService, [turn.self.key, day])?.content;
  turn.put(termsOfService, [turn.self.key, day], { content, publishedAt: turn.now });
  recordAudit(turn, audit, { ...namesOf(day), before: { content: before }, after: { content } });
}

export function withdrawTerms(turn: InstanceTurn, { day, audit }: Body<'withdrawTerms'>): undefined {
  const before = termsOf(turn, day);
  turn.delete(termsOfService, [turn.self.key, day]);
  recordAudit(turn, audit, { ...namesOf(day), before: { content: before.content } });
}

export function tellTerms(turn: InstanceTurn, { day, announcement, audit }: Body<'tellTerms'>): undefined {
  const before = termsOf(turn, day);
  if (before.toldAt !== undefined) throw validationFailure('Everybody was told of these terms of service already');
  turn.put(termsOfService, [turn.self.key, day], { ...before, toldAt: turn.now });
  keepAnnouncement(turn, announcement);
  recordAudit(turn, audit, namesOf(day));
  findTermsReaders(turn, { day });
}

/** The timer between two slices. */
export function findTermsReaders(turn: InstanceTurn, slice: Body<'findTermsReaders'>): undefined {
  turn.effect(findReaders, slice, Instance.termsReadersFound);
}

/** Nobody is told any more once they were withdrawn; mails that wait then are not sent. */
export function termsReadersFound(
  turn: InstanceTurn,
  { day, accountIds, after }: Body<'termsReadersFound'>,
): undefined {
  if (turn.get(termsOfService, [turn.self.key, day]) === undefined) return;
  for (const accountId of accountIds) turn.tell(Account.mail.to(accountId, { content: { kind: 'terms', day } }));
  if (after === undefined) return;
  const at = turn.now + instanceLimits.recipientsPauseMilliseconds;
  turn.schedule(at, Instance.findTermsReaders.to(turn.self.key, { day, after }));
}

/** Throws notFound. */
function termsOf(turn: InstanceTurn, day: number) {
  const terms = turn.get(termsOfService, [turn.self.key, day]);
  if (terms === undefined)
    throw new Failure('notFound', { text: 'There are no terms of service that take effect on that date.' });
  return terms;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;

function namesOf(day: number) {
  const date = new Date(day * dayMilliseconds).toISOString().slice(0, 10);
  return { targetId: date, name: date };
}
