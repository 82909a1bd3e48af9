/** The service that makes HTML of other servers safe; federation/remote-html provides it. */

export interface RemoteHtmlOptions {
  /** The value of a profile field: a link may claim `rel="me"` there. */
  profileField?: boolean;
}

/**
 * Safe HTML for remote HTML: at once when it needs no work, else as a promise, which rejects with `Failure('overloaded')`
 * when too much waits already, or with whatever the pool failed with.
 */
export type CleanRemoteHtml = (html: string, options?: RemoteHtmlOptions) => string | Promise<string>;
