/**
 * Reads archives of posts, and takes the posts over. Runs on network threads; the account asks for one slice after another
 * (actors/account/imports/posts.ts).
 */
import {
  importPosts,
  type ReadArchive,
  readArchive,
  type TriedPosts,
} from '../../../actors/account/imports/imports.effects.ts';
import { findImport } from '../../../actors/account/imports/imports.queries.ts';
import {
  ArchiveProblem,
  folderOfImport,
  type Import,
  type ImportedRow,
} from '../../../actors/account/imports/imports.records.ts';
import { importLimits } from '../../../actors/account/imports/limits.ts';
import { activityPubOf } from '../../../federation/activitypub.ts';
import { addressOf } from '../../../federation/documents/values.ts';
import type { KnownAccount } from '../../../federation/known-accounts.ts';
import { parseJsonObject } from '../../../outbound/fetcher/json.ts';
import { type EffectRunner, runnerOf } from '../../../runtime/effects.ts';
import { asFailure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { archiveRefused } from '../../../services/archives/archive-problems.ts';
import type { NetworkServices } from '../../../services/network-services.ts';
import { knownAccount } from '../../accounts/known-account.ts';
import { contextIfUsable } from '../usable-context.ts';
import { addressOfActivity } from './archived-post.ts';
import { archiveReadingLimits } from './limits.ts';
import { archivedActivities, writePostIndex } from './post-index.ts';
import { type PostsContext, takePost } from './take-post.ts';
import { UnpackedArchive } from './unpacked-archive.ts';

export function postsRunners(
  services: NetworkServices,
): readonly (readonly [number, EffectRunner<unknown, unknown>])[] {
  return [
    runnerOf(readArchive, async ({ accountId, importId }): Promise<ReadArchive> => {
      const known = runningImport(services, accountId, importId);
      if (known === undefined) return { importId };
      if (contextIfUsable(services, accountId) === undefined) return { importId, isBarred: true };
      const archive = archiveOf(services, importId);
      try {
        const rows = await unpacked(services, known, archive);
        await authorOf(services, archive, accountId);
        return { importId, rows };
      } catch (error) {
        return { importId, problem: problemIn(error) };
      }
    }),
    runnerOf(importPosts, async ({ accountId, importId, from }): Promise<TriedPosts> => {
      const known = runningImport(services, accountId, importId);
      const nothing = { importId, from, tried: 0, failed: [] };
      if (known === undefined) return nothing;
      const context = contextIfUsable(services, accountId);
      if (context === undefined) return { ...nothing, isBarred: true };
      const archive = archiveOf(services, importId);
      try {
        // Lost with its machine, or left out of a backup.
        if (!(await archive.isComplete())) await unpacked(services, known, archive);
        const author = await authorOf(services, archive, accountId);
        const folder = folderOfImport(importId);
        return { importId, from, ...(await take({ ...context, services, importId, archive, folder, author }, from)) };
      } catch (error) {
        return { ...nothing, problem: problemIn(error) };
      }
    }),
  ];
}

function runningImport({ snapshots }: NetworkServices, accountId: Id, importId: Id): Import | undefined {
  const known = findImport(snapshots, accountId, importId);
  return known?.endedAt === undefined ? known : undefined;
}

function archiveOf({ incoming }: NetworkServices, importId: Id): UnpackedArchive {
  return new UnpackedArchive(incoming.pathOf(folderOfImport(importId)));
}

/** Returns how many activities are in it. */
async function unpacked(services: NetworkServices, { file }: Import, archive: UnpackedArchive): Promise<number> {
  if (file === undefined) throw archiveRefused('archiveLost');
  await archive.unpack(services.incoming.pathOf(file));
  const rows = await writePostIndex(archive);
  await archive.complete();
  return rows;
}

/** Throws Failure archiveOfOther unless it is the account itself, or one of its aliases. */
async function authorOf(services: NetworkServices, archive: UnpackedArchive, accountId: Id): Promise<KnownAccount> {
  const actor = parseJsonObject(await archive.readActor(), archiveReadingLimits.activityDepthMax);
  const uri = addressOf(actor?.id);
  const author = uri === undefined ? undefined : activityPubOf(services).accounts.find(uri);
  const { aliasIds = [] } = knownAccount(services, accountId).profile;
  if (author === undefined || ![accountId, ...aliasIds].includes(author.id)) throw archiveRefused('archiveOfOther');
  return author;
}

/** Throws whatever is not the fault of the archive: the effect runs again. */
function problemIn(error: unknown): ArchiveProblem {
  const problem = ArchiveProblem.safeParse(asFailure(error).reason);
  if (problem.success) return problem.data;
  if (isDiskFull(error)) return 'archiveDiskFull';
  throw error;
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

async function take(context: PostsContext, from: number): Promise<Pick<TriedPosts, 'tried' | 'failed' | 'leftOut'>> {
  const { monotonic } = context.services;
  const { postsPerSlice, sliceMilliseconds } = importLimits;
  const until = monotonic() + sliceMilliseconds;
  const failed: ImportedRow[] = [];
  let [tried, leftOut] = [0, 0];
  for await (const archived of archivedActivities(context.archive, from, postsPerSlice)) {
    const result = await takePost(context, archived);
    tried += 1;
    const { number: line, activity } = archived;
    if (result === 'boost' || result === 'direct') leftOut += 1;
    else if (result !== 'done')
      failed.push({ line, values: [(activity && addressOfActivity(activity)) ?? ''], result });
    if (monotonic() >= until) break;
  }
  if (tried === 0) throw archiveRefused('archiveBroken');
  return { tried, failed, leftOut };
}
