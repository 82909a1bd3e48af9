/** Staff remove pictures of a local profile, with a strike that its owner sees. */
import type { BodyOf } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import { recordAudit } from '../../audit.state.ts';
import type { AccountTurn } from '../account.turn.ts';
import { deliverProfile } from '../local/store-decision.ts';
import { replacedPictures } from '../profile/pictures.ts';
import { profileChanged } from '../profile/profile.events.ts';
import { isLocal, ownProfile } from '../profile/profile.turn.ts';
import { storeProfile } from '../profile/store-profile.ts';
import type { moderationMessages } from './moderation.messages.ts';
import { keepStrike } from './sanction.ts';

export function removePictures(
  turn: AccountTurn,
  { pictures, audit, strike }: BodyOf<typeof moderationMessages.removePictures>,
): undefined {
  const before = ownProfile(turn);
  if (!isLocal(turn)) throw new Failure('forbidden');
  // The strike would tell of something that has not happened.
  if (pictures.some((picture) => before[picture] === undefined)) throw new Failure('conflict');
  const given = Object.fromEntries(pictures.map((picture) => [`${picture}Picture`, null]));
  storeProfile(turn, { ...before, ...replacedPictures(turn, before, given), updatedAt: turn.now }, before);
  if (strike !== undefined) {
    const { tells, ...warning } = strike;
    keepStrike(turn, warning, tells);
  }
  recordAudit(turn, audit, { targetId: turn.self.key, name: before.username, changed: pictures });
  turn.emit(profileChanged, { accountId: turn.self.key });
  deliverProfile(turn);
}
