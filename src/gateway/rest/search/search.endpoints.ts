/**
 * Search, versions 1 and 2 (specification 4.3: it requires a user). In the dialect of current clients anybody may
 * search, but neither make this server contact others nor request further pages.
 */
import { z } from 'zod';
import { textLimits } from '../../../actors/text/limits.ts';
import { type SearchResults, search, searchedKinds } from '../../../operations/search/search.ts';
import { isTimeZone } from '../../../operations/search/time-zones.ts';
import { Failure } from '../../../runtime/errors.ts';
import { collectionEntity } from '../../entities/collection.ts';
import { SearchEntity, SearchEntityV1, searchBody } from '../../entities/search.ts';
import type { TagEntity } from '../../entities/tag.ts';
import { tagsWithHistory } from '../../entities/tags-with-history.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import type { Answer } from '../../http/answers.ts';
import type { OpenContext } from '../../http/context.ts';
import {
  boolean,
  choice,
  chosenId,
  cursor,
  demanded,
  limit,
  offsetUpTo,
  textUpTo,
} from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { dialectOf } from '../accounts/answers.ts';
import { jsonBytes } from '../status-answers.ts';

const resultsMax = 10_000;
const timeZoneCharactersMax = 64;

const parameters = z.object({
  q: demanded(
    'q',
    textUpTo(textLimits.searchCharactersMax).transform((words) => words?.trim()),
  ),
  type: choice(searchedKinds),
  resolve: boolean,
  following: boolean,
  account_id: chosenId,
  /** Of hashtags. */
  exclude_unreviewed: boolean,
  min_id: cursor,
  max_id: cursor,
  /** Of the days in `q`, which are those of UTC without it. Not of Mastodon, where it is a setting of the user. */
  time_zone: textUpTo(timeZoneCharactersMax).refine((zone = '') => zone === '' || isTimeZone(zone)),
  limit: limit(20, 40),
  offset: offsetUpTo(resultsMax),
});
type Given = z.output<typeof parameters>;

async function found(context: OpenContext<GatewayServices>, given: Given): Promise<SearchResults> {
  const { resolve = false, offset = 0 } = given;
  if ((resolve || offset > 0) && context.caller.kind !== 'account') throw new Failure('tokenRequired');
  return search(context, {
    words: given.q,
    kind: given.type,
    resolve,
    followedOnly: given.following ?? false,
    excludeUnreviewed: given.exclude_unreviewed ?? false,
    authorId: given.account_id,
    minId: given.min_id,
    maxId: given.max_id,
    timeZone: given.time_zone || undefined,
    offset,
    limit: given.limit,
  });
}

/** Throws Failure tokenRequired and userRequired. */
function admitUsers({ caller, grant }: OpenContext<GatewayServices>): void {
  if (caller.kind !== 'account') throw new Failure(grant === undefined ? 'tokenRequired' : 'userRequired');
}

/** Throws Failure tokenRequired and userRequired. */
function admit(context: OpenContext<GatewayServices>): undefined {
  if (dialectOf(context) !== 'mastodon') admitUsers(context);
}

function answer(
  { services, caller }: OpenContext<GatewayServices>,
  { accountIds, statusIds, collections }: SearchResults,
  hashtags: readonly (TagEntity | string)[],
): Answer {
  const { presenter, answers, addresses } = services;
  const choose = presenter.allAccounts(caller.accountId);
  const encoded = Buffer.from(answers.accounts(accountIds.flatMap((id) => choose(id) ?? [])));
  return jsonBytes(
    searchBody(
      encoded,
      answers.list(statusIds.flatMap((id) => presenter.one(id, caller.accountId, 'single') ?? [])),
      hashtags,
      collections.map((collection) => collectionEntity(collection, addresses)),
    ),
  );
}

export const getSearch = endpoint({
  method: 'GET',
  path: '/api/v2/search',
  authentication: 'optional',
  scopes: ['read:search'],
  admit,
  parameters,
  summary:
    'Searches accounts and tags by the beginnings of their names, statuses by their text, and objects by their address.',
  answer: SearchEntity,
  async handler(context, given) {
    const results = await found(context, given);
    const { services, request, caller } = context;
    const tags = tagsWithHistory(services, results.tags, caller.accountId);
    return answer(context, results, await services.slices.run(tags, request));
  },
});

export const getSearchV1 = endpoint({
  method: 'GET',
  path: '/api/v1/search',
  authentication: 'optional',
  scopes: ['read:search'],
  admit,
  parameters,
  summary: 'Searches like version 2, with tags as names.',
  answer: SearchEntityV1,
  async handler(context, given) {
    const results = await found(context, given);
    return answer(context, results, results.tags);
  },
});

export const searchEndpoints = [getSearch, getSearchV1];
