/**
 * A gateway thread reduced to what its client needs: links that record what is sent, calls and all, instead of sending it.
 */
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import type { Link } from '../../../src/runtime/threads/link.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import type { Thread } from '../../../src/runtime/threads/thread.ts';
import { only } from '../../support/only.ts';
import { threadName } from './roles.ts';

export function callingThread() {
  const sent: Extract<ThreadMessage, { type: 'call' }>[] = [];
  const all: ThreadMessage[] = [];
  /** Of all. */
  const sizes: number[] = [];
  /** Of every link. */
  const backlog = { isFull: false };
  const link = (role: string, index: number) =>
    only<Link>('link', {
      peer: threadName(role, index),
      backlog: only<Link['backlog']>('backlog', backlog),
      send(message, bytes = 0) {
        all.push(message);
        sizes.push(bytes);
        if (message.type === 'call') sent.push(message);
      },
    });
  const thread = only<Thread<unknown>>('thread', {
    name: threadName('gateway', 0),
    boot: 1,
    life: 0,
    counts: { owner: 1, gateway: 1, network: 1 },
    metrics: new Metrics(allocateMetrics()),
    link,
  });
  return { thread, sent, all, sizes, backlog };
}
