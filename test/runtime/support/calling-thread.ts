/**
 * A gateway thread reduced to what its client needs: a link to one owner that records calls instead of sending them.
 */
import { allocateMetrics } from '../../../src/runtime/metrics/layout.ts';
import { Metrics } from '../../../src/runtime/metrics/metrics.ts';
import type { Link } from '../../../src/runtime/threads/link.ts';
import type { ThreadMessage } from '../../../src/runtime/threads/messages.ts';
import type { Thread } from '../../../src/runtime/threads/thread.ts';
import { only } from '../../support/only.ts';

export function callingThread() {
  const sent: Extract<ThreadMessage, { type: 'call' }>[] = [];
  const link = only<Link>('link', {
    peer: { role: 'owner', index: 0 },
    send: (message) => void (message.type === 'call' && sent.push(message)),
  });
  const thread = only<Thread<unknown>>('thread', {
    name: { role: 'gateway', index: 0 },
    boot: 1,
    life: 0,
    counts: { owner: 1, gateway: 1, network: 1 },
    metrics: new Metrics(allocateMetrics()),
    link: () => link,
  });
  return { thread, sent };
}
