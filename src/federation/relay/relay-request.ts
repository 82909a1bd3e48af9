/** A request to the relay whose signature was verified. */
import type { JsonObject } from '../../outbound/fetcher/json.ts';
import type { RelayActor } from '../../services/relay.ts';

export interface RelayRequest {
  readonly json: JsonObject;
  readonly body: Buffer;
  readonly signer: RelayActor;
  /** The host[:port] of the signer. */
  readonly host: string;
}
