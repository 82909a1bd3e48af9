/**
 * Builds archives of accounts. Runs on network threads; the account asks for one slice after another
 * (actors/account/leaving/archives.ts).
 */
import { type BuiltArchive, buildArchive } from '../../../actors/account/leaving/leaving.effects.ts';
import { archiveOf } from '../../../actors/account/leaving/leaving.queries.ts';
import { type ArchiveProgress, folderOfArchive } from '../../../actors/account/leaving/leaving.records.ts';
import { findLocalAccount, type LocalAccount } from '../../../actors/account/profile/logins.queries.ts';
import { type EffectRunner, runnerOf } from '../../../runtime/effects.ts';
import { isTemporary } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { isUnreadable } from '../../../runtime/storage/snapshots.ts';
import { type ArchivedFile, ArchiveFiles } from '../../../services/archives/archive-files.ts';
import type { Services } from '../../../services/services.ts';
import { storeFiles } from '../../media/store-files.ts';
import { type ArchivedItem, beginningOf, endOf, growingDocuments } from './documents.ts';
import { archiveLimits } from './limits.ts';
import { mediaFile } from './media-file.ts';
import { remainingFiles } from './remaining-files.ts';

const atBeginning: ArchiveProgress = { document: 0, items: 0, documentBytes: 0, archiveBytes: 0 };

export function archiveRunner(services: Services): readonly [number, EffectRunner<unknown, unknown>] {
  return runnerOf(buildArchive, async ({ accountId, archiveId, progress = atBeginning }): Promise<BuiltArchive> => {
    const { snapshots, incoming } = services;
    const account = findLocalAccount(snapshots, accountId);
    const archive = archiveOf(snapshots, accountId);
    const folder = incoming.pathOf(folderOfArchive(archiveId));
    const files = new ArchiveFiles(folder, archive?.requestedAt ?? 0, progress.document);
    const isWanted = archive?.id === archiveId && archive.readyAt === undefined;
    // What is there no more is built anew.
    if (account === undefined || !isWanted || !(await files.resume(progress.archiveBytes, progress.documentBytes))) {
      await files.remove();
      return { archiveId };
    }
    try {
      return { archiveId, ...(await build({ services, account, files, progress })) };
    } catch (error) {
      if (isTemporary(error) || isUnreadable(error)) throw error;
      services.report({ level: 'error', message: 'an archive could not be built', error });
      await files.remove();
      return { archiveId, hasFailed: true };
    }
  });
}

interface Slice {
  readonly services: Services;
  readonly account: LocalAccount;
  readonly files: ArchiveFiles;
  readonly progress: ArchiveProgress;
}

async function build(slice: Slice): Promise<Omit<BuiltArchive, 'archiveId'>> {
  const { services, account, files, progress } = slice;
  if (progress.document < growingDocuments.length) return { progress: await grow(slice) };
  const bytes = await files.addToArchive(await remainingFiles(services, account), true);
  const [blob] = await storeFiles(services, [{ file: files.archive, mediaType: 'application/gzip', bytes }]);
  return { blob: blob! };
}

async function grow({ services, account, files, progress }: Slice): Promise<ArchiveProgress> {
  const document = growingDocuments[progress.document]!;
  const { sliceItemsMax, sliceMediaBytesMax } = archiveLimits;
  const entries = document.idsAfter(services.snapshots, account.id, progress.after, sliceItemsMax);
  const items: ArchivedItem[] = [];
  const media: ArchivedFile[] = [];
  let after: Id | undefined;
  let mediaBytes = 0;
  for (const { key, statusId } of entries) {
    after = key;
    const item = document.itemOf(services, statusId, account.profile.username);
    if (item === undefined) continue;
    items.push(item);
    for (const name of item.media) {
      const file = await mediaFile(services, name);
      if (file !== undefined) media.push(file);
      mediaBytes += file?.bytes ?? 0;
    }
    if (mediaBytes >= sliceMediaBytesMax) break;
  }
  const isLast = entries.length < sliceItemsMax && after === entries.at(-1)?.key;
  const total = progress.items + items.length;
  const head = progress.documentBytes === 0 ? beginningOf(document) : '';
  const text = items.map(({ value }, index) => (progress.items + index === 0 ? '' : ',') + JSON.stringify(value));
  const documentBytes = await files.addToDocument(`${head}${text.join('')}${isLast ? endOf(total) : ''}`);
  if (!isLast) {
    const archiveBytes = media.length === 0 ? progress.archiveBytes : await files.addToArchive(media);
    return { ...progress, after, items: total, documentBytes, archiveBytes };
  }
  const archiveBytes = await files.addToArchive([...media, await files.documentFile(document.path)]);
  return { document: progress.document + 1, items: 0, documentBytes: 0, archiveBytes };
}
