/** The headers of a request for the signature code: repeated lines are joined on demand. */

interface JoinedHeaders {
  /** All values of a header by its lower-case name, joined by a comma; undefined when it is absent. */
  joinedHeader(name: string): string | undefined;
}

export class RequestHeaders extends Map<string, string> {
  private readonly request: JoinedHeaders;
  private readonly publicHost: string;

  /** `publicHost`: the host[:port] by which senders address this server. */
  constructor(request: JoinedHeaders, publicHost: string) {
    super();
    this.request = request;
    this.publicHost = publicHost;
  }

  /**
   * The signed `host` is the public host, whatever a proxy made of the header: with it the signature is valid, or it
   * was made for another server.
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
