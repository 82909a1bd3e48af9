/**
 * Removes incoming files to which nothing leads: what a process has left that was killed between the arrival of a file and the
 * commit that would have named it, or while it decoded one.
 */

import { runningPostImports } from '../../actors/account/imports/imports.queries.ts';
import { folderOfImport } from '../../actors/account/imports/imports.records.ts';
import { buildArchive } from '../../actors/account/leaving/leaving.effects.ts';
import { folderOfArchive } from '../../actors/account/leaving/leaving.records.ts';
import { decodeMedia, removeUploadedFiles } from '../../actors/account/media/media.effects.ts';
import { requestsOfEffects } from '../../runtime/effect-requests.ts';
import { unlessDamaged } from '../../runtime/storage/reader.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { NetworkServices, NetworkTask } from '../../services/network-services.ts';

type Needed = Pick<NetworkServices, 'snapshots' | 'incoming'>;

/** At a start, on one of the network threads. */
export function abandonedFiles(services: NetworkServices): NetworkTask {
  const { now, index, report } = services;
  return {
    start() {
      if (index !== 0) return;
      // Files of this process may be on their way to a commit, also where only this thread is new.
      void removeAbandoned(services, now() - process.uptime() * 1_000).catch((error: unknown) =>
        report({ level: 'error', message: 'files that nothing leads to were not removed', error }),
      );
    },
    stop: () => Promise.resolve(),
  };
}

/** Of those that were written before a time. */
export async function removeAbandoned({ snapshots, incoming }: Needed, before: number): Promise<void> {
  const found = await incoming.writtenBefore(before);
  if (found.length === 0) return;
  const named = namesIn(snapshots.beginReads());
  if (named === undefined) return;
  for (const name of found) if (!named.has(name)) await incoming.remove(name);
}

/** What effects, those that have failed for good, and imports need. Undefined where some of it cannot be read. */
function namesIn(snapshots: Snapshots): Set<string> | undefined {
  return unlessDamaged(() => {
    const names = new Set<string>();
    for (const reader of snapshots.partitions)
      for (const { effect, request } of requestsOfEffects(reader))
        for (const name of namesOf(effect, request)) names.add(name);
    for (const { id, file } of runningPostImports(snapshots)) {
      names.add(folderOfImport(id));
      if (file !== undefined) names.add(file);
    }
    return names;
  });
}

function namesOf(effect: number, request: unknown): string[] {
  if (effect === buildArchive.number) return [folderOfArchive(buildArchive.request.parse(request).archiveId)];
  const upload =
    effect === decodeMedia.number
      ? decodeMedia.request.parse(request).upload
      : effect === removeUploadedFiles.number
        ? removeUploadedFiles.request.parse(request)
        : {};
  return [upload.file, upload.thumbnail].filter((name) => name !== undefined);
}
