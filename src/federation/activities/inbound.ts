/**
 * The services for processing an activity. Gateways fetch nothing (they have no `RemoteSource`): an activity that needs
 * a fetch is stored, and network threads run the same code with a source.
 */

import type { Visibility } from '../../actors/account/account.records.ts';
import type { StatusReference } from '../../actors/account/statuses/statuses.messages.ts';
import type { DomainPolicy } from '../../actors/policy/domains.ts';
import type { Options } from '../../options/table.ts';
import type { Envelope } from '../../runtime/contract.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Snapshots } from '../../runtime/storage/snapshots.ts';
import type { Client } from '../../runtime/threads/client.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { CleanRemoteHtml } from '../../services/clean-remote-html.ts';
import { flowOfHost } from '../../services/services.ts';
import type { RemoteCollection, RemoteFeatureAuthorization } from '../documents/read-collection.ts';
import type { RemoteNote } from '../documents/read-note.ts';
import type { RemoteAuthorization } from '../documents/read-quote.ts';
import type { RemoteConsent } from '../documents/read-reply-consent.ts';
import type { KnownAccount, KnownAccounts } from '../known-accounts.ts';

export interface Inbound {
  readonly addresses: Addresses;
  readonly options: Pick<Options, 'cards'>;
  readonly snapshots: Snapshots;
  readonly client: Pick<Client, 'call'>;
  readonly cleanHtml: CleanRemoteHtml;
  readonly accounts: KnownAccounts;
  /** The rules for other servers that are in force. */
  policy(): DomainPolicy;
  now(): number;
}

/**
 * Fetches what an activity refers to, in the name of an account that may see it. Undefined where it does not exist. Throws Failure remoteUnreachable where a later
 * attempt may succeed.
 */
export interface RemoteSource {
  /** The traced request for which it is asked. */
  readonly cause?: string | undefined;
  /** A status as its server shows it now; nothing is stored. */
  note(uri: string): Promise<RemoteNote | undefined>;
  /** An unknown status, stored with its author and its parents as far as that account may see them. */
  status(uri: string): Promise<ResolvedStatus | undefined>;
  /** The same for a quoted status: what it quotes itself is left out. */
  quoted(uri: string): Promise<ResolvedStatus | undefined>;
  quoteAuthorization(uri: string): Promise<RemoteAuthorization | undefined>;
  replyAuthorization(uri: string): Promise<RemoteConsent | undefined>;
  /** A collection of accounts as its server shows it now; nothing is stored. */
  collection(uri: string): Promise<RemoteCollection | undefined>;
  featureAuthorization(uri: string): Promise<RemoteFeatureAuthorization | undefined>;
  /** An account, fetched again even if it is known. */
  account(uri: string): Promise<KnownAccount | undefined>;
}

/** The account of this server that an address names. */
export function localAccount({ accounts, addresses }: Inbound, name: string): KnownAccount | undefined {
  return addresses.isLocal(name) ? accounts.find(name) : undefined;
}

/** A known status, with the facts that decide about interactions. */
export interface ResolvedStatus extends StatusReference {
  readonly authorId: Id;
  /** The id of the status that began its thread. */
  readonly threadId: Id;
  readonly isLocal: boolean;
  readonly visibility: Visibility;
}

/**
 * `dropped`: nobody here is concerned, or it was processed before. `incomplete`: something must be fetched first, and
 * nothing was done yet.
 */
export type Outcome = 'done' | 'dropped' | 'incomplete';

/** At once where nothing has to be waited for. */
export type Applied = Outcome | Promise<Outcome>;

/** The id of an activity, if it has one, and when the request that delivered it was signed. */
export interface Stamp {
  readonly uri: string | undefined;
  readonly signedAt: number;
}

/** An activity while its acts are applied: who sent it, and the services for applying it. */
export interface Received {
  readonly inbound: Inbound;
  readonly stamp: Stamp;
  /** The account that signed, and whose activity it is. */
  readonly actor: KnownAccount;
  /** The local account to whose inbox it came; absent for the inbox that all share. */
  readonly recipient?: KnownAccount | undefined;
  /** It came with a request to reply, which is answered. */
  readonly isRequest?: boolean | undefined;
  /** The traced request that brought it. */
  readonly cause?: string | undefined;
  /** The host of the relay that brought it: for the timelines of everybody, even where nobody here knows its author. */
  readonly relay?: string | undefined;
  /** Absent on gateways, which fetch nothing. */
  readonly source: RemoteSource | undefined;
}

/** Sends a message that an activity causes, in the flow of the sender's host. */
export function callFor({ inbound, actor, relay, cause }: Received, message: Envelope<unknown>): Promise<Outcome> {
  return done(inbound.client.call(message, traced(flowOfHost(relay ?? actor.host), cause)));
}

export async function done(call: Promise<unknown>): Promise<Outcome> {
  await call;
  return 'done';
}
