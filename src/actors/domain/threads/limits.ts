/** Bounds of fetching a thread. */
export const threadLimits = {
  /** What was not fetched by then is left for another time. */
  lifetimeMilliseconds: 10 * 60_000,
  /** Requests for one thread at a time; a host is asked for one thing at a time anyway. */
  runningMax: 4,
  /** Threads of one host that are fetched at a time. */
  perHostMax: 16,
  /** Addresses that a thread names; more are left out. */
  addressesMax: 1_000,
  /** Of them, taken from one answer. */
  foundMax: 200,
  /** Replies to replies. */
  depthMax: 64,
  /** How far up it is followed. */
  ancestorsMax: 200,
  /** Pages of the replies to one status. */
  pagesMax: 20,
  hostsMax: 100,
  /** A host that fails so often in a row is not asked again for this thread. */
  failuresMax: 3,
  /** Where too much waits for a host, it is asked later. */
  busyMilliseconds: 5_000,
} as const;
