/** Messages between threads. Bodies are plain data, copied by structured clone; messages travel in arrays. */
import type { MessagePort } from 'node:worker_threads';
import type { Envelope } from '../contract.ts';
import type { EventRecipients, WantedEvents } from '../events/event.ts';
import type { LetterOrder } from '../letters.ts';
import type { Acknowledgement, CallResult, CommitPosition, Frame } from '../ports.ts';
import type { ReplyHandle } from '../storage/machine.ts';
import type { SpanBatch } from '../tracing/span-recorder.ts';
import { systemClock } from './clock.ts';
import type { ThreadName } from './role.ts';

/** A request that somebody waits for. */
export interface Answerable {
  readonly replyTo: ReplyHandle;
  /** The latest time at which it may begin, by the monotonic clock. */
  readonly deadline: number;
}

export type ThreadMessage =
  | (Answerable & {
      readonly type: 'call';
      readonly envelope: Envelope;
      readonly flow: string;
      /** About the memory that the body takes. */
      readonly bytes: number;
      readonly cause?: string | undefined;
    })
  /** Without a position any commit may have preceded it. */
  | {
      readonly type: 'reply';
      readonly handle: ReplyHandle;
      readonly result: CallResult;
      readonly position?: CommitPosition | undefined;
    }
  | { readonly type: 'frame'; readonly frame: Frame }
  | { readonly type: 'acknowledge'; readonly acknowledgement: Acknowledgement }
  /** Subscribes the sender to these events, or to all; it gets those after the reply. */
  | (Answerable & { readonly type: 'listen'; readonly events: WantedEvents | undefined })
  | {
      readonly type: 'events';
      readonly partition: number;
      readonly commit: number;
      /** See `packEvents`. */
      readonly events: Uint8Array;
      readonly recipients: readonly EventRecipients[];
    }
  /**
   * Events were left out because too much waited for the receiver, or a record was deleted of which no event tells: what
   * the receiver has read may no longer hold.
   */
  | { readonly type: 'gap' }
  | {
      readonly type: 'effect';
      readonly partition: number;
      readonly sequence: number;
      readonly effect: number;
      readonly request: unknown;
      readonly cause?: string | undefined;
    }
  | { readonly type: 'answer'; readonly partition: number; readonly sequence: number; readonly answer: unknown }
  /** The runner threw: the effect may be run again. */
  | { readonly type: 'effectFailed'; readonly partition: number; readonly sequence: number; readonly reason: string }
  | (Answerable & {
      readonly type: 'control';
      readonly partition: number;
      readonly view: string;
      readonly request: unknown;
    })
  | (Answerable & { readonly type: 'letters'; readonly partition: number; readonly order: LetterOrder })
  /** The sender could not decode the value of this key. */
  | { readonly type: 'damaged'; readonly partition: number; readonly key: Uint8Array }
  /** Between gateways and network threads; `topic` names the receiving service. */
  | (Answerable & { readonly type: 'ask'; readonly topic: string; readonly request: unknown })
  | { readonly type: 'notice'; readonly topic: string; readonly body: unknown };

/** Its caller has given up, or is about to: it is not worth beginning. */
export function hasExpired({ deadline }: Answerable): boolean {
  return deadline <= systemClock.monotonic();
}

/** From the supervisor to a thread. */
export type SupervisorMessage =
  | {
      readonly type: 'peer';
      readonly peer: ThreadName;
      readonly port: MessagePort;
      /** Shared count of what was read; this end has the given side. */
      readonly backlog: SharedArrayBuffer;
      readonly side: 0 | 1;
      readonly replaced: boolean;
    }
  | { readonly type: 'start' }
  /** Digests of the messages that owners do not run. */
  | { readonly type: 'poison'; readonly digests: readonly string[] }
  | { readonly type: 'stop' }
  | { readonly type: 'admin'; readonly request: unknown; readonly number: number };

/** From a thread to the supervisor. */
export type ThreadReport =
  | { readonly type: 'ready' }
  | { readonly type: 'stopped' }
  | { readonly type: 'spans'; readonly batch: SpanBatch }
  | { readonly type: 'adminAnswer'; readonly number: number; readonly answer: unknown }
  | { readonly type: 'adminFailed'; readonly number: number; readonly sentence: string };
