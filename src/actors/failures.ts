/** What actors refuse with, and whoever looks for them. The table of words for all codes is gateway/http/failures.ts. */
declare module '../runtime/errors.ts' {
  interface FailureCodes {
    domain: 'notFound' | 'gone' | 'forbidden' | 'conflict' | 'invalidGrant';
  }
}

export {};
