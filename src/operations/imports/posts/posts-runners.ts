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
import { asFailure, Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { archiveRefused } from '../../../services/archives/archive-problems.ts';
import type { NetworkServices } from '../../../services/network-services.ts';
import { knownAccount } from '../../accounts/known-account.ts';
import { contextIfUsable } from '../usable-context.ts';
import { archivedBookmarks } from './archived-bookmarks.ts';
import { addressOfActivity } from './archived-post.ts';
import { archiveReadingLimits } from './limits.ts';
import { archivedActivities, writePostIndex } from './post-index.ts';
import { type PostsContext, takePost } from './take-post.ts';
import { UnpackedArchive } from './unpacked-archive.ts';

/** Between two looks at whether an archive that is unpacked is still wanted. */
const lookMilliseconds = 500;

export function postsRunners(
  services: NetworkServices,
): readonly (readonly [number, EffectRunner<unknown, unknown>])[] {
  /** A large archive takes longer than effects are waited for: one that is asked for again joins what goes on. */
  const underWay = new Map<Id, Promise<number>>();
  const unpackedOnce = (known: Import, ...rest: [UnpackedArchive, () => boolean]) => {
    const begun = underWay.get(known.id) ?? unpacked(services, known, ...rest).finally(() => underWay.delete(known.id));
    underWay.set(known.id, begun);
    return begun;
  };
  return [
    runnerOf(readArchive, async ({ accountId, importId }): Promise<ReadArchive> => {
      const known = runningImport(services, accountId, importId);
      if (known === undefined) return { importId };
      if (contextIfUsable(services, accountId) === undefined) return { importId, isBarred: true };
      const archive = archiveOf(services, importId);
      const isWanted = () => runningImport(services, accountId, importId) !== undefined;
      try {
        const rows = await unpackedOnce(known, archive, isWanted);
        await authorOf(services, archive, accountId);
        return { importId, rows, bookmarks: await archivedBookmarks(archive) };
      } catch (error) {
        return isWanted() ? { importId, problem: problemIn(error) } : { importId };
      }
    }),
    runnerOf(importPosts, async ({ accountId, importId, from }): Promise<TriedPosts> => {
      const known = runningImport(services, accountId, importId);
      const nothing = { importId, from, tried: 0, failed: [] };
      if (known === undefined) return nothing;
      const context = contextIfUsable(services, accountId);
      if (context === undefined) return { ...nothing, isBarred: true };
      const archive = archiveOf(services, importId);
      const isWanted = () => runningImport(services, accountId, importId) !== undefined;
      try {
        // Lost with its machine, or left out of a backup.
        if (!(await archive.isComplete())) await unpackedOnce(known, archive, isWanted);
        const author = await authorOf(services, archive, accountId);
        const folder = folderOfImport(importId);
        const posts = { ...context, services, importId, archive, folder, author };
        return { importId, from, ...(await take(posts, from, isWanted)) };
      } catch (error) {
        return isWanted() ? { ...nothing, problem: problemIn(error) } : nothing;
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

/** Returns how many activities are in it. Throws Failure notFound where it is not wanted any more, by a look now and then. */
async function unpacked(
  { incoming, monotonic }: NetworkServices,
  { file }: Import,
  archive: UnpackedArchive,
  isWanted: () => boolean,
): Promise<number> {
  if (file === undefined) throw archiveRefused('archiveLost');
  let lookAt = monotonic() + lookMilliseconds;
  const assertWanted = () => {
    if (monotonic() < lookAt) return;
    lookAt = monotonic() + lookMilliseconds;
    if (!isWanted()) throw new Failure('notFound');
  };
  await archive.unpack(incoming.pathOf(file), assertWanted);
  const rows = await writePostIndex(archive, assertWanted);
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

async function take(
  context: PostsContext,
  from: number,
  isWanted: () => boolean,
): Promise<Pick<TriedPosts, 'tried' | 'failed' | 'leftOut'>> {
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
    if (monotonic() >= until || !isWanted()) break;
  }
  if (tried === 0) throw archiveRefused('archiveBroken');
  return { tried, failed, leftOut };
}
