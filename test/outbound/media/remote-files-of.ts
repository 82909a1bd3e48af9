/** Remote files over a folder of the test, and what they counted. Pictures are decoded in this process. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CachedMedia } from '../../../src/outbound/media/cached-media.ts';
import { RemoteFiles, type RemoteFilesOptions } from '../../../src/outbound/media/remote-files.ts';
import type { Pool } from '../../../src/runtime/pool.ts';
import { decodePicture, type PictureTask } from '../../../src/services/media/decode-picture.task.ts';
import type { ProxiedKind } from '../../../src/services/media/proxied-media.ts';
import type { RemoteFileReply } from '../../../src/services/media/remote-media.ts';
import { roomyCaches } from '../../support/caches.ts';
import type { NetworkOverrides } from '../fetcher/remote-host.ts';
import type { TestBed } from '../fetcher/test-bed.ts';

const inThisProcess: Pool = {
  run: <Result>(_file: URL, _name: string, input: unknown) => decodePicture(input as PictureTask) as Promise<Result>,
  close: () => Promise.resolve(),
};

export interface RemoteFilesGiven {
  readonly quotaBytes?: number;
  readonly pool?: Pool;
  readonly network?: NetworkOverrides;
  readonly more?: Partial<RemoteFilesOptions>;
  readonly folder?: string;
}

/** Closed with the bed. */
export async function remoteFilesOf(bed: TestBed, given: RemoteFilesGiven = {}) {
  const folder = given.folder ?? (await mkdtemp(join(tmpdir(), 'remote-files-')));
  bed.atEnd(() => rm(folder, { recursive: true, force: true }));
  const network = bed.network(given.network);
  const outcomes: string[] = [];
  const failures: unknown[] = [];
  const cached = new CachedMedia({
    folder: join(folder, 'hosts'),
    bytesMax: given.quotaBytes ?? 10_000_000,
    owns: () => true,
    now: () => network.clock.milliseconds,
    failed: (error) => void failures.push(error),
  });
  const files = new RemoteFiles({
    fetcher: network.fetcher,
    cached,
    pool: given.pool ?? inThisProcess,
    caches: roomyCaches('network'),
    incomingFolder: join(folder, 'incoming'),
    playedBytesMax: 1_000_000,
    rejectsMedia: () => false,
    counted: (outcome) => void outcomes.push(outcome),
    evicted: () => undefined,
    ...given.more,
  });
  /** Waits for what is still arriving. */
  const ask = async (address: string, kind: ProxiedKind = 'picture', mayFetch = true): Promise<RemoteFileReply> => {
    const reply = await files.file({ kind, address, mayFetch });
    if (reply.state !== 'arriving') return reply;
    const { path, byteLength: beyond } = reply;
    const arrival = async () => await files.arrival({ kind, address, path, beyond });
    while (!(await arrival()).isOver);
    return ask(address, kind, mayFetch);
  };
  /** Folders of downloads. */
  const left = async () => (await readdir(join(folder, 'incoming')).catch(() => [])).length;
  return { files, cached, ask, outcomes, failures, folder, network, left };
}
