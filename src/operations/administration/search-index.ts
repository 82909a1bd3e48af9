/** The index of the text of statuses, for the operator. */
import { z } from 'zod';
import { Failure } from '../../runtime/errors.ts';
import type { Search, SearchState } from '../../services/search/search.ts';
import type { Services } from '../../services/services.ts';
import { reads } from '../audit.ts';
import { operation } from '../operation.ts';

/** Throws Failure notFound where the operator has switched the search off. */
function searchOf({ search }: Pick<Services, 'search'>): Search {
  if (search === undefined)
    throw new Failure('notFound', {
      text: 'There is no search in posts: the server is stopped, or runs with MURMURATION_SEARCH=off.',
    });
  return search;
}

export const searchState = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: reads,
  run: ({ services }): Promise<SearchState> => searchOf(services).state(),
});

/** Reads every post again, or goes on with that. Returns after a moment, whether or not it is done. */
export const rebuildSearch = operation({
  input: z.object({}),
  permission: 'operateMachine',
  audit: { nothing: 'the index holds nothing of its own: it is read from the posts again' },
  run: ({ services }): Promise<SearchState> => searchOf(services).rebuild(),
});
