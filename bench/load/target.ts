/** The server under test. */

export interface Target {
  /** Without a path. */
  readonly origin: string;
  /** Of accounts to act as; some parts need none. */
  readonly tokens: readonly string[];
  /** Sent with every request, such as X-Forwarded-Proto in place of a proxy. */
  readonly headers: Readonly<Record<string, string>>;
}
