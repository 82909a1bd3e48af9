/** Stores decoded files as blobs, named by their content. */
import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Blob } from '../../actors/blob/blob.messages.ts';
import type { HeldBlob } from '../../actors/blob/blob.records.ts';
import { Failure } from '../../runtime/errors.ts';
import { blobNameOf, namingSecretOf } from '../../services/blobs/blob-names.ts';
import type { BlobName } from '../../services/blobs/blob-store.ts';
import { secretsOf } from '../../services/instance-secrets.ts';
import type { Services } from '../../services/services.ts';

export interface DecodedFile {
  readonly file: string;
  readonly mediaType: string;
  readonly bytes: number;
}

type StoreServices = Pick<Services, 'blobs' | 'client' | 'snapshots' | 'now' | 'members'>;

/**
 * The blobs are stored, and stay for a day without a holder: whoever stores them has somebody hold them. All are announced at
 * once, so that those of one partition take one commit. Throws Failure storageUnavailable, and overloaded while older bytes
 * of such a name are being removed.
 */
export async function storeFiles(services: StoreServices, files: readonly DecodedFile[]): Promise<HeldBlob[]> {
  const secret = await namingSecret(services);
  const names = await Promise.all(
    files.map(({ file, mediaType }) => blobNameOf(createReadStream(file), mediaType, secret)),
  );
  await Promise.all(files.map(({ bytes }, index) => announce(services, names[index]!, bytes)));
  await Promise.all(files.map(({ file, mediaType }, index) => services.blobs.put(names[index]!, file, mediaType)));
  return files.map(({ bytes }, index) => ({ name: names[index]!, bytes }));
}

export async function namingSecret(services: Omit<StoreServices, 'blobs'>): Promise<string> {
  return namingSecretOf(await secretsOf(services));
}

const removalMilliseconds = 200;
const removalAttempts = 25;

/** Bytes that are being removed are gone in a moment. */
export async function announce({ client }: Pick<Services, 'client'>, name: BlobName, bytes: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.call(Blob.announce.to(name, { bytes }), 'system');
      return;
    } catch (error) {
      const isBusy = error instanceof Failure && error.code === 'overloaded';
      if (!isBusy || attempt >= removalAttempts) throw error;
      await setTimeout(removalMilliseconds);
    }
  }
}
