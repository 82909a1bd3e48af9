/** The headers of a request as the signature code asks for them: each one joined, and only when it is asked for. */
import type { IncomingRequest } from '../../http/request.ts';

export class RequestHeaders extends Map<string, string> {
  private readonly request: Pick<IncomingRequest, 'joinedHeader'>;
  private readonly publicHost: string;

  /** `publicHost`: the host[:port] by which senders know this server. */
  constructor(request: Pick<IncomingRequest, 'joinedHeader'>, publicHost: string) {
    super();
    this.request = request;
    this.publicHost = publicHost;
  }

  /**
   * What a sender signed as `host` is the public host, whatever a proxy on the way made of the header: with it the
   * signature holds, or it was made for another server.
   */
  override get(name: string): string | undefined {
    if (name !== 'host') return this.request.joinedHeader(name);
    const received = this.request.joinedHeader(name);
    const bare = received
      ?.trim()
      .toLowerCase()
      .replace(/:(?:443|80)$/, '');
    return bare === this.publicHost ? received : this.publicHost;
  }
}
