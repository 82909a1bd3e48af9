/** The keyspace of filters: a filter with all its keywords is one record, changed as a whole. */

import { record } from '../../../runtime/codec.ts';
import { id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { owner } from '../account.state.ts';
import { Filter } from './filters.records.ts';
import { filterLimits } from './limits.ts';

export const filters = keyspace<[bigint, bigint], Filter>({
  number: 150,
  name: 'filters',
  owner,
  key: [id('account'), id('filter')],
  value: record(Filter),
  bound: { by: 'count', entries: filterLimits.filtersMax },
});
