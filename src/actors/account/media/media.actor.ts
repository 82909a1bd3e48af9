/**
 * Media of a local account: uploaded, decoded on a network thread, attached to a status.
 *
 * INVARIANTS
 * 1. A row that is attached to nothing has a timer, and one that is being decoded an effect.
 * 2. The blob store keeps what a row names: each blob is held under the id of the medium.
 */

import { type BodyOf, feature } from '../../../runtime/contract.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { withoutUndefined } from '../../../runtime/plain-data.ts';
import { Account } from '../account.messages.ts';
import type { AccountTurn } from '../account.turn.ts';
import { ownProfile } from '../profile/profile.turn.ts';
import { mediaLimits } from './limits.ts';
import { decodeMedia, removeUploadedFiles } from './media.effects.ts';
import { mediaProcessed } from './media.events.ts';
import { mediaMessages } from './media.messages.ts';
import type { Attachment, Media, Upload } from './media.records.ts';
import * as state from './media.state.ts';
import { awaitUse, dropMedia, holdBlobs } from './store-media.ts';

const { media } = state;

/** Throws forbidden for a suspended account, mediaRefused where too many wait to be attached. */
function uploadMedia(turn: AccountTurn, { upload, ...described }: BodyOf<typeof mediaMessages.uploadMedia>) {
  if (ownProfile(turn).suspendedAt !== undefined) throw new Failure('forbidden');
  if (countUnattached(turn) >= mediaLimits.unattachedMax)
    throw new Failure('mediaRefused', { text: 'Too many files wait to be attached to a post' });
  const mediaId = turn.nextId();
  const attachment: Attachment = { id: mediaId, type: 'unknown', url: '', ...described };
  const times = { createdAt: turn.now, freeSince: turn.now };
  turn.put(media, [turn.self.key, mediaId], { id: mediaId, ...times, upload, attachment, blobs: [] });
  decode(turn, mediaId, upload);
  awaitUse(turn, mediaId);
  return { mediaId };
}

function decode(turn: AccountTurn, mediaId: Id, upload: Upload): void {
  turn.effect(decodeMedia, { accountId: turn.self.key, mediaId, upload }, Account.mediaDecoded);
}

/** Those attached to nothing are among the newest. */
function countUnattached(turn: AccountTurn): number {
  const newest = turn.range(media, [turn.self.key], { reverse: true, limit: mediaLimits.unattachedMax });
  return Array.from(newest).filter(({ value }) => isUnattached(value)).length;
}

function isUnattached({ freeSince }: Media): boolean {
  return freeSince !== undefined;
}

/** What it held before is still shown by earlier versions of its status. */
function mediaDecoded(turn: AccountTurn, message: BodyOf<typeof mediaMessages.mediaDecoded>): undefined {
  const { mediaId, upload, decoded, failure } = message;
  turn.effect(removeUploadedFiles, upload, Account.uploadRemoved);
  const known = turn.get(media, [turn.self.key, mediaId]);
  if (known === undefined) return;
  const { upload: _decoded, failure: _before, ...kept } = known;
  if (decoded === undefined) {
    turn.put(media, [turn.self.key, mediaId], { ...kept, failure });
  } else {
    holdBlobs(turn, mediaId, decoded.blobs);
    const blobs = [...new Map([...known.blobs, ...decoded.blobs].map((blob) => [blob.name, blob])).values()];
    const attachment = { ...known.attachment, ...(withoutUndefined(decoded.attachment) as Partial<Attachment>) };
    turn.put(media, [turn.self.key, mediaId], { ...kept, attachment, blobs });
  }
  turn.emit(mediaProcessed, { mediaId });
}

/** Throws notFound for what is unknown, or attached to something else. */
function changeMedia(turn: AccountTurn, message: BodyOf<typeof mediaMessages.changeMedia>): undefined {
  const { mediaId, thumbnail, statusId, ...described } = message;
  const known = own(turn, mediaId);
  if (!isUnattached(known) && (statusId === undefined || known.statusId !== statusId)) throw new Failure('notFound');
  const changed = { ...known, attachment: { ...known.attachment, ...withoutUndefined(described) } };
  const upload = thumbnail === undefined ? known.upload : { thumbnail };
  turn.put(media, [turn.self.key, mediaId], { ...changed, upload });
  if (thumbnail !== undefined) decode(turn, mediaId, { thumbnail });
}

/** Throws notFound for what is unknown, mediaRefused for what is attached. */
function removeMedia(turn: AccountTurn, { mediaId }: BodyOf<typeof mediaMessages.removeMedia>): undefined {
  const known = own(turn, mediaId);
  if (!isUnattached(known))
    throw new Failure('mediaRefused', { text: 'Media attachment is currently used by a status' });
  dropMedia(turn, known);
}

/** What was attached meanwhile and is free again has a later timer. */
function mediaUnused(turn: AccountTurn, { mediaId }: BodyOf<typeof mediaMessages.mediaUnused>): undefined {
  const known = turn.get(media, [turn.self.key, mediaId]);
  if (known?.freeSince === undefined) return;
  if (known.freeSince + mediaLimits.unattachedMilliseconds <= turn.now) dropMedia(turn, known);
}

function uploadRemoved(): undefined {
  // Its files are gone: nothing remembers them.
}

function own(turn: AccountTurn, mediaId: Id): Media {
  const known = turn.get(media, [turn.self.key, mediaId]);
  if (known === undefined) throw new Failure('notFound');
  return known;
}

export const mediaFeature = feature<AccountTurn>()({
  messages: mediaMessages,
  handlers: { uploadMedia, mediaDecoded, changeMedia, removeMedia, mediaUnused, uploadRemoved },
  state: [state],
  rules: state.mediaRules,
});
