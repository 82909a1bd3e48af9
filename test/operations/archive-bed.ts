/** Archives of alice at another server, brought to her account here: partitions in memory, and real files. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Account } from '../../src/actors/account/account.messages.ts';
import { importPosts as importEffect, readArchive } from '../../src/actors/account/imports/imports.effects.ts';
import { failedRowsOf, importedStatusId, importsOf } from '../../src/actors/account/imports/imports.queries.ts';
import type { Import } from '../../src/actors/account/imports/imports.records.ts';
import { removeUploadedFiles } from '../../src/actors/account/media/media.effects.ts';
import { findStatusRecord } from '../../src/actors/account/remote/federation.queries.ts';
import type { Status } from '../../src/actors/account/statuses/statuses.records.ts';
import { importPosts } from '../../src/operations/imports/import-posts.ts';
import { postsRunners } from '../../src/operations/imports/posts/posts-runners.ts';
import { mediaRunners } from '../../src/operations/media/media-runners.ts';
import type { Id } from '../../src/runtime/ids.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import type { Snapshots } from '../../src/runtime/storage/snapshots.ts';
import { FolderStore } from '../../src/services/blobs/folder-store.ts';
import { IncomingFiles } from '../../src/services/media/incoming-files.ts';
import type { NetworkServices } from '../../src/services/network-services.ts';
import type { Person } from '../support/observer.ts';
import { only } from '../support/only.ts';
import { type ZipEntry, zipOf } from '../support/zip.ts';
import { Callers } from './callers.ts';

export const old = 'https://old.example/users/alice';
export const everybody = 'https://www.w3.org/ns/activitystreams#Public';
export const toAll = { to: [everybody], cc: [`${old}/followers`] };

/** Tasks run here: what they decode is what a server decodes. */
const pool = only<Pool>('pool', {
  run: async <Result>(file: URL, name: string, input: unknown) =>
    ((await import(file.href)) as Record<string, (given: unknown) => Promise<Result>>)[name]!(input),
});

interface Note {
  readonly [key: string]: unknown;
}

export const note = (id: number, given: Note = {}): Note => ({
  ...{ id: `${old}/statuses/${id}`, type: 'Note', attributedTo: old, inReplyTo: null, sensitive: false, summary: null },
  ...{ published: `2019-05-0${id}T10:00:00Z`, content: `<p>Post ${id}</p>`, ...toAll, tag: [], attachment: [] },
  ...given,
});

export const create = (object: Note): Note => {
  const { id, published, to, cc } = object as Record<string, string>;
  return { id: `${id}/activity`, type: 'Create', actor: old, published, to, cc, object };
};

export function archive(items: readonly unknown[], more: readonly ZipEntry[] = [], actor: Note = { id: old }): Buffer {
  const outbox = { '@context': 'https://www.w3.org/ns/activitystreams', id: 'outbox.json', type: 'OrderedCollection' };
  return zipOf([
    { name: 'actor.json', content: JSON.stringify(actor) },
    { name: 'outbox.json', content: JSON.stringify({ ...outbox, totalItems: items.length, orderedItems: items }) },
    ...more,
  ]);
}

/** Its files end with the test. */
export class ArchiveBed {
  readonly callers = new Callers();
  readonly alice: Person;
  readonly bob: Person;
  readonly folder = mkdtempSync(join(tmpdir(), 'murmuration-posts-'));
  readonly services: NetworkServices;

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true }));
    const { people } = this.callers;
    this.alice = people.local('alice');
    this.bob = people.local('bob');
    const former = people.remote('alice', 'old.example');
    people.server.callNow(Account.changeAliases.to(this.alice.id, { aliasIds: [former.id] }));
    this.services = Object.assign(this.callers.services as NetworkServices, {
      blobs: new FolderStore(join(this.folder, 'blobs')),
      incoming: new IncomingFiles(join(this.folder, 'incoming')),
      mediaPool: pool,
      filmPool: pool,
    });
  }

  read(): Snapshots {
    return this.callers.people.server.read;
  }

  latest(): Import {
    return importsOf(this.read(), this.alice.id)[0]!;
  }

  failures(): string[] {
    const rows = failedRowsOf(this.read(), this.alice.id, this.latest().id);
    return Array.from(rows, ({ line, result }) => `${line} ${result}`);
  }

  /** The incoming files. */
  left(): string[] {
    return readdirSync(join(this.folder, 'incoming'));
  }

  begin(bytes: Buffer | string): Promise<{ importId: Id }> {
    const file = join(this.folder, 'upload');
    writeFileSync(file, bytes);
    return importPosts(this.callers.as(this.alice), { file });
  }

  /** Runs slices until none is asked for, each twice: a kill before its answer was stored. */
  async run(between: () => unknown = () => undefined): Promise<number> {
    const { server } = this.callers.people;
    const runners = new Map([...postsRunners(this.services), ...mediaRunners(this.services)]);
    const wanted = [readArchive.number, importEffect.number, removeUploadedFiles.number];
    for (let slices = 0; ; ) {
      const index = server.effects.findIndex(({ effect }) => wanted.includes(effect));
      const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
      if (asked === undefined) return slices;
      const runner = runners.get(asked.effect)!;
      await runner(asked.request);
      asked.answer(await runner(asked.request));
      server.settle();
      if (asked.effect === removeUploadedFiles.number) continue;
      slices += 1;
      await between();
    }
  }

  /** What became of the rows of an archive that were not taken over. */
  async imported(bytes: Buffer): Promise<string[]> {
    await this.begin(bytes);
    await this.run();
    expect(this.left()).toEqual([]);
    this.callers.people.expectSound();
    return this.failures();
  }

  status(id: number): Status | undefined {
    const statusId = importedStatusId(this.read(), this.alice.id, `${old}/statuses/${id}`);
    return statusId === undefined ? undefined : findStatusRecord(this.read(), statusId);
  }
}
