/**
 * The keywords of a filter (specification 2.4, 4.6). A keyword has three addresses: that of the current Mastodon API,
 * and two former ones.
 */
import { z } from 'zod';
import { findFilterKeyword, type KeywordOfFilter } from '../../../actors/account/filters/filters.queries.ts';
import { changeFilter, keptFilter } from '../../../operations/filters/change-filter.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { FilterKeywordEntity, filterKeywordEntity } from '../../entities/filter.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { boolean, id, required, text } from '../../http/parameter-types.ts';
import { type Endpoint, endpoint } from '../../route.ts';
import { ownFilter } from './filters.ts';

const addresses = ['/api/v2/filters/keywords/:id', '/api/v2/filter_keywords/:id', '/api/v1/filters/keywords/:id'];

/** Throws Failure notFound for a keyword that is not the user's. */
export function ownKeyword({ services, grant }: UserContext<GatewayServices>, keywordId: Id): KeywordOfFilter {
  const found = findFilterKeyword(services.snapshots, grant.accountId, keywordId);
  if (found === undefined) throw new Failure('notFound');
  return found;
}

const getFilterKeywords = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/keywords',
  authentication: 'user',
  scopes: ['read:filters'],
  parameters: z.object({ filter_id: id }),
  summary: 'Lists the keywords of a filter.',
  answer: z.array(FilterKeywordEntity),
  handler: (context, given) => json(ownFilter(context, given.filter_id).keywords.map(filterKeywordEntity)),
});

const postFilterKeyword = (path: string, ignored: z.ZodRawShape = {}): Endpoint<GatewayServices> =>
  endpoint({
    method: 'POST',
    path,
    authentication: 'user',
    scopes: ['write:filters'],
    parameters: z.object({ filter_id: id, keyword: required(text), whole_word: boolean, ...ignored }),
    summary: 'Adds a keyword to a filter.',
    answer: FilterKeywordEntity,
    async handler(context, { filter_id: filterId, keyword, whole_word: wholeWord }) {
      const changed = await changeFilter(context, { filterId, changes: {}, keywords: [{ keyword, wholeWord }] });
      const added = keptFilter(changed).keywords.find((one) => one.id === changed.addedKeywordIds[0]);
      if (added === undefined) throw new Failure('notFound');
      return json(filterKeywordEntity(added));
    },
  });

const getFilterKeyword = (path: string) =>
  endpoint({
    method: 'GET',
    path,
    authentication: 'user',
    scopes: ['read:filters'],
    parameters: z.object({ id }),
    summary: 'Returns a keyword of a filter.',
    answer: FilterKeywordEntity,
    handler: (context, given) => json(filterKeywordEntity(ownKeyword(context, given.id).keyword)),
  });

const putFilterKeyword = (path: string) =>
  endpoint({
    methods: ['PUT', 'PATCH'],
    path,
    authentication: 'user',
    scopes: ['write:filters'],
    parameters: z.object({ id, keyword: text, whole_word: boolean }),
    summary: 'Changes a keyword of a filter.',
    answer: FilterKeywordEntity,
    async handler(context, { id: keywordId, keyword, whole_word: wholeWord }) {
      const { filter } = ownKeyword(context, keywordId);
      const keywords = [{ id: keywordId, keyword, wholeWord }];
      await changeFilter(context, { filterId: filter.id, changes: {}, keywords });
      return json(filterKeywordEntity(ownKeyword(context, keywordId).keyword));
    },
  });

const deleteFilterKeyword = (path: string) =>
  endpoint({
    method: 'DELETE',
    path,
    authentication: 'user',
    scopes: ['write:filters'],
    parameters: z.object({ id }),
    summary: 'Removes a keyword from its filter.',
    answer: EmptyEntity,
    async handler(context, { id: keywordId }) {
      const { filter } = ownKeyword(context, keywordId);
      const keywords = [{ id: keywordId, isRemoved: true }];
      await changeFilter(context, { filterId: filter.id, changes: {}, keywords });
      return empty();
    },
  });

export const filterKeywordEndpoints = [
  getFilterKeywords,
  postFilterKeyword('/api/v2/filters/:filter_id/keywords'),
  // The specification has an id at the end, which has no meaning: every keyword gets its own.
  postFilterKeyword('/api/v2/filters/:filter_id/keywords/:id', { id: text }),
  ...addresses.flatMap((path) => [getFilterKeyword(path), putFilterKeyword(path), deleteFilterKeyword(path)]),
];
