/** The endpoints of filters, of both versions. */
import { filterKeywordEndpoints } from './filter-keywords.ts';
import { filterStatusEndpoints } from './filter-statuses.ts';
import { filterGroupEndpoints } from './filters.ts';
import { filterV1Endpoints } from './filters-v1.ts';

export const filterEndpoints = [
  ...filterGroupEndpoints,
  ...filterKeywordEndpoints,
  ...filterStatusEndpoints,
  ...filterV1Endpoints,
];
