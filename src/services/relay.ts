/** The relay, as gateways see it: what they ask of network threads, and what they count. */
import type { LaneReport } from './delivery-lanes.ts';

export const relayActorTopic = 'relay actor';
export const relayObjectTopic = 'relay object';
export const relayLanesTopic = 'relay lanes';
export const relayDoctorTopic = 'relay doctor';

/** An actor of another server, as far as a relay needs it. It becomes no account here. */
export interface RelayActor {
  readonly uri: string;
  readonly type: string;
  readonly inbox: string;
  readonly sharedInbox: string | undefined;
  /** PEM, or the text of a Multikey. */
  readonly keys: readonly { readonly id: string; readonly text: string }[];
  /** Does not want to be passed on, or (`isIndexable` false) has not opted in to search. */
  readonly optsOut: boolean;
  readonly isIndexable: boolean;
}

/** `none`: there is no such actor or object. `unreachable`: its server cannot be asked now. */
export interface Unfound {
  readonly failure: 'none' | 'unreachable';
}

/** A document fetched from the server of its id, in JSON. */
export interface FetchedObject {
  readonly json: string;
}

/** What happened to the posts of one subscriber's lane since the start. */
export interface RelayLaneReport extends LaneReport {
  readonly number: number;
  readonly delivered: number;
  /** Were too old, had to make room in the log, or did not match its filter. */
  readonly tooOld: number;
  readonly overwritten: number;
  readonly filtered: number;
}

/** What became of a request to the relay's inbox, for the operator. */
export const relayReceptions = [
  ...(['passed on', 'repeated', 'too old', 'not public', 'opted out', 'filtered', 'unsigned', 'unproved'] as const),
  ...(['suspended', 'not subscribed', 'other type', 'about subscription'] as const),
] as const;
export type RelayReception = (typeof relayReceptions)[number];

/** One step of the examination of a subscriber. */
export interface RelayFinding {
  readonly step: string;
  readonly isGood: boolean;
  /** What was found, and what it means, in a sentence. */
  readonly said: string;
}

export interface RelayNetwork {
  /** The actor with this key, or at this address. `fresh` asks even if that failed lately. */
  actor(address: string, fresh: boolean): Promise<RelayActor | Unfound>;
  object(address: string): Promise<FetchedObject | Unfound>;
  /** Of all subscribers, in no order. Throws Failure while a thread cannot answer. */
  lanes(): Promise<readonly RelayLaneReport[]>;
  /** Runs the handshake with a subscriber again, in each dialect of signatures. */
  examine(host: string): Promise<readonly RelayFinding[]>;
  received(what: RelayReception): void;
}
