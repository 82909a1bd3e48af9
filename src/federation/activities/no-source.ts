/** A source that finds nothing: for activities that are applied without what they refer to. */
import type { RemoteSource } from './inbound.ts';

export const noSource: RemoteSource = {
  note: () => Promise.resolve(undefined),
  status: () => Promise.resolve(undefined),
  quoted: () => Promise.resolve(undefined),
  quoteAuthorization: () => Promise.resolve(undefined),
  replyAuthorization: () => Promise.resolve(undefined),
  collection: () => Promise.resolve(undefined),
  featureAuthorization: () => Promise.resolve(undefined),
  account: () => Promise.resolve(undefined),
};
