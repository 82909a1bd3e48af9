/** The headers of a request for the signature code: repeated lines are joined on demand. */
import type { SignedHeaders } from '../../outbound/signatures/types.ts';

interface JoinedHeaders {
  /** All values of a header by its lower-case name, joined by a comma; undefined when it is absent. */
  joinedHeader(name: string): string | undefined;
}

export class RequestHeaders implements SignedHeaders {
  private readonly request: JoinedHeaders;
  private readonly publicHost: string;

  /** `publicHost`: the host[:port] by which senders address this server. */
  constructor(request: JoinedHeaders, publicHost: string) {
    this.request = request;
    this.publicHost = publicHost;
  }

  /**
   * The signed `host` is the public host, whatever a proxy made of the header: with it the signature is valid, or it
   * was made for another server.
   */
  get(name: string): string | undefined {
    if (name !== 'host') return this.request.joinedHeader(name);
    const received = this.request.joinedHeader(name);
    if (received === this.publicHost) return received;
    const bare = received
      ?.trim()
      .toLowerCase()
      .replace(/:(?:443|80)$/, '');
    return bare === this.publicHost ? received : this.publicHost;
  }
}
