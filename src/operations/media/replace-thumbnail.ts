/** Replaces the picture that stands for a film or a sound until it plays. */
import { Account } from '../../actors/account/account.messages.ts';
import { findMedia } from '../../actors/account/media/media.queries.ts';
import { type Attachment, type Media, mediaNotReady } from '../../actors/account/media/media.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { type AccountCaller, flowOf } from '../caller.ts';
import type { OperationContext } from '../operation.ts';

interface NewThumbnail extends Pick<Attachment, 'description' | 'focusX' | 'focusY'> {
  readonly mediaId: Id;
  /** The path of a temporary file, which is moved away. */
  readonly thumbnail: string;
  /** To which it is attached. */
  readonly statusId?: Id;
}

/** Throws Failure mediaRefused for a picture. */
export function assertTakesThumbnail({ type }: Attachment): void {
  if (type === 'image') throw new Failure('mediaRefused', { text: 'Thumbnails are only for videos and sounds' });
}

/**
 * The medium, with what else is said of it. Its thumbnail is the former one while the new one is being decoded for longer than
 * that. Throws Failure mediaRefused for a file that is no picture, notFound.
 */
export async function replaceThumbnail(
  { caller, services }: OperationContext<AccountCaller>,
  { thumbnail: path, ...change }: NewThumbnail,
  waitMilliseconds: number,
): Promise<Media> {
  const { accountId } = caller;
  const thumbnail = await services.incoming.take(path);
  const body = withoutUndefined({ ...change, thumbnail });
  try {
    await services.client.call(Account.changeMedia.to(accountId, body), flowOf(caller));
  } catch (error) {
    // Whether it was stored is unknown only after `outcomeUnknown`: then its effect needs the file.
    if (!(error instanceof Failure && error.code === 'outcomeUnknown')) await services.incoming.remove(thumbnail);
    throw error;
  }
  await services.mediaWaits.processed(change.mediaId, waitMilliseconds);
  const changed = findMedia(services.snapshots, accountId, change.mediaId);
  if (changed === undefined) throw new Failure('notFound');
  if (changed.upload === undefined && changed.failure !== undefined)
    throw new Failure('mediaRefused', { text: changed.failure });
  return changed;
}

const editWaitMilliseconds = 5_000;

/** Of media that are attached to a status, before it is edited. Throws mediaRefused too where one takes too long. */
export async function replaceThumbnails(
  context: OperationContext<AccountCaller>,
  statusId: Id,
  thumbnails: readonly Pick<NewThumbnail, 'mediaId' | 'thumbnail'>[],
): Promise<void> {
  for (const one of thumbnails) {
    const { upload } = await replaceThumbnail(context, { ...one, statusId }, editWaitMilliseconds);
    if (upload !== undefined) throw mediaNotReady();
  }
}
