/** Gives an account in memory media, as they are stored after an upload was decoded. */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Attachment } from '../../src/actors/account/media/media.records.ts';
import { media } from '../../src/actors/account/media/media.state.ts';
import { awaitUse, holdBlobs } from '../../src/actors/account/media/store-media.ts';
import type { HeldBlob } from '../../src/actors/blob/blob.records.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { TestServer } from './actors.ts';

/** The attachment, with the id that it has got. `blobs` are what the row holds. */
export function ownMedia(
  server: Pick<TestServer, 'turn'>,
  accountId: Id,
  given: Omit<Attachment, 'id'>,
  blobs: HeldBlob[] = [],
): Attachment {
  return server.turn(Account.actor, accountId, (turn) => {
    const attachment = { ...given, id: turn.nextId() };
    const times = { createdAt: turn.now, freeSince: turn.now };
    turn.put(media, [accountId, attachment.id], { id: attachment.id, ...times, attachment, blobs });
    holdBlobs(turn, attachment.id, blobs);
    awaitUse(turn, attachment.id);
    return attachment;
  });
}
