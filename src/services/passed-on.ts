/** What others pass on that is not theirs, as gateways see it: what they ask of network threads, and what they count. */
import type { DocumentRefusal } from './signed-documents.ts';

export const relayedStatusTopic = 'relayed status';

/** Relays that this server has joined, or other servers, which forward the answers in a thread. */
export const passers = ['relay', 'server'] as const;
export type Passer = (typeof passers)[number];

/**
 * What became of it. `applied`: its own signature proved it. `fetched`: from the server of its author. `shed`: too much was
 * to be done already.
 */
export const passedOnOutcomes = [
  ...(['applied', 'fetched', 'repeated', 'unwanted', 'unproved', 'not public'] as const),
  ...(['suspended', 'other type', 'shed'] as const),
] as const;
export type PassedOnOutcome = (typeof passedOnOutcomes)[number];

export interface PassedOnNetwork {
  /**
   * Fetches and stores a public status that a relay has named. False where there is none, or the server cannot be asked
   * now. Rejects with Failure overloaded where too many are being fetched.
   */
  fetchRelayed(uri: string): Promise<boolean>;
  count(by: Passer, outcome: PassedOnOutcome): void;
  countRefused(reason: DocumentRefusal): void;
}
