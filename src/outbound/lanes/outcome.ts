/** How one request ended, in the terms of lanes. */
import type { NetworkFault } from '../fetcher/network-fault.ts';

export const verdicts = [
  'delivered',
  /** The target will never accept this entry. */
  'dropped',
  /** The target is gone, perhaps the whole host with it. */
  'gone',
  /** The host refuses it, perhaps because a clock or a key is behind: worth two more attempts. */
  'refused',
  /** The host asks for a pause of a stated length. */
  'throttled',
  /** No answer, or an error of the host, or no address that may be asked. */
  'failed',
  /** Nothing was sent because of a bound of this server. */
  'postponed',
] as const;
export type Verdict = (typeof verdicts)[number];

export type Outcome = {
  /** With which the host has answered, such as that of HTTP; undefined where it has not. */
  readonly status: number | undefined;
} & (
  | { readonly verdict: 'delivered' | 'dropped' | 'refused' | 'postponed' }
  | { readonly verdict: 'gone'; readonly isWholeHost: boolean }
  | { readonly verdict: 'throttled'; readonly pauseMilliseconds: number }
  /** `isPerhapsTheEntry`: the host may work, and be unable to process this entry only. */
  | { readonly verdict: 'failed'; readonly isPerhapsTheEntry: boolean; readonly fault?: NetworkFault }
);
