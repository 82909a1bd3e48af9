/**
 * Examines a subscriber: reads its actor, and answers its Follow again where it was accepted, which changes nothing, once in
 * each dialect of signatures. Says in plain words what a refusal means.
 */
import { relayActorId } from '../../actors/intents.ts';
import { findSubscription } from '../../actors/relay/relay.queries.ts';
import type { Follower } from '../../actors/relay/relay.records.ts';
import type { Delivery, DeliveryResult } from '../../outbound/fetcher/deliver.ts';
import { digestHeader } from '../../outbound/signatures/digest.ts';
import { signForAll, signRequest } from '../../outbound/signatures/sign-request.ts';
import type { RequestSigner } from '../../outbound/signatures/types.ts';
import type { Reader } from '../../runtime/storage/reader.ts';
import type { Addresses } from '../../services/addresses.ts';
import type { RelayFinding } from '../../services/relay.ts';
import { translateIntent } from '../documents/intents.ts';
import type { RelayFetches } from './relay-fetches.ts';

interface DoctorOptions {
  readonly snapshots: Reader;
  readonly addresses: Addresses;
  readonly fetches: Pick<RelayFetches, 'actor'>;
  /** Of the relay. */
  signer(): Promise<RequestSigner>;
  /** Never rejects. */
  send(delivery: Delivery): Promise<DeliveryResult>;
  now(): number;
}

const contentType = 'application/activity+json';
const messageSignature = 'signature by RFC 9421';

const meanings: Readonly<Record<number, string>> = {
  401: 'it refuses the signature. Can it fetch the actor of the relay, and do the clocks agree?',
  403: 'it refuses the relay: it may have blocked it.',
  404: 'there is no such inbox any more.',
  410: 'its inbox is gone for good.',
  429: 'it asks for fewer requests.',
};

export class RelayDoctor {
  private readonly options: DoctorOptions;

  constructor(options: DoctorOptions) {
    this.options = options;
  }

  async examine(host: string): Promise<RelayFinding[]> {
    const subscription = findSubscription(this.options.snapshots, host);
    const follower = subscription?.follower;
    if (subscription === undefined || follower === undefined)
      return [{ step: 'subscription', isGood: false, said: 'the server has never asked for one.' }];
    const { state } = subscription;
    const waits = state === 'confirming' ? ': it has not accepted the Follow of the relay yet' : '';
    const findings = [
      { step: 'subscription', isGood: state === 'active', said: `${state}${waits}.` },
      await this.examineActor(follower),
    ];
    // Whoever was not accepted must not be told so.
    const isAccepted = state === 'active' || state === 'confirming';
    return isAccepted ? [...findings, ...(await this.examineInbox(follower))] : findings;
  }

  private async examineActor({ actor: address, inbox }: Follower): Promise<RelayFinding> {
    const step = 'actor';
    const actor = await this.options.fetches.actor({ address, fresh: true });
    if ('failure' in actor) {
      const isAway = actor.failure === 'unreachable';
      return { step, isGood: false, said: `${address} ${isAway ? 'cannot be reached now' : 'is no usable actor'}.` };
    }
    if (actor.inbox !== inbox)
      return { step, isGood: false, said: `its inbox is now ${actor.inbox}: it has to subscribe again.` };
    return { step, isGood: true, said: address };
  }

  private async examineInbox(follower: Follower): Promise<RelayFinding[]> {
    const { addresses, snapshots } = this.options;
    const { actor, follow } = follower;
    const subject = { actorId: relayActorId, activityId: BigInt(this.options.now()), follower: actor, follow };
    const answer = translateIntent({ kind: 'acceptSubscription', ...subject }, snapshots, addresses)?.activity;
    const url = URL.parse(follower.inbox);
    if (answer === undefined || url === null)
      return [{ step: 'inbox', isGood: false, said: 'its address is invalid.' }];
    const body = Buffer.from(JSON.stringify(answer));
    const signing = {
      digest: digestHeader(body),
      contentType,
      dateMilliseconds: this.options.now(),
      ...(await this.options.signer()),
    };
    const own = { method: 'POST', url, ...signing } as const;
    const headers = {
      'signature for this host': await signRequest(own),
      'signature for all hosts': await signForAll(signing),
      [messageSignature]: await signRequest({ ...own, dialect: 'rfc9421' }),
    };
    const findings: RelayFinding[] = [];
    for (const [step, signed] of Object.entries(headers)) {
      const result = await this.options.send({ url: follower.inbox, body, headers: signed });
      findings.push({ step, ...readAnswer(result) });
    }
    const takesOther = findings.some(({ step, isGood }) => isGood && step !== messageSignature);
    return findings.map((found) =>
      found.step === messageSignature && takesOther && !found.isGood
        ? { ...found, isGood: true, said: 'not taken, and not needed.' }
        : found,
    );
  }
}

function readAnswer(result: DeliveryResult): Omit<RelayFinding, 'step'> {
  if (!result.ok) return { isGood: false, said: `no answer (${result.detail}).` };
  const { status } = result;
  if (status >= 200 && status < 300) return { isGood: true, said: `accepted with ${status}.` };
  return { isGood: false, said: `answered ${status}: ${meanings[status] ?? 'it could not process the request.'}` };
}
