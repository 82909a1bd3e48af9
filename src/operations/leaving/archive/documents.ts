/**
 * The documents of an archive that grow with the account, in the form of Mastodon's archives: outbox, likes, bookmarks.
 * Archives that are being built name them by their index: append only.
 */
import {
  bookmarksAfter,
  favouritesAfter,
  type StatusIdsAfter,
  statusesAfter,
} from '../../../actors/account/leaving/leaving.queries.ts';
import { findStatusRecord } from '../../../actors/account/remote/federation.queries.ts';
import { announceActivity, createActivity } from '../../../federation/documents/activities.ts';
import { notesContext, plainContext } from '../../../federation/documents/contexts.ts';
import { accountAddress } from '../../../federation/documents/note-document.ts';
import { statusAddress } from '../../../federation/documents/quote-documents.ts';
import type { Id } from '../../../runtime/ids.ts';
import type { Services } from '../../../services/services.ts';

export type ArchiveServices = Pick<Services, 'snapshots' | 'addresses' | 'blobs' | 'now'>;

export interface ArchivedItem {
  readonly value: unknown;
  /** Names of the blobs that it shows. */
  readonly media: readonly string[];
}

interface GrowingDocument {
  readonly path: string;
  readonly context: unknown;
  readonly idsAfter: StatusIdsAfter;
  itemOf(services: ArchiveServices, statusId: Id, username: string): ArchivedItem | undefined;
}

const address: GrowingDocument['itemOf'] = ({ snapshots, addresses }, statusId) => {
  const value = statusAddress(snapshots, addresses, statusId);
  return value === undefined ? undefined : { value, media: [] };
};

export const growingDocuments: readonly GrowingDocument[] = [
  { path: 'outbox.json', context: notesContext, idsAfter: statusesAfter, itemOf: activity },
  { path: 'likes.json', context: plainContext, idsAfter: favouritesAfter, itemOf: address },
  { path: 'bookmarks.json', context: plainContext, idsAfter: bookmarksAfter, itemOf: address },
];

export function mediaPathOf(blob: string): string {
  return `media_attachments/files/${blob}`;
}

/** With addresses of media within the archive. Undefined for a boost of what is gone. */
function activity({ snapshots, addresses }: ArchiveServices, statusId: Id, username: string): ArchivedItem | undefined {
  const status = findStatusRecord(snapshots, statusId);
  if (status === undefined) return undefined;
  const { reblogOfId, reblogOfAccountId, visibility } = status;
  if (reblogOfId !== undefined && reblogOfAccountId !== undefined) {
    const object = statusAddress(snapshots, addresses, reblogOfId);
    const author = accountAddress(snapshots, addresses, reblogOfAccountId);
    if (object === undefined || author === undefined) return undefined;
    const value = announceActivity(addresses, username, { reblogId: statusId, visibility, object, author });
    return { value, media: [] };
  }
  const media = (status.attachments ?? []).flatMap(({ url }) => (url === '' || url.includes(':') ? [] : url));
  const places = new Map(media.map((name) => [addresses.media(name), mediaPathOf(name)]));
  const inArchive = (_key: string, value: unknown) =>
    typeof value === 'string' ? (places.get(value) ?? value) : value;
  const written = createActivity(snapshots, addresses, status, username, { isForArchive: true });
  return { value: places.size === 0 ? written : JSON.parse(JSON.stringify(written, inArchive)), media };
}

export function beginningOf({ path, context }: GrowingDocument): string {
  const head = JSON.stringify({ '@context': context, id: path, type: 'OrderedCollection' });
  return `${head.slice(0, -1)},"orderedItems":[`;
}

export function endOf(items: number): string {
  return `],"totalItems":${items}}`;
}
