/** Attaches uploaded media to statuses, and frees them. Each belongs to one status at most. */
import type { Id } from '../../../runtime/ids.ts';
import type { AccountTurn } from '../account.turn.ts';
import { stateOfMedia } from './media.queries.ts';
import { type Attachment, type Media, mediaNotFound, mediaNotReady } from './media.records.ts';
import { media, mediaOfUse } from './media.state.ts';
import { awaitUse, dropMedia } from './store-media.ts';

/** What media are attached to: a status or a scheduled one, by its id. */
export type Use = { readonly statusId: Id } | { readonly scheduledId: Id };

const idOf = (use: Use): Id => ('statusId' in use ? use.statusId : use.scheduledId);

/**
 * They stay attached until that is gone, also where an edit no longer shows them: its earlier versions do. Throws
 * Failure mediaRefused for any that is not the account's own, not ready, or attached to something else.
 */
export function attachMedia(turn: AccountTurn, mediaIds: readonly Id[], use: Use): void {
  const found = mediaIds.map((mediaId) => turn.get(media, [turn.self.key, mediaId]));
  const refused = mediaIds.filter((_id, index) => !mayAttach(found[index], idOf(use)));
  if (refused.length > 0) throw mediaNotFound(refused);
  for (const one of found) {
    if (stateOfMedia(one!) !== 'ready') throw mediaNotReady();
    free(turn, one!);
    turn.put(media, [turn.self.key, one!.id], { ...unused(one!), ...use });
    turn.put(mediaOfUse, [turn.self.key, idOf(use), one!.id], true);
  }
}

function mayAttach(found: Media | undefined, use: Id): boolean {
  return found !== undefined && [undefined, use].includes(found.statusId ?? found.scheduledId);
}

function unused({ statusId: _status, scheduledId: _scheduled, freeSince: _free, ...rest }: Media): Media {
  return rest;
}

function free(turn: AccountTurn, { id, statusId, scheduledId }: Media): void {
  const use = statusId ?? scheduledId;
  if (use !== undefined) turn.delete(mediaOfUse, [turn.self.key, use, id]);
}

/** An edit of the status says something else of it. */
export function describeMedia(turn: AccountTurn, attachment: Attachment): void {
  const known = turn.get(media, [turn.self.key, attachment.id]);
  if (known !== undefined) turn.put(media, [turn.self.key, attachment.id], { ...known, attachment });
}

/** Whatever is attached to it has a day to be attached again, or is removed at once. */
export function freeMediaOf(turn: AccountTurn, use: Use, isRemoved = false): void {
  const attached = Array.from(turn.range(mediaOfUse, [turn.self.key, idOf(use)]), ({ key }) => key[2]);
  for (const mediaId of attached) {
    const one = turn.get(media, [turn.self.key, mediaId]);
    if (one === undefined) continue;
    free(turn, one);
    if (isRemoved) {
      dropMedia(turn, one);
    } else {
      turn.put(media, [turn.self.key, mediaId], { ...unused(one), freeSince: turn.now });
      awaitUse(turn, mediaId);
    }
  }
}
