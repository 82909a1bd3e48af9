/**
 * Filters of version 1 (specification 2.5): one phrase each. They are the keywords of filters, one by one: an id is
 * that of a keyword, and a new filter has a single keyword with the same text as its title.
 */
import { z } from 'zod';
import { filtersOf } from '../../../actors/account/filters/filters.queries.ts';
import { filterLimits } from '../../../actors/account/filters/limits.ts';
import { changeFilter, keptFilter } from '../../../operations/filters/change-filter.ts';
import { FilterV1Entity, filterV1Entity } from '../../entities/filter.ts';
import { EmptyEntity } from '../../entities/values.ts';
import { empty, json } from '../../http/answers.ts';
import { boolean, id, required, text, textList } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { ownKeyword } from './filter-keywords.ts';
import { contextsOf, expiresIn } from './filter-parameters.ts';

const deprecated = { at: Date.UTC(2022, 10, 14) };

const parameters = { context: textList, irreversible: boolean, whole_word: boolean, expires_in: expiresIn };

/** Undefined leaves the action unchanged. */
function actionOf(irreversible: boolean | undefined) {
  if (irreversible === undefined) return {};
  return { action: irreversible ? 'hide' : 'warn', isIrreversible: irreversible } as const;
}

export const getFiltersV1 = endpoint({
  method: 'GET',
  path: '/api/v1/filters',
  authentication: 'user',
  scopes: ['read:filters'],
  summary: 'Lists the filtered phrases of the user.',
  answer: z.array(FilterV1Entity),
  deprecated,
  handler({ services, grant }) {
    const filters = filtersOf(services.snapshots, grant.accountId);
    return json(
      filters.flatMap((filter) => filter.keywords.map((keyword) => ({ filter, keyword }))).map(filterV1Entity),
    );
  },
});

export const getFilterV1 = endpoint({
  method: 'GET',
  path: '/api/v1/filters/:id',
  authentication: 'user',
  scopes: ['read:filters'],
  parameters: z.object({ id }),
  summary: 'Returns a filtered phrase.',
  answer: FilterV1Entity,
  deprecated,
  handler: (context, given) => json(filterV1Entity(ownKeyword(context, given.id))),
});

export const postFilterV1 = endpoint({
  method: 'POST',
  path: '/api/v1/filters',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ phrase: required(text), ...parameters }),
  summary: 'Filters a phrase.',
  answer: FilterV1Entity,
  deprecated,
  async handler(context, { phrase, context: words, irreversible, whole_word: wholeWord = false, expires_in }) {
    const title = phrase.slice(0, filterLimits.titleCharactersMax);
    const shared = { title, contexts: contextsOf(words) ?? [], expiresInSeconds: expires_in };
    const changed = await changeFilter(context, {
      changes: { ...shared, ...actionOf(irreversible) },
      keywords: [{ keyword: phrase, wholeWord }],
    });
    return json(filterV1Entity(ownKeyword(context, changed.addedKeywordIds[0] ?? keptFilter(changed).id)));
  },
});

export const putFilterV1 = endpoint({
  methods: ['PUT', 'PATCH'],
  path: '/api/v1/filters/:id',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ id, phrase: text, ...parameters }),
  summary: 'Changes a filtered phrase.',
  answer: FilterV1Entity,
  deprecated,
  async handler(context, { id: keywordId, phrase: keyword, context: words, irreversible, whole_word, expires_in }) {
    const { filter } = ownKeyword(context, keywordId);
    await changeFilter(context, {
      filterId: filter.id,
      changes: { contexts: contextsOf(words), expiresInSeconds: expires_in, ...actionOf(irreversible) },
      keywords: [{ id: keywordId, keyword, wholeWord: whole_word }],
      isOfOneKeyword: true,
    });
    return json(filterV1Entity(ownKeyword(context, keywordId)));
  },
});

export const deleteFilterV1 = endpoint({
  method: 'DELETE',
  path: '/api/v1/filters/:id',
  authentication: 'user',
  scopes: ['write:filters'],
  parameters: z.object({ id }),
  summary: 'Removes a filtered phrase.',
  answer: EmptyEntity,
  deprecated,
  async handler(context, { id: keywordId }) {
    const { filter } = ownKeyword(context, keywordId);
    await changeFilter(context, {
      filterId: filter.id,
      changes: {},
      keywords: [{ id: keywordId, isRemoved: true }],
      isRemovedWhenEmpty: true,
    });
    return empty();
  },
});

export const filterV1Endpoints = [getFiltersV1, getFilterV1, postFilterV1, putFilterV1, deleteFilterV1];
