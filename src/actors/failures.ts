/** The failure codes of actors. The texts of all codes are in gateway/http/failures.ts. */
declare module '../runtime/errors.ts' {
  interface FailureCodes {
    domain: 'notFound' | 'gone' | 'forbidden' | 'conflict' | 'invalidGrant' | 'tokenInvalid';
  }
}

export {};
