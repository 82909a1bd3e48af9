/** Bounds of document signatures, with their units in their names. */
const hour = 3_600_000;

export const documentLimits = {
  /** Of a document with its signature, in JSON. */
  bytesMax: 131_072,
  /** Nodes without an id, on which the cost of the canonical form depends, and values of all kinds. */
  blankNodesMax: 200,
  valuesMax: 4_000,
  /** Proofs (FEP-8b32) of one document that are looked at. */
  proofsMax: 4,
  /** Of one document on the pool. */
  deadlineMilliseconds: 3_000,
  /** Documents that a thread has on the pool, and that wait for that. */
  atOnceMax: 2,
  waitingMax: 256,
  /** How long after its making a signature counts, as in Mastodon; and how far clocks may differ. */
  ageMilliseconds: 48 * hour,
  skewMilliseconds: hour,
} as const;
