/** Fetches a remote collection with all its pages. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../outbound/fetcher/json.ts';
import { isSameHost, referenceOf, valuesOf } from '../documents/values.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import type { RemotePinsOptions } from './remote-pins.ts';

const pagesMax = 10;

type Web = Pick<RemotePinsOptions, 'fetcher' | 'signer'>;

/**
 * Undefined unless all members are known, and fewer than `membersMax`: what is missing from a collection is removed, and
 * must not be missing because a page could not be read.
 */
export async function wholeCollectionAt(
  web: Web,
  address: string,
  membersMax: number,
): Promise<JsonValue[] | undefined> {
  const members: JsonValue[] = [];
  let next: JsonValue | undefined = address;
  for (let pages = 0; next !== undefined && pages <= pagesMax; pages += 1) {
    const page: JsonObject | undefined = isJsonObject(next) ? next : await documentAt(web, next, address);
    if (page === undefined) return undefined;
    members.push(...valuesOf(page.orderedItems ?? page.items, membersMax));
    if (members.length >= membersMax) return undefined;
    next = page.first ?? page.next ?? undefined;
  }
  return next === undefined ? members : undefined;
}

async function documentAt(
  { fetcher, signer }: Web,
  address: JsonValue,
  collection: string,
): Promise<JsonObject | undefined> {
  const url = referenceOf(address);
  if (url === undefined || !isSameHost(url, collection)) return undefined;
  const fetched = await fetchActivityDocument(fetcher, { url, signer: await signer(), fresh: true });
  return fetched.ok ? fetched.document : undefined;
}
