/** An archive of everything that the caller has here, and its download by its owner. */
import { z } from 'zod';
import { Account } from '../../actors/account/account.messages.ts';
import { archiveOf } from '../../actors/account/leaving/leaving.queries.ts';
import { Failure } from '../../runtime/errors.ts';
import { parseBlobName } from '../../services/blobs/blob-store.ts';
import type { ByteSource } from '../../services/blobs/byte-source.ts';
import { flowOf } from '../caller.ts';
import { operation } from '../operation.ts';

export const requestArchive = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  /** Throws Failure conflict where there was one lately. */
  async run({ caller, services }): Promise<void> {
    await services.client.call(Account.requestArchive.to(caller.accountId, {}), flowOf(caller));
  },
});

export interface OpenArchive {
  readonly source: ByteSource;
  /** Names its content. */
  readonly name: string;
  readonly requestedAt: number;
}

/** The source belongs to whoever asks. */
export const openArchive = operation({
  input: z.object({}),
  permission: 'manageOwnAccount',
  /** Throws Failure notFound where there is none, or not any more. */
  async run({ caller, services }): Promise<OpenArchive> {
    const archive = archiveOf(services.snapshots, caller.accountId);
    const name = archive?.blob && parseBlobName(archive.blob.name);
    const source = name && (await services.blobs.open(name));
    if (archive === undefined || name === undefined || source === undefined) throw new Failure('notFound');
    return { source, name, requestedAt: archive.requestedAt };
  },
});
