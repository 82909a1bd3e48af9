/** What network threads fetch for the relay: actors that sign, and posts from the servers of their authors. */
import { isOfTheMoment } from '../../outbound/fetcher/fetch-result.ts';
import type { Fetcher } from '../../outbound/fetcher/fetcher.ts';
import { keyOwnerCandidates } from '../../outbound/signatures/keys.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { Answerer } from '../../services/network-services.ts';
import {
  type FetchedObject,
  type RelayActor,
  relayActorTopic,
  relayObjectTopic,
  type Unfound,
} from '../../services/relay.ts';
import { type RemoteActor, readActor, readKeyOwner } from '../documents/read-actor.ts';
import { isSameHost } from '../documents/values.ts';
import { type DocumentResult, fetchActivityDocument } from '../fetch-activity-document.ts';
import { activityLimits } from '../limits.ts';
import { relayBounds } from './limits.ts';

interface AskedActor {
  readonly address: string;
  readonly fresh: boolean;
}

export class RelayFetches {
  readonly answerers: readonly (readonly [string, Answerer])[] = [
    [relayActorTopic, (request) => this.actor(request as AskedActor)],
    [relayObjectTopic, (request) => this.object((request as { readonly address: string }).address)],
  ];
  private readonly fetcher: Fetcher;
  private readonly signer: () => Promise<RequestSigner>;

  /** `signer`: of the relay. */
  constructor(fetcher: Fetcher, signer: () => Promise<RequestSigner>) {
    this.fetcher = fetcher;
    this.signer = signer;
  }

  async actor({ address, fresh }: AskedActor): Promise<RelayActor | Unfound> {
    const url = keyOwnerCandidates(address).at(-1) ?? address;
    const first = await this.fetch(url, fresh);
    if (!first.ok) return unfound(first);
    const owner = readKeyOwner(first.document);
    const actor = owner === undefined || owner === first.id ? first : await this.fetch(owner, fresh);
    if (!actor.ok) return unfound(actor);
    const read = readActor(actor.document);
    // A key on another host proves nothing about its actor.
    if (read === undefined || !isSameHost(address, read.uri)) return { failure: 'none' };
    return relayActor(read);
  }

  private async object(address: string): Promise<FetchedObject | Unfound> {
    const found = await this.fetch(address, false);
    return found.ok ? { json: JSON.stringify(found.document) } : unfound(found);
  }

  private async fetch(url: string, fresh: boolean): Promise<DocumentResult> {
    const signer = await this.signer();
    const patienceMilliseconds = activityLimits.keyPatienceMilliseconds;
    const bytesMax = relayBounds.bodyBytesMax;
    return fetchActivityDocument(this.fetcher, { url, signer, bytesMax, fresh, patienceMilliseconds });
  }
}

function unfound(result: Extract<DocumentResult, { ok: false }>): Unfound {
  return { failure: isOfTheMoment(result) ? 'unreachable' : 'none' };
}

/** The markers by which people ask robots to leave them alone, as in Pleroma and among users of Mastodon. */
const optOutPattern = /#(?:<span>)?(?:noindex|nobots?|norelay|noarchive)\b/i;

function relayActor({ uri, type, inbox, sharedInbox, keys, note, indexable }: RemoteActor): RelayActor {
  const optsOut = optOutPattern.test(note);
  return { uri, type, inbox, sharedInbox, keys, optsOut, isIndexable: indexable };
}
