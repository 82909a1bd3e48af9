/**
 * What a network thread does for inbound activities: looks up accounts for gateways, and applies activities that needed
 * a fetch.
 */
import { fetchQuoteAuthorization } from '../../actors/account/quotes/quotes.effects.ts';
import {
  fetchCollections,
  fetchFollowers as fetchFollowersEffect,
  fetchPins,
  fetchPoll,
  refreshProfile,
} from '../../actors/account/remote/remote.effects.ts';
import { processReceived } from '../../actors/domain/domain.effects.ts';
import { fetchThreadStep } from '../../actors/domain/threads/threads.effects.ts';
import { isOfTheMoment } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { type EffectRunner, runnerOf } from '../../runtime/effects.ts';
import { Failure } from '../../runtime/errors.ts';
import { domainPolicy } from '../../services/domain-policy.ts';
import type { Answerer, NetworkServices } from '../../services/network-services.ts';
import { relayedStatusTopic } from '../../services/passed-on.ts';
import {
  type KeyOwnerRequest,
  keyOwnerTopic,
  type LookUp,
  resolveAddressTopic,
  resolveTopic,
} from '../../services/resolver.ts';
import type { KeyOwner, Resolved } from '../../services/services.ts';
import { fetchCollection } from '../activities/collections.ts';
import type { Inbound } from '../activities/inbound.ts';
import { KnownAccounts } from '../known-accounts.ts';
import type { LocalSigners } from '../local-signers.ts';
import { signerOf } from './fetch-signers.ts';
import { verifyQuote } from './quote-authorizations.ts';
import { ReceivedRunner } from './received-runner.ts';
import { RelayedFetches } from './relayed-fetches.ts';
import { type AccountResult, RemoteAccounts } from './remote-accounts.ts';
import { fetchFeaturedCollections } from './remote-collections.ts';
import { fetchFollowers } from './remote-followers.ts';
import { fetchFeatured } from './remote-pins.ts';
import { RemoteStatuses } from './remote-statuses.ts';
import { type ThreadOutcome, ThreadSteps } from './thread-steps.ts';

export interface RemoteRole {
  readonly effects: readonly (readonly [number, EffectRunner<unknown, unknown>])[];
  readonly answerers: readonly (readonly [string, Answerer])[];
}

export interface ThreadCounters {
  stepped(outcome: ThreadOutcome): void;
}

export function createRemoteRole(
  services: NetworkServices,
  fetcher: Fetcher,
  signers: Pick<LocalSigners, 'find'>,
  counters?: ThreadCounters,
): RemoteRole {
  const { addresses, options, snapshots, client, cleanHtml } = services;
  const now = () => services.now();
  const policy = () => domainPolicy(services);
  const known = new KnownAccounts(services);
  const inbound: Inbound = { addresses, options, snapshots, client, cleanHtml, accounts: known, policy, now };
  const signer = signerOf(services, signers);
  const accounts = new RemoteAccounts(services, fetcher, known, signer);
  const statuses = new RemoteStatuses(inbound, fetcher, accounts, signer);
  const relayed = new RelayedFetches(statuses);
  const runner = new ReceivedRunner(inbound, statuses, (problem) => services.report(problem));
  const threads = new ThreadSteps({
    ...{ inbound, fetcher, statuses, signer },
    pauseMilliseconds: options.fetchRepliesPause,
    report: (problem) => services.report(problem),
    count: (outcome) => counters?.stepped(outcome),
  });
  return {
    effects: [
      runnerOf(fetchThreadStep, (request, cause) => threads.run(request, cause)),
      runnerOf(processReceived, (request, cause) => runner.run(request, cause)),
      runnerOf(refreshProfile, async ({ uri }, cause) => {
        await accounts.refresh(uri, cause);
        return {};
      }),
      runnerOf(fetchPoll, async ({ uri }, cause) => {
        await statuses.refresh(uri, cause);
        return {};
      }),
      runnerOf(fetchQuoteAuthorization, async ({ quoteId }, cause) => {
        await verifyQuote({ inbound, fetcher, signer, cause }, quoteId);
        return {};
      }),
      runnerOf(fetchPins, async ({ uri }, cause) => {
        await fetchFeatured({ inbound, fetcher, statuses, signer, cause }, uri);
        return {};
      }),
      runnerOf(fetchCollections, async ({ uri }, cause) => {
        await fetchFeaturedCollections({ inbound, fetcher, statuses, signer, cause }, uri);
        return {};
      }),
      runnerOf(fetchFollowersEffect, async (asked, cause) => {
        await fetchFollowers({ inbound, fetcher, signer, cause }, asked);
        return {};
      }),
    ],
    answerers: [
      [resolveTopic, async (request) => accountIdIn(await askForHandle(accounts, request as LookUp))],
      [resolveAddressTopic, (request) => resolveAddress({ inbound, accounts, statuses }, request as LookUp)],
      [relayedStatusTopic, (request) => relayed.fetch((request as { readonly uri: string }).uri)],
      [keyOwnerTopic, async (request) => keyOwner(await askForKey(accounts, request as KeyOwnerRequest))],
    ],
  };
}

function askForHandle(accounts: RemoteAccounts, { what, cause }: LookUp): Promise<AccountResult> {
  return accounts.byHandle(what, cause);
}

function askForKey(accounts: RemoteAccounts, { keyId, fresh, cause }: KeyOwnerRequest): Promise<AccountResult> {
  return accounts.byKey(keyId, fresh, cause);
}

interface Known {
  readonly inbound: Inbound;
  readonly accounts: RemoteAccounts;
  readonly statuses: RemoteStatuses;
}

/** An address does not reveal what it is: most that users paste are statuses. Throws Failure remoteUnreachable. */
async function resolveAddress(
  { inbound, accounts, statuses }: Known,
  { what: address, cause, onBehalfOf }: LookUp,
): Promise<Resolved | undefined> {
  const source = statuses.source({ cause, onBehalfOf });
  const status = await source.status(address);
  if (status !== undefined) return { statusId: status.statusId };
  const accountId = accountIdIn(await accounts.byUri(address, false, cause));
  if (accountId !== undefined) return { accountId };
  const collectionId = await fetchCollection(inbound, address, source);
  return collectionId === undefined ? undefined : { collectionId };
}

/** Undefined where there is no such account. Throws Failure remoteUnreachable where its server cannot be asked now. */
function accountIdIn(result: AccountResult): bigint | undefined {
  if (result.ok) return result.account.id;
  if (isOfTheMoment(result)) throw new Failure('remoteUnreachable', { cause: result.detail });
  return undefined;
}

function keyOwner(result: AccountResult): KeyOwner {
  if (result.ok) return { accountId: result.account.id, uri: result.account.uri };
  return { failure: isOfTheMoment(result) ? 'unreachable' : 'none' };
}
