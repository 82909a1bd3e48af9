/** Requests of gateways to the feeds of a partition (`Client.control(partition, 'feeds', …)`), answered at once. */
export type FeedRequest =
  /** The account's home was read: give it a ring that collects from now on. */
  | { readonly kind: 'open'; readonly accountId: bigint }
  /** The ids merged from snapshots taken after `open`; `whole` when no older ones exist. */
  | {
      readonly kind: 'fill';
      readonly accountId: bigint;
      readonly generation: number;
      readonly ids: readonly bigint[];
      readonly whole: boolean;
    }
  /** A stream of this account begins or ends: its ring is kept, and events list it among their recipients. */
  | { readonly kind: 'listen'; readonly accountId: bigint; readonly listening: boolean }
  /** Whether a stream of this account is open, on any gateway. */
  | { readonly kind: 'isListening'; readonly accountId: bigint };

export interface FeedAnswer {
  /** A `fill` must name it; undefined when the account has no ring, or when the fill came too late. */
  readonly generation: number | undefined;
  /** Of `isListening`. */
  readonly isListening?: boolean;
}
