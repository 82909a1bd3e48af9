/** Objects that only their owner may see: scheduled statuses, lists, filters, notes. */
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import type { Asked, World } from './world.ts';

/** All of them are the author's. */
export interface Possessions {
  /** By what they are: a word that stands in it and nowhere else, and where the author reads it. */
  readonly words: Readonly<Record<string, { readonly word: string; readonly path: string }>>;
  /** By what the path of an endpoint begins with. */
  readonly ids: Readonly<Record<string, string>>;
}

export async function possess(world: World): Promise<Possessions> {
  const act = (path: string, json: object) => world.act('author', 'POST', path, json);
  const idOf = async (path: string, json: object) => String((await act(path, json)).id);
  const scheduledAt = new Date(world.gateway.services.now() + 7 * 24 * 60 * 60 * 1000).toISOString();
  const status = { status: 'scheduledword', visibility: 'public', scheduled_at: scheduledAt };
  const scheduledId = await idOf('/api/v1/statuses', status);
  const listId = await idOf('/api/v1/lists', { title: 'listword' });
  const keywords = [{ keyword: 'keywordword' }];
  const filter = await act('/api/v2/filters', {
    ...{ title: 'filterword', context: ['home'], filter_action: 'warn', keywords_attributes: keywords },
  });
  const filterId = String(filter.id);
  const keywordId = String(filter.keywords![0]!.id);
  const filterStatusId = await idOf(`/api/v2/filters/${filterId}/statuses`, { status_id: world.roots.author });
  await act(`/api/v1/accounts/${world.ids.follower}/note`, { comment: 'noteword' });
  await act('/api/v1/domain_blocks', { domain: 'blockedword.example' });
  await act('/api/v1/tags/followedword/follow', {});
  return {
    words: {
      'a scheduled status': { word: 'scheduledword', path: '/api/v1/scheduled_statuses' },
      'a list': { word: 'listword', path: '/api/v1/lists' },
      'a filter': { word: 'filterword', path: '/api/v2/filters' },
      'a keyword': { word: 'keywordword', path: '/api/v1/filters' },
      'a note': { word: 'noteword', path: `/api/v1/accounts/relationships?id[]=${world.ids.follower}` },
      'a hidden domain': { word: 'blockedword', path: '/api/v1/domain_blocks' },
      'a followed tag': { word: 'followedword', path: '/api/v1/followed_tags' },
    },
    ids: {
      '/api/v1/scheduled_statuses/:id': scheduledId,
      '/api/v1/lists/:id': listId,
      '/api/v1/timelines/list/:list_id': listId,
      '/api/v2/filters/:id': filterId,
      '/api/v2/filters/:filter_id': filterId,
      '/api/v2/filters/statuses/:id': filterStatusId,
      '/api/v1/filters/:id': keywordId,
      '/api/v2/filter_keywords/:id': keywordId,
      '/api/v2/filters/keywords/:id': keywordId,
      '/api/v1/filters/keywords/:id': keywordId,
    },
  };
}

/** Every request that names one of them. */
export function requestsNaming({ ids }: Possessions, world: World): Asked[] {
  const json = {
    ...{ scheduled_at: '2031-01-01T00:00:00Z', title: 'taken', account_ids: [world.ids.author], keyword: 'taken' },
    ...{ phrase: 'taken', context: ['home'], status_id: world.roots.author },
  };
  return endpoints.flatMap(({ path, methods }) =>
    Object.entries(ids)
      .filter(([beginning]) => path === beginning || path.startsWith(`${beginning}/`))
      .flatMap(([, id]) =>
        methods.map((method) => ({ method, path: path.replace(/:\w+/, id), ...(method !== 'GET' && { json }) })),
      ),
  );
}
