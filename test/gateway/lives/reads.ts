/** Everything that somebody can read of a server in a story, and whether two gateways answer the same. */
import { collectionsOf } from '../../../src/actors/account/collections/collections.queries.ts';
import { filtersOf } from '../../../src/actors/account/filters/filters.queries.ts';
import { listsOf } from '../../../src/actors/account/lists/lists.queries.ts';
import { Failure } from '../../../src/runtime/errors.ts';
import { problemsOf } from '../../support/answer-shapes.ts';
import type { MemoryApi } from '../../support/memory-api.ts';
import type { Person } from '../../support/observer.ts';
import { endpointOf, type Given, type LivesTown } from './town.ts';

export type Read = readonly [path: string, given?: Given];

const page = { limit: 40 };

/** Of anybody. */
const open: readonly Read[] = [
  ['/api/v1/timelines/public', page],
  ['/api/v1/timelines/public', { ...page, local: true }],
  ['/api/v1/timelines/public', { ...page, remote: true }],
  ['/api/v1/timelines/tag/:hashtag', { ...page, hashtag: 'cats' }],
  ['/api/v1/directory', page],
  ['/api/v2/search', { q: 'hello' }],
  ['/api/v2/search', { q: 'al' }],
  ['/api/v2/instance'],
];

const own: readonly Read[] = [
  ['/api/v1/timelines/home', page],
  ['/api/v1/accounts/verify_credentials'],
  ['/api/v1/preferences'],
  ['/api/v1/blocks', page],
  ['/api/v1/mutes', page],
  ['/api/v1/bookmarks', page],
  ['/api/v1/favourites', page],
  ['/api/v1/endorsements', page],
  ['/api/v1/domain_blocks'],
  ['/api/v1/follow_requests', page],
  ['/api/v1/followed_tags'],
  ['/api/v1/featured_tags'],
  ['/api/v1/lists'],
  ['/api/v2/filters'],
  ['/api/v1/filters'],
  ['/api/v1/conversations', page],
  ['/api/v1/notifications', page],
  ['/api/v1/notifications', { ...page, include_filtered: true }],
  ['/api/v2/notifications', page],
  ['/api/v2/notifications', { ...page, expand_accounts: 'partial_avatars' }],
  ['/api/v1/notifications/unread_count'],
  ['/api/v2/notifications/unread_count'],
  ['/api/v2/notifications/policy'],
  ['/api/v1/notifications/requests', page],
  ['/api/v1/scheduled_statuses', page],
  ['/api/v1/markers', { timeline: ['home', 'notifications'] }],
  ['/api/v1/announcements'],
  ['/api/v2/suggestions', page],
  ['/api/v1/reports'],
  ['/api/v1/tags/:name', { name: 'cats' }],
];

/** Everything, of whatever there is and was. */
export function readsOf(town: LivesTown, viewer: Person | undefined): Read[] {
  const { read } = town.server;
  const reads: Read[] = [...open, ...(viewer === undefined ? [] : own)];
  for (const { id } of town.everybody) {
    reads.push(['/api/v1/accounts/:id', { id }]);
    for (const more of [{}, { pinned: true }, { exclude_replies: true }, { exclude_reblogs: true }, { tagged: 'cats' }])
      reads.push(['/api/v1/accounts/:id/statuses', { id, ...page, ...more }]);
    for (const list of ['followers', 'following', 'endorsements', 'featured_tags', 'collections'])
      reads.push([`/api/v1/accounts/:id/${list}`, { id }]);
    if (viewer !== undefined)
      reads.push(['/api/v1/accounts/:id/lists', { id }], ['/api/v1/accounts/:id/in_collections', { id }]);
    for (const collection of collectionsOf(read, id)) reads.push(['/api/v1/collections/:id', { id: collection.id }]);
  }
  if (viewer !== undefined) {
    const ids = town.everybody.map(({ id }) => `${id}`);
    reads.push(['/api/v1/accounts/relationships', { id: ids, with_suspended: true }]);
    reads.push(['/api/v1/accounts/familiar_followers', { id: ids }]);
    for (const { id } of listsOf(read, viewer.id))
      reads.push(
        ['/api/v1/lists/:id', { id }],
        ['/api/v1/lists/:id/accounts', { id }],
        ['/api/v1/timelines/list/:list_id', { list_id: id, ...page }],
      );
    for (const { id } of filtersOf(read, viewer.id)) reads.push(['/api/v2/filters/:id', { id }]);
  }
  reads.push(['/api/v1/statuses', { id: [...town.known].map((id) => `${id}`) }]);
  for (const id of town.known) {
    reads.push(['/api/v1/statuses/:id', { id }], ['/api/v1/statuses/:id/context', { id }]);
    for (const list of ['favourited_by', 'reblogged_by', 'history'])
      reads.push([`/api/v1/statuses/:id/${list}`, { id }]);
    if (viewer !== undefined) reads.push(['/api/v1/statuses/:id/quotes', { id }], ['/api/v1/polls/:id', { id }]);
  }
  return reads;
}

/** Of a list with pages now and then another page, between any two ids. */
export function paged(town: LivesTown, read: Read): Read {
  const { random } = town;
  const [path, given] = read;
  if (given?.limit === undefined || town.known.size === 0 || random.chance(0.7)) return read;
  const ids = [...town.known];
  const bounds = { [random.pick(['max_id', 'min_id', 'since_id'])]: `${random.pick(ids)}` };
  return [path, { ...given, limit: random.pick([1, 3, 20]), ...bounds }];
}

/** An answer as text, or the refusal. Throws for an answer that is not as declared. */
export async function answerOf(api: MemoryApi, viewer: Person | undefined, [path, given]: Read): Promise<string> {
  const endpoint = endpointOf('GET', path);
  try {
    const { status, body, links } = await api.ask<unknown>(endpoint, viewer, given);
    const problems = endpoint.answer === undefined ? '' : problemsOf(endpoint.answer, body);
    if (problems !== '') throw new Error(`${path} is not as declared: ${problems}\n${JSON.stringify(body)}`);
    return JSON.stringify({ status, body, links });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.code;
  }
}

/** The first difference between what two gateways answer. */
export async function differenceBetween(
  one: MemoryApi,
  other: MemoryApi,
  viewer: Person | undefined,
  reads: readonly Read[],
): Promise<string | undefined> {
  for (const read of reads) {
    const [first, second] = [await answerOf(one, viewer, read), await answerOf(other, viewer, read)];
    if (first === second) continue;
    let at = 0;
    while (first[at] === second[at]) at += 1;
    const around = (text: string) => text.slice(Math.max(0, at - 300), at + 200);
    return `${viewer?.name ?? 'a visitor'} reads ${read[0]} ${JSON.stringify(read[1], (_key, value) => (typeof value === 'bigint' ? `${value}` : value))}:\n${around(first)}\nbut\n${around(second)}`;
  }
  return undefined;
}
