/** What gateways say to the feeds of a partition (`Client.control(partition, 'feeds', …)`), answered at once. */
export type FeedRequest =
  /** The account was read: give it a ring that collects from now on. */
  | { readonly kind: 'open'; readonly accountId: bigint }
  /** The ids merged from snapshots that were taken after `open`; `whole` when there are no older ones. */
  | {
      readonly kind: 'fill';
      readonly accountId: bigint;
      readonly generation: number;
      readonly ids: readonly bigint[];
      readonly whole: boolean;
    }
  /** A stream of this account begins or ends: its ring is kept, and events name it among their recipients. */
  | { readonly kind: 'listen'; readonly accountId: bigint; readonly listening: boolean };

export interface FeedAnswer {
  /** What a `fill` must name; undefined when there is no ring for the account, or when the fill came too late. */
  readonly generation: number | undefined;
}
