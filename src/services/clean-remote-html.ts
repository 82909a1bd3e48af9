/** The service that sanitises HTML of other servers; implemented by outbound/remote-html. */

export interface RemoteHtmlOptions {
  /** The value of a profile field: its links may have `rel="me"`. */
  profileField?: boolean;
}

/**
 * Sanitises remote HTML: at once when it needs no work, else as a promise, which rejects with `Failure('overloaded')`
 * when too much waits, or with an error of the pool.
 */
export type CleanRemoteHtml = (html: string, options?: RemoteHtmlOptions) => string | Promise<string>;
