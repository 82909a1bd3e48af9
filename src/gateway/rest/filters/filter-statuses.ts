/** Single statuses in a filter (behaviour of the Mastodon API). */
import { z } from 'zod';
import { findFilterStatus } from '../../../actors/account/filters/filters.queries.ts';
import { addFilterStatus, removeFilterStatus } from '../../../operations/filters/filter-status.ts';
import { Failure } from '../../../runtime/errors.ts';
import { FilterStatusEntity, filterStatusEntity } from '../../entities/filter.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { id, optionalId, required } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { ownFilter } from './filters.ts';

export const getFilterStatuses = endpoint({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/statuses',
  authentication: 'user',
  scopes: ['read:filters'],
  parameters: z.object({ filter_id: id }),
  summary: 'Lists the statuses in a filter.',
  answer: z.array(FilterStatusEntity),
  handler: (context, given) => json(ownFilter(context, given.filter_id).statuses.map(filterStatusEntity)),
});

export const postFilterStatus = endpoint({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/statuses',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ filter_id: id, status_id: required(optionalId) }),
  summary: 'Adds a status to a filter.',
  answer: FilterStatusEntity,
  async handler(context, { filter_id: filterId, status_id: statusId }) {
    return json(filterStatusEntity(await addFilterStatus(context, { filterId, statusId })));
  },
});

export const getFilterStatus = endpoint({
  method: 'GET',
  path: '/api/v2/filters/statuses/:id',
  authentication: 'user',
  scopes: ['read:filters'],
  parameters: z.object({ id }),
  summary: 'Returns a status in a filter.',
  answer: FilterStatusEntity,
  handler({ services, grant }, given) {
    const found = findFilterStatus(services.snapshots, grant.accountId, given.id);
    if (found === undefined) throw new Failure('notFound');
    return json(filterStatusEntity(found.status));
  },
});

export const deleteFilterStatus = endpoint({
  method: 'DELETE',
  path: '/api/v2/filters/statuses/:id',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ id }),
  summary: 'Removes a status from its filter.',
  answer: EmptyEntity,
  async handler(context, given) {
    await removeFilterStatus(context, { filterStatusId: given.id });
    return empty();
  },
});

export const filterStatusEndpoints = [getFilterStatuses, postFilterStatus, getFilterStatus, deleteFilterStatus];
