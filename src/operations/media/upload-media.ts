/** Takes an uploaded file, and waits for a while until it is decoded (behaviour of the Mastodon API). */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { findMedia } from '../../actors/account/media/media.queries.ts';
import type { Media } from '../../actors/account/media/media.records.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { withoutUndefined } from '../../runtime/plain-data.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import { describedInput, describedMedia } from './described-media.ts';

export const uploadMedia = operation({
  input: z.object({
    /** Paths of temporary files, which are moved away. */
    file: z.string(),
    thumbnail: z.string().optional(),
    ...describedInput,
    /** How long to wait for the decoded file. */
    waitMilliseconds: z.number(),
  }),
  permission: 'post',
  limit: 'media',
  /** Still being decoded after that time: neither ready nor failed. */
  async run({ caller, services }, given): Promise<Media> {
    const { accountId } = caller;
    const { incoming, client } = services;
    const described = describedMedia(given);
    const names = [await incoming.take(given.file)];
    if (given.thumbnail !== undefined) names.push(await incoming.take(given.thumbnail));
    const [file, thumbnail] = names;
    const upload = withoutUndefined({ file, thumbnail });
    let mediaId: Id;
    try {
      ({ mediaId } = await client.call(Account.uploadMedia.to(accountId, { ...described, upload }), flowOf(caller)));
    } catch (error) {
      // Whether it was stored is unknown only after `outcomeUnknown`: then its effect needs the files.
      if (!(error instanceof Failure && error.code === 'outcomeUnknown'))
        await Promise.all(names.map((name) => incoming.remove(name)));
      throw error;
    }
    await services.mediaWaits.processed(mediaId, given.waitMilliseconds);
    const found = findMedia(services.snapshots, accountId, mediaId);
    if (found === undefined) throw new Failure('notFound');
    return found;
  },
});
