/** Takes over the posts of an archive that another server has made of an account. */
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { importsOf } from '../../actors/account/imports/imports.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import type { Id } from '../../runtime/ids.ts';
import { archiveRefused } from '../../services/archives/archive-problems.ts';
import { kindOfArchive } from '../../services/archives/foreign-archive.ts';
import type { Services } from '../../services/services.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';
import type { CallerLimits } from '../rate-limits.ts';

/** What a form has besides its archive. */
const restOfFormBytesMax = 1024 * 1024;

interface Sender {
  readonly accountId: Id;
  readonly limits: CallerLimits;
}

/**
 * Before an archive is received, which counts whether all of it comes or not. Returns what checks the size of its form: it
 * throws Failure validation for one that is too large. Throws tooManyRequests, and conflict while another import runs.
 */
export function admitArchive(
  { options, snapshots }: Pick<Services, 'options' | 'snapshots'>,
  { accountId, limits }: Sender,
): (bytes: number) => void {
  limits.check('imports');
  limits.take('archives');
  if (importsOf(snapshots, accountId).some(({ endedAt }) => endedAt === undefined))
    throw new Failure('conflict', { reason: 'importRuns' });
  return (bytes) => {
    if (bytes > options.importBytes + restOfFormBytesMax) throw archiveRefused('archiveTooLarge');
  };
}

export const importPosts = operation({
  /** The path of a temporary file, which is moved away. */
  input: z.object({ file: z.string() }),
  permission: 'manageOwnAccount',
  limit: 'imports',
  /** Throws Failure validation for what is no archive, or too large, and conflict while another import runs. */
  async run({ caller, services }, { file }): Promise<{ importId: Id }> {
    const { incoming, client, options } = services;
    await kindOfArchive(file);
    if ((await stat(file)).size > options.importBytes) throw archiveRefused('archiveTooLarge');
    const name = await incoming.take(file);
    try {
      return await client.call(Account.beginPosts.to(caller.accountId, { file: name }), flowOf(caller));
    } catch (error) {
      // Whether it was stored is unknown only after `outcomeUnknown`: then its effect needs the file.
      if (!(error instanceof Failure && error.code === 'outcomeUnknown')) await incoming.remove(name);
      throw error;
    }
  },
});
