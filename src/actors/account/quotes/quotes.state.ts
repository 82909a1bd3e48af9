/** The keyspaces of quotes, owned by the author of the quoted status. */

import { z } from 'zod';
import { record } from '../../../runtime/codec.ts';
import { hashedString, id, keyspace } from '../../../runtime/storage/keyspace.ts';
import { agreement, disagreement, isKey, type Rule, rule } from '../../../runtime/storage/rules.ts';
import { identifier } from '../account.records.ts';
import { owner, withAccount, withStatus } from '../account.state.ts';
import { statusCounters, statuses } from '../statuses/statuses.state.ts';
import { QuoteOfStatus } from './quotes.records.ts';

/** Accepted quotes by the id of the quoting status, and revoked ones, so that these are not accepted again. */
export const quotesOfStatus = keyspace<[bigint, bigint], QuoteOfStatus>({
  number: 188,
  name: 'quotes of status',
  owner,
  key: [id('status'), id('quote')],
  value: record(QuoteOfStatus),
  bound: withStatus,
});

const AuthorizedQuote = z.object({ statusId: identifier, quoteId: identifier });

/** Authorizations by other servers, by address: a Delete names nothing but the address. */
export const quoteByAuthorization = keyspace<[bigint, string], z.infer<typeof AuthorizedQuote>>({
  number: 189,
  name: 'quote by authorization',
  owner,
  derived: true,
  key: [id('account'), hashedString('authorization')],
  value: record(AuthorizedQuote),
  bound: withAccount,
});

export const quoteRules: readonly Rule[] = [
  rule(statusCounters, ([status], said, reader) => {
    if (reader.get(statuses, [status]) === undefined) return undefined;
    const counted = [...reader.range(quotesOfStatus, [status])].filter(({ value }) => value.isRevoked !== true);
    return disagreement('quotes', said.quotes, counted.length);
  }),
  rule(quoteByAuthorization, ([account], { statusId, quoteId }, reader, bytes) => {
    const uri = reader.get(quotesOfStatus, [statusId, quoteId])?.authorizationUri;
    return uri !== undefined && isKey(quoteByAuthorization, [account, uri], bytes)
      ? undefined
      : 'leads to no quote that it authorises';
  }),
  agreement(quotesOfStatus, ([status, quote], { isRevoked }, server) => {
    // The entries of a deleted status are removed list by list, in later turns.
    if (server.get(statuses, [status]) === undefined || isRevoked === true) return undefined;
    const kept = server.get(statuses, [quote])?.quote;
    return kept?.statusId === status && kept.state === 'accepted' ? undefined : 'is not accepted by what quotes';
  }),
  agreement(statuses, ([quote], { quote: kept }, server) => {
    if (kept?.state !== 'accepted' || server.get(statuses, [kept.statusId]) === undefined) return undefined;
    const entry = server.get(quotesOfStatus, [kept.statusId, quote]);
    return entry === undefined || entry.isRevoked === true ? 'is not among the quotes of what it quotes' : undefined;
  }),
];
