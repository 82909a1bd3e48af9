/** The requests of the walk: one for each GET of the API document, with objects that exist. */
import type { Server } from '../processes/server.ts';
import type { ArchiveFacts } from '../seed/archive.ts';
import { nameOfPerson } from '../seed/community.ts';
import { tokenOf } from '../seed/people.ts';
import { type WalkWorld, walkAccounts } from './walk-world.ts';

interface Documented {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Documented[] } }>>;
}

export interface WalkRequest {
  /** As in the document, or in words. */
  readonly what: string;
  readonly path: string;
  readonly listsAccounts: boolean;
}

const perPage = 20;
/** Paths whose answer lists accounts; the others with `limit` list other things. */
const accountLists =
  /\/(followers|following|endorsements|mutes|blocks|favourited_by|reblogged_by|suggestions|directory|follow_requests|familiar_followers|relationships|search)$|\/lists\/\{id\}\/accounts$|\/v1\/accounts$/;

/** Beside those of the document. */
const variants = [
  '/api/v1/timelines/public?only_media=true&limit=20',
  '/api/v1/timelines/tag/bench1?only_media=true&limit=20',
  `/api/v1/accounts/search?q=person1&limit=${walkAccounts}`,
  '/api/v2/search?q=bench&type=hashtags&limit=20',
];

export async function walkRequests(server: Server, facts: ArchiveFacts, world: WalkWorld): Promise<WalkRequest[]> {
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${tokenOf(world.readerId)}` };
    const answer = await fetch(server.origin + path, { headers });
    return answer.ok ? ((await answer.json()) as unknown) : undefined;
  };
  const { paths } = (await ask('/api/openapi.json')) as Document;
  const requests: WalkRequest[] = [];
  for (const [what, { get }] of Object.entries(paths)) {
    if (get === undefined || what.startsWith('/api/v1/streaming/')) continue;
    const listsAccounts = accountLists.test(what);
    const base = await fillPath(what, facts, world, ask);
    const query = queryOf(what, get.parameters ?? [], facts, world, listsAccounts);
    requests.push({ what, path: query === '' ? base : `${base}?${query}`, listsAccounts });
  }
  for (const path of variants) requests.push({ what: path, path, listsAccounts: path.includes('/accounts/') });
  const names = nameOfPerson(0);
  for (const path of [`/@${names}.rss`, `/users/${names}/outbox?page=true`])
    requests.push({ what: path, path, listsAccounts: false });
  return requests;
}

/** Names in a path stand for what exists: ids of other things are those of the first in their list. */
async function fillPath(
  path: string,
  { authors, readers, lists }: ArchiveFacts,
  world: WalkWorld,
  ask: (path: string) => Promise<unknown>,
): Promise<string> {
  let filled = path
    .replace('/accounts/{id}/follow', `/accounts/${readers[1]}/follow`)
    .replace('/accounts/{id}', `/accounts/${path.includes('endorsements') ? world.readerId : authors[0]}`)
    .replace('/statuses/{id}', `/statuses/${world.statusId}`)
    .replace('/timelines/list/{list_id}', `/timelines/list/${lists[0]}`)
    .replace(/\{(hashtag|name)\}/, 'bench1');
  for (let open = filled.indexOf('/{'); open >= 0; open = filled.indexOf('/{')) {
    const [first] = listIn(await ask(filled.slice(0, open)));
    filled = filled.replace(/\/\{\w+\}/, `/${first?.group_key ?? first?.id ?? 1}`);
  }
  return filled;
}

type Listed = { readonly id?: string; readonly group_key?: string };

function listIn(answer: unknown): readonly Listed[] {
  if (Array.isArray(answer)) return answer as Listed[];
  const { notification_groups: groups } = (answer ?? {}) as { notification_groups?: Listed[] };
  return groups ?? [];
}

function queryOf(
  path: string,
  parameters: readonly Documented[],
  { authors, threadId }: ArchiveFacts,
  { statusId }: WalkWorld,
  listsAccounts: boolean,
): string {
  const values: [string, string][] = [];
  for (const { name, in: place } of parameters) {
    if (place !== 'query') continue;
    if (name === 'limit') values.push([name, `${listsAccounts ? walkAccounts : perPage}`]);
    if (name === 'q') values.push([name, 'p']);
    if (name === 'acct') values.push([name, nameOfPerson(0)]);
    if (name === 'domain') values.push([name, 'elsewhere.example']);
    if (name === 'timeline[]' || name === 'timeline') values.push(['timeline[]', 'home']);
    if (name === 'url' || name === 'uri') values.push([name, `/@${nameOfPerson(0)}/${statusId}`]);
    if (name === 'id[]' || name === 'id')
      for (const id of path.endsWith('statuses') ? [statusId, `${threadId}`] : authors.slice(0, countOf(path)))
        values.push(['id[]', `${id}`]);
  }
  return new URLSearchParams(values).toString();
}

/** The server takes ten accounts there. */
function countOf(path: string): number {
  return path.endsWith('familiar_followers') ? 10 : walkAccounts;
}
