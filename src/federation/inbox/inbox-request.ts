/** A request to an inbox, as the gateway received it. */
import type { SignedRequest } from '../../outbound/signatures/types.ts';

export interface InboxRequest extends SignedRequest {
  readonly body: Buffer;
  /** Address of the client, for its budget. */
  readonly address: string;
  /** The name of the local account to whose inbox it came. */
  readonly owner?: string | undefined;
  /** Its id, where requests are traced. */
  readonly cause?: string | undefined;
}
