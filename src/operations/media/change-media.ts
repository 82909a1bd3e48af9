/** Changes and removes media that are attached to nothing. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { identifier } from '../../actors/account/account.records.ts';
import { findMedia } from '../../actors/account/media/media.queries.ts';
import type { Media } from '../../actors/account/media/media.records.ts';
import { Failure } from '../../runtime/errors.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { describedInput, describedMedia } from './described-media.ts';
import { assertTakesThumbnail, replaceThumbnail } from './replace-thumbnail.ts';

export const changeMedia = operation({
  input: z.object({
    mediaId: identifier,
    ...describedInput,
    /** Of a temporary file, which is moved away. */
    thumbnail: z.string().optional(),
    waitMilliseconds: z.number(),
  }),
  permission: 'post',
  /** Throws Failure notFound for media that are attached, and those of others. */
  async run({ caller, services }, given): Promise<Media> {
    const { accountId } = caller;
    const { mediaId } = given;
    const before = findMedia(services.snapshots, accountId, mediaId);
    if (before === undefined) throw new Failure('notFound');
    const { thumbnail } = given;
    const change = withoutUndefined({ mediaId, ...describedMedia(given) });
    if (thumbnail !== undefined) {
      assertTakesThumbnail(before.attachment);
      return replaceThumbnail({ caller, services }, { ...change, thumbnail }, given.waitMilliseconds);
    }
    await services.client.call(Account.changeMedia.to(accountId, change), flowOf(caller));
    const changed = findMedia(services.snapshots, accountId, mediaId);
    if (changed === undefined) throw new Failure('notFound');
    return changed;
  },
});

export const removeMedia = operation({
  input: z.object({ mediaId: identifier }),
  permission: 'post',
  /** Throws Failure notFound for media of others, validation for those that are attached. */
  async run({ caller, services }, { mediaId }): Promise<void> {
    await services.client.call(Account.removeMedia.to(caller.accountId, { mediaId }), flowOf(caller));
  },
});
