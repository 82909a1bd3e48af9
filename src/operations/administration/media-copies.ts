/** The disk space of media: what there is, and removing copies of files of other servers, which come again on demand. */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import { filesShownBy } from '../../services/media/files-shown-by.ts';
import type { HostUsage, RemovedCount } from '../../services/media/remote-media.ts';
import type { Resolved, Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { blobMove, type MoveProgress } from '../media/move-blobs.ts';
import { operation } from '../operation.ts';

export const mediaDaysMax = 3_650;

const dayMilliseconds = 24 * 60 * 60 * 1_000;
const resolveMilliseconds = 8_000;
const copies = { nothing: 'what is removed are copies, which are fetched again when they are viewed' } as const;

export interface MediaUsage {
  /** Uploads of people of this server, in all their forms. */
  readonly local: RemovedCount;
  /** Copies, by the host that has the file, the largest first. */
  readonly hosts: readonly HostUsage[];
}

export const mediaUsage = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: reads,
  async run({ services: { blobs, remoteMedia } }): Promise<MediaUsage> {
    const local = { files: 0, bytes: 0 };
    for await (const { bytes } of blobs.list()) {
      local.files += 1;
      local.bytes += bytes;
    }
    return { local, hosts: await remoteMedia.usage() };
  },
});

const moveMilliseconds = 1_000;

/** Moves uploads to the store of the options, for a second: whoever wants all of it asks again until the state is `done`. */
export const moveMedia = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: { nothing: 'the same files are in another place, and the options of the server say so' },
  run: ({ services }): Promise<MoveProgress> => blobMove(services).advance(moveMilliseconds),
});

/** Removes copies that were not viewed for so many days, of one host or of all. */
export const pruneMedia = operation({
  input: z.object({ days: z.int().min(1).max(mediaDaysMax).optional(), host: z.string().toLowerCase().optional() }),
  permission: 'operateMachine',
  audit: copies,
  async run({ services: { remoteMedia, now } }, { days, host }): Promise<RemovedCount> {
    if (days === undefined && host === undefined)
      throw new Failure('validation', { text: 'Say of how many days with --days, or of which server with --host.' });
    const notViewedSince = days === undefined ? undefined : now() - days * dayMilliseconds;
    return remoteMedia.remove({ notViewedSince, host });
  },
});

/**
 * Removes the copies of what an account or a status shows, and forgets that fetching failed. `subject` is a handle or an
 * address. Throws Failure notFound, remoteUnreachable.
 */
export const refreshMedia = operation({
  input: z.object({ subject: z.string().trim() }),
  permission: 'operateMachine',
  audit: copies,
  async run({ services }, { subject }): Promise<RemovedCount> {
    const resolved = await resolve(services, subject);
    const addresses = resolved && filesShownBy(services.snapshots, resolved);
    if (addresses === undefined) throw new Failure('notFound', { text: `${subject} is no account and no post` });
    return services.remoteMedia.remove({ addresses });
  },
});

async function resolve({ resolver }: Services, subject: string): Promise<Resolved | undefined> {
  if (subject.includes('://')) return resolver.resolveAddress(subject, resolveMilliseconds);
  const handle = subject.replace(/^@/, '').toLowerCase();
  const accountId = handle.includes('@') ? await resolver.resolveHandle(handle, resolveMilliseconds) : undefined;
  return accountId === undefined ? undefined : { accountId };
}
