/** The files of other servers that an account or a status shows. */

import { findAccount } from '../../actors/account/profile/profiles.queries.ts';
import { findAnybodysStatus } from '../../actors/account/status-views.queries.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Resolved } from '../services.ts';

/** Addresses of files at other servers; undefined where there is no such account or status. */
export function filesShownBy(snapshots: Snapshots, resolved: Resolved): string[] | undefined {
  if ('accountId' in resolved) {
    const profile = findAccount(snapshots, resolved.accountId)?.profile;
    return profile && present([profile.avatar, profile.header, ...profile.emojis.flatMap(picturesOf)]);
  }
  const status = 'statusId' in resolved ? findAnybodysStatus(snapshots, resolved.statusId)?.status : undefined;
  if (status === undefined) return undefined;
  const files = status.attachments.flatMap(({ url, previewUrl }) => [url, previewUrl]);
  return present([...files, ...status.emojis.flatMap(picturesOf)]);
}

function picturesOf({ url, staticUrl }: { readonly url: string; readonly staticUrl: string }): string[] {
  return [url, staticUrl];
}

/** Names of blobs of this server are no addresses. */
function present(references: readonly (string | undefined)[]): string[] {
  return references.filter((reference) => reference?.includes('://') === true) as string[];
}
