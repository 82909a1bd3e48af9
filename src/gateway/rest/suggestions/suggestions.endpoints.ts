/** Follow recommendations (specification 4.7). */
import { z } from 'zod';
import { suggestedAccounts } from '../../../actors/account/suggestions/suggestions.queries.ts';
import { dismissSuggestion } from '../../../operations/suggestions/dismiss-suggestion.ts';
import { parseId } from '../../../runtime/ids.ts';
import { AccountEntity } from '../../entities/account.ts';
import type { EncodableAccount } from '../../entities/encoded-account.ts';
import { SuggestionEntity } from '../../entities/suggestion.ts';
import { EmptyEntity } from '../../entities/values.ts';
import type { GatewayServices } from '../../gateway-services.ts';
import { empty } from '../../http/answers.ts';
import type { UserContext } from '../../http/context.ts';
import { limit, required, text } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';
import { jsonBytes } from '../status-answers.ts';

const parameters = z.object({ limit: limit(40, 80) });
/**
 * The documented scope is `read`, also for the removal; clients of other servers request less, or the scope to write.
 */
const readScopes = ['read', 'read:accounts'];
const anyScopes = [...readScopes, 'write', 'write:accounts'];

function suggested({ services, grant }: UserContext<GatewayServices>, limitGiven: number): EncodableAccount[] {
  const { snapshots, presenter, now } = services;
  const viewer = presenter.viewer(grant.accountId);
  const accounts = suggestedAccounts(snapshots, grant.accountId, viewer, now(), limitGiven);
  const choose = presenter.allAccounts(grant.accountId);
  return accounts.flatMap(({ profile }) => choose(profile.id) ?? []);
}

const getSuggestions = endpoint({
  method: 'GET',
  path: '/api/v1/suggestions',
  authentication: 'user',
  scopes: readScopes,
  parameters,
  summary: 'Lists accounts that the user may want to follow.',
  answer: z.array(AccountEntity),
  deprecated: { at: Date.UTC(2021, 4, 16) },
  handler: (context, given) => jsonBytes(context.services.answers.accounts(suggested(context, given.limit))),
});

const getSuggestionsWithSources = endpoint({
  method: 'GET',
  path: '/api/v2/suggestions',
  authentication: 'user',
  scopes: readScopes,
  parameters,
  summary: 'Lists accounts that the user may want to follow, with the reason.',
  answer: z.array(SuggestionEntity),
  handler: (context, given) => jsonBytes(context.services.answers.suggestions(suggested(context, given.limit))),
});

const deleteSuggestion = endpoint({
  method: 'DELETE',
  path: '/api/v1/suggestions/:account_id',
  authentication: 'user',
  scopes: anyScopes,
  parameters: z.object({ account_id: required(text) }),
  summary: 'Removes an account from the suggestions.',
  answer: EmptyEntity,
  /** Also for accounts that were never suggested. */
  async handler(context, given) {
    const accountId = parseId(given.account_id);
    if (accountId !== undefined) await dismissSuggestion(context, { accountId });
    return empty();
  },
});

export const suggestionEndpoints = [getSuggestions, getSuggestionsWithSources, deleteSuggestion];
