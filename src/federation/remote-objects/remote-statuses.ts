/**
 * Fetches remote statuses with their parents. A thread is followed upwards within a budget and stored from its root
 * down, so that every reply finds its parent.
 *
 * INVARIANT what is not public or unlisted is stored only where the account for which it was fetched may see it by its
 * audience, as it is stored. No other result of such a request reaches anybody else.
 */

import { Account } from '../../actors/account/account.messages.ts';
import { viewerOf } from '../../actors/account/relationships/viewer.queries.ts';
import { isForEverybody, maySee } from '../../actors/policy/visibility.ts';
import { type FetchFailure, isOfTheMoment } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import { Failure } from '../../runtime/errors.ts';
import { traced } from '../../runtime/flow.ts';
import type { Id } from '../../runtime/ids.ts';
import { flowOfHost } from '../../services/services.ts';
import { addresseesOf } from '../activities/addressees.ts';
import type { Inbound, RemoteSource, ResolvedStatus } from '../activities/inbound.ts';
import { receiveEdit } from '../activities/notes.ts';
import { onBehalfOfReaders } from '../activities/on-behalf-of.ts';
import { fetchedParts, partsSoFar } from '../activities/received-parts.ts';
import { receivedStatus } from '../activities/received-status.ts';
import { permissionToReply } from '../activities/reply-permission.ts';
import { findRecord, resolveStatus } from '../activities/resolve-status.ts';
import { isForAllTimelines } from '../documents/audience.ts';
import { readCollection, readFeatureAuthorization } from '../documents/read-collection.ts';
import { type RemoteNote, readNote } from '../documents/read-note.ts';
import { readQuoteAuthorization } from '../documents/read-quote.ts';
import { readReplyAuthorization } from '../documents/read-reply-consent.ts';
import { onlyUnreachable } from '../failures.ts';
import { fetchActivityDocument } from '../fetch-activity-document.ts';
import type { KnownAccount } from '../known-accounts.ts';
import { activityLimits } from '../limits.ts';
import type { SignerOf } from './fetch-signers.ts';
import type { RemoteAccounts } from './remote-accounts.ts';
import { verifyReply } from './reply-authorizations.ts';

/** Who needs what is fetched. */
interface Asker {
  /** The traced request. */
  readonly cause?: string | undefined;
  /** The local account that signs, and for which alone what is not for everybody is kept. */
  readonly onBehalfOf?: Id | undefined;
}

/** Documents that may still be fetched to understand one activity. */
interface Budget extends Asker {
  left: number;
}

/** The status, and its author. */
const relayedDocuments = 2;

export class RemoteStatuses {
  private readonly inbound: Inbound;
  private readonly fetcher: Fetcher;
  private readonly accounts: RemoteAccounts;
  private readonly signer: SignerOf;
  private readonly fetching = new Map<string, Promise<ResolvedStatus | undefined>>();

  constructor(inbound: Inbound, fetcher: Fetcher, accounts: RemoteAccounts, signer: SignerOf) {
    this.inbound = inbound;
    this.fetcher = fetcher;
    this.accounts = accounts;
    this.signer = signer;
  }

  /** For one activity: everything fetched through it shares one budget. */
  source(asker: Asker): RemoteSource {
    return this.within({ ...asker, left: activityLimits.documentsPerActivityMax });
  }

  private within(budget: Budget): RemoteSource {
    return {
      cause: budget.cause,
      note: (uri) => this.note(uri, budget),
      status: (uri) => this.status(uri, budget, true),
      quoted: (uri) => this.status(uri, budget, false),
      quoteAuthorization: (uri) => this.shared(uri, budget, readQuoteAuthorization),
      replyAuthorization: (uri) => this.shared(uri, budget, readReplyAuthorization),
      collection: (uri) => this.shared(uri, budget, readCollection),
      featureAuthorization: (uri) => this.shared(uri, budget, readFeatureAuthorization),
      account: (uri) => this.account(uri, true, budget),
    };
  }

  /**
   * Fetches and stores a public status that a relay has named, and nothing that it refers to but its author. Throws Failure
   * remoteUnreachable.
   */
  async relayed(uri: string, cause?: string): Promise<boolean> {
    const budget: Budget = { cause, left: relayedDocuments };
    const note = await this.note(uri, budget);
    if (note === undefined || !isForAllTimelines(note)) return false;
    const parent = note.inReplyTo === undefined ? undefined : resolveStatus(this.inbound, note.inReplyTo);
    return (await this.storeOne(note, parent, budget, { isWanted: true, withQuotes: false })) !== undefined;
  }

  /** Fetches a known status again; never rejects: after a failure it is fetched another time. */
  async refresh(uri: string, cause?: string): Promise<void> {
    const { inbound } = this;
    try {
      const known = findRecord(inbound, uri);
      const asker = { cause, onBehalfOf: known === undefined ? undefined : onBehalfOfReaders(inbound, known) };
      const note = await this.note(uri, { ...asker, left: 1 });
      if (note?.uri === uri) await this.revise(note, asker);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  /**
   * A status of a thread that somebody reads, as its server shows it now: whether it is new. Nothing but its author is
   * fetched, and nobody is notified. Throws Failure remoteUnreachable.
   */
  async take(note: RemoteNote, cause?: string): Promise<boolean> {
    const { inbound } = this;
    if (findRecord(inbound, note.uri) !== undefined) {
      await this.revise(note, { cause });
      return false;
    }
    const above = note.inReplyTo === undefined ? undefined : resolveStatus(inbound, note.inReplyTo);
    const parent = above !== undefined && isForEverybody(above) ? above : undefined;
    const budget: Budget = { cause, left: 1 };
    return (await this.storeOne(note, parent, budget, { isWanted: false, withQuotes: false })) !== undefined;
  }

  private async revise(note: RemoteNote, asker: Asker): Promise<void> {
    const { inbound, fetcher, signer } = this;
    const actor = inbound.accounts.find(note.authors[0]!);
    if (actor === undefined) return;
    const known = findRecord(inbound, note.uri);
    if (known !== undefined) await verifyReply({ inbound, fetcher, signer, cause: asker.cause }, known);
    const stamp = { uri: undefined, signedAt: inbound.now() };
    await receiveEdit({ inbound, stamp, actor, cause: asker.cause, source: this.source(asker) }, note);
  }

  private note(uri: string, budget: Budget): Promise<RemoteNote | undefined> {
    return this.document(uri, budget, budget.onBehalfOf, readNote);
  }

  /** What is shown to everybody here, and so must be for everybody there. */
  private shared<Read>(uri: string, budget: Budget, read: ReadDocument<Read>): Promise<Read | undefined> {
    return this.document(uri, budget, undefined, read);
  }

  private async document<Read>(
    uri: string,
    budget: Budget,
    onBehalfOf: Id | undefined,
    read: ReadDocument<Read>,
  ): Promise<Read | undefined> {
    if (this.inbound.addresses.isLocal(uri) || !spend(budget)) return undefined;
    const fetched = await fetchActivityDocument(this.fetcher, { url: uri, signer: await this.signer(onBehalfOf) });
    return fetched.ok ? read(fetched.document) : nothing(fetched);
  }

  private async account(uri: string, fresh: boolean, budget: Budget): Promise<KnownAccount | undefined> {
    if (!spend(budget)) return undefined;
    const result = await this.accounts.byUri(uri, fresh, budget.cause);
    return result.ok ? result.account : nothing(result);
  }

  /**
   * A quoting status waits for the quoted one, which waits for no quote: two that quote each other would wait for ever.
   */
  private status(uri: string, budget: Budget, withQuotes: boolean): Promise<ResolvedStatus | undefined> {
    const key = `${withQuotes} ${budget.onBehalfOf ?? ''} ${uri}`;
    const running = this.fetching.get(key);
    if (running !== undefined) return running;
    const fetched = this.thread(uri, budget, withQuotes).finally(() => this.fetching.delete(key));
    this.fetching.set(key, fetched);
    return fetched;
  }

  private async thread(uri: string, budget: Budget, withQuotes: boolean): Promise<ResolvedStatus | undefined> {
    const first = await this.note(uri, budget);
    if (first === undefined) return undefined;
    const { notes, root } = await this.ancestors(first, budget);
    let above = root;
    // From the root down. Where one cannot be stored, the thread begins again below it.
    for (const note of notes.reverse()) {
      const isWanted = note === first;
      above = await this.storeOne(note, above, budget, { isWanted, withQuotes: withQuotes && isWanted });
    }
    return above;
  }

  /** The unknown notes from the given one upwards, and the parent of the last of them. */
  private async ancestors(first: RemoteNote, budget: Budget) {
    const notes = [first];
    const seen = new Set([first.uri]);
    let next = first.inReplyTo;
    while (next !== undefined && notes.length <= activityLimits.ancestorsMax && !seen.has(next)) {
      const known = resolveStatus(this.inbound, next);
      if (known !== undefined) return { notes, root: known };
      const parent = await this.note(next, budget).catch(onlyUnreachable);
      if (parent === undefined || seen.has(parent.uri)) break;
      seen.add(next).add(parent.uri);
      notes.push(parent);
      next = parent.inReplyTo;
    }
    return { notes, root: undefined };
  }

  /** Nobody is notified: the author's server has delivered it to those concerned. */
  private async storeOne(
    note: RemoteNote,
    above: ResolvedStatus | undefined,
    budget: Budget,
    { isWanted, withQuotes }: { readonly isWanted: boolean; readonly withQuotes: boolean },
  ): Promise<ResolvedStatus | undefined> {
    const { inbound } = this;
    const author = await this.authorOf(note, budget).catch((error: unknown) => {
      if (isWanted) throw error;
      return onlyUnreachable(error);
    });
    if (author === undefined || author.isSuspended || note.isVote) return undefined;
    const addressees = { ...addresseesOf(inbound, note, author), localMentions: [] };
    const viewer = viewerOf(inbound.snapshots, budget.onBehalfOf, inbound.now());
    if (!isForEverybody(addressees) && !maySee({ accountId: author.id, ...addressees }, viewer)) return undefined;
    const parts = withQuotes
      ? await fetchedParts(inbound, note, author, this.within(budget))
      : partsSoFar(inbound, note, author);
    const consent = { claimed: note.replyAuthorization, proved: parts.replyAuthorization };
    const mayAnswer = above !== undefined && permissionToReply(inbound, author.id, above, consent) === 'automatic';
    const parent = mayAnswer ? above : undefined;
    const status = await receivedStatus(inbound, note, { addressees, parent, parts });
    const message = Account.receiveStatus.to(author.id, { status, receivedAt: inbound.now() });
    const stored = await inbound.client.call(message, traced(flowOfHost(author.host), budget.cause)).catch(onlyRefused);
    if (stored === undefined) return undefined;
    const { statusId } = stored;
    const threadId = parent?.threadId ?? statusId;
    return { statusId, authorId: author.id, threadId, isLocal: false, visibility: addressees.visibility };
  }

  private async authorOf(note: RemoteNote, budget: Budget): Promise<KnownAccount | undefined> {
    const uri = note.authors[0]!;
    return this.inbound.accounts.find(uri) ?? this.account(uri, false, budget);
  }
}

type ReadDocument<Read> = (document: JsonObject) => Read | undefined;

function spend(budget: Budget): boolean {
  budget.left -= 1;
  return budget.left >= 0;
}

/** Throws for a temporary failure; any other is permanent. */
function nothing(failure: FetchFailure): undefined {
  if (isOfTheMoment(failure)) throw new Failure('remoteUnreachable', { cause: failure.detail });
  return undefined;
}

/** Its author was suspended, or has deleted it. */
function onlyRefused(error: unknown): undefined {
  if (error instanceof Failure && (error.code === 'notFound' || error.code === 'forbidden')) return undefined;
  throw error;
}
