/** Why a run cannot begin or go on: a closed list, each with what the operator can do about it. */

const advice = {
  usage: '`murmuration load --help` lists commands and options',
  scenarioInvalid: 'docs/benchmarking says what a scenario contains',
  addressRefused: 'load is for servers of your own: add --i-run-this-server when this one is yours',
  serverUnreachable:
    'start the server, or check address, port and certificate (NODE_EXTRA_CA_CERTS for one of your own)',
  serverUnsuitable: 'the address must be that of a server with the Mastodon API, without a path',
  tokenRefused: 'make a new token with the scopes read, write and follow, and pass it by --token or --tokens',
  rateLimited: 'switch rate limits off on the server under test (MURMURATION_RATE_LIMITS=off), or use more tokens',
  recipientUnknown: 'name an account of the server under test, as alice@example.org or by the address of its actor',
  processUnknown: 'pass the id of the server itself on this machine (Linux), or leave out --pid',
  socketsExhausted: 'raise the limit of open files (ulimit -n) for this command and for the server',
  addressUnavailable:
    'the fleet listens on addresses of 127.0.0.0/8, which need no setup on Linux; choose another --port',
  subscriptionRefused:
    'the relay must take every server (MURMURATION_RELAY_SUBSCRIPTIONS=open) and may contact loopback addresses (MURMURATION_FEDERATION_ALLOW_PRIVATE, MURMURATION_FEDERATION_ALLOW_HTTP)',
} as const;

export type LoadFailureKind = keyof typeof advice;

export class LoadFailure extends Error {
  readonly kind: LoadFailureKind;

  /** `sentence` says what happened, and ends with a full stop. */
  constructor(kind: LoadFailureKind, sentence: string) {
    super(sentence);
    this.kind = kind;
  }

  get advice(): string {
    return advice[this.kind];
  }
}
