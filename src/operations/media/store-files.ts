/** Stores decoded files as blobs, named by their content. */
import { createHmac } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Blob } from '../../actors/blob/blob.messages.ts';
import type { HeldBlob } from '../../actors/blob/blob.records.ts';
import { Failure } from '../../runtime/errors.ts';
import { blobNameOf } from '../../services/blobs/blob-names.ts';
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
 * The blob is stored, and stays for a day without a holder: whoever stores it has somebody hold it. Throws Failure
 * storageUnavailable, and overloaded while older bytes of that name are being removed.
 */
export async function storeFile(services: StoreServices, { file, mediaType, bytes }: DecodedFile): Promise<HeldBlob> {
  const name = await blobNameOf(createReadStream(file), mediaType, await namingSecret(services));
  await announce(services, name, bytes);
  await services.blobs.put(name, file, mediaType);
  return { name, bytes };
}

/** A key of its own for names, so that they tell nothing about the other uses of the secret. */
export async function namingSecret(services: Omit<StoreServices, 'blobs'>): Promise<string> {
  const { formSecret } = await secretsOf(services);
  return createHmac('sha256', formSecret).update('names of blobs').digest('base64url');
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
