/** Filters of version 2 (specification 2.3, 4.6): groups of keywords, changed in one request. */
import { z } from 'zod';
import { filtersOf, findFilter, type StoredFilter } from '../../../actors/account/filters/filters.queries.ts';
import { changeFilter, keptFilter } from '../../../operations/filters/change-filter.ts';
import { removeFilter } from '../../../operations/filters/remove-filter.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { FilterEntity, filterEntity } from '../../entities/filter.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty, json } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { id } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { changesOf, filterBytesMax, filterParameters, keywordsOf } from './filter-parameters.ts';

/** Throws Failure notFound for a filter that is not the user's. */
export function ownFilter({ services, grant }: UserContext<GatewayServices>, filterId: Id): StoredFilter {
  const filter = findFilter(services.snapshots, grant.accountId, filterId);
  if (filter === undefined) throw new Failure('notFound');
  return filter;
}

export const getFilters = endpoint({
  method: 'GET',
  path: '/api/v2/filters',
  authentication: 'user',
  scopes: ['read:filters'],
  summary: 'Lists the filters of the user, including expired ones.',
  answer: z.array(FilterEntity),
  handler: ({ services, grant }) => json(filtersOf(services.snapshots, grant.accountId).map(filterEntity)),
});

export const getFilter = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:id',
  authentication: 'user',
  scopes: ['read:filters'],
  parameters: z.object({ id }),
  summary: 'Returns a filter of the user.',
  answer: FilterEntity,
  handler: (context, given) => json(filterEntity(ownFilter(context, given.id))),
});

export const postFilter = endpoint({
  method: 'POST',
  path: '/api/v2/filters',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object(filterParameters),
  bodyBytesMax: filterBytesMax,
  summary: 'Creates a filter with its keywords.',
  answer: FilterEntity,
  async handler(context, given) {
    const { title = '', contexts = [], ...changes } = changesOf(given);
    const change = { changes: { title, contexts, ...changes }, keywords: keywordsOf(given) };
    return json(filterEntity(keptFilter(await changeFilter(context, change))));
  },
});

export const putFilter = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v2/filters/:id',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ id, ...filterParameters }),
  bodyBytesMax: filterBytesMax,
  summary: 'Changes a filter; adds, changes and removes its keywords.',
  answer: FilterEntity,
  async handler(context, { id: filterId, ...given }) {
    const change = { filterId, changes: changesOf(given), keywords: keywordsOf(given) };
    return json(filterEntity(keptFilter(await changeFilter(context, change))));
  },
});

export const deleteFilter = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/:id',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ id }),
  summary: 'Removes a filter.',
  answer: EmptyEntity,
  async handler(context, { id: filterId }) {
    await removeFilter(context, { filterId });
    return empty();
  },
});

export const filterGroupEndpoints = [getFilters, getFilter, postFilter, putFilter, deleteFilter];
