/**
 * A second gateway thread of the same server that is late: it applies no event until the first waits for it. What it shows
 * from its caches is the old state, as it would be for a moment on a busy server.
 */
import type { EventBatch } from '../../src/runtime/events/event.ts';
import type { Client } from '../../src/runtime/threads/client.ts';
import { EventHub } from '../../src/services/event-hub.ts';
import { RevocationBarrier } from '../../src/services/revocation-barrier.ts';
import { startTestGateway, type TestGateway, type TestGatewayInput } from './gateway.ts';
import { only } from './only.ts';

export interface LateGateway extends TestGateway {
  /** Applies what it has missed. */
  catchUp(): void;
  /** How often the first gateway has waited for this one. */
  readonly awaited: number;
}

export function startLateGateway(first: TestGateway, input: Pick<TestGatewayInput, 'endpoints'>): LateGateway {
  const events = new EventHub();
  const missed: EventBatch[] = [];
  first.actors.watch((batch) => void missed.push(batch));
  const catchUp = () => {
    for (const batch of missed.splice(0)) events.dispatch(batch, []);
  };
  const report = ({ message }: { message: string }) => {
    throw new Error(message);
  };
  const own = new RevocationBarrier({ client: only<Client>('client', {}), events, gateways: [], report });
  own.start([]);
  let awaited = 0;
  const client = only<Client>('client', {
    ask: <Reply>(_role: unknown, _index: number, _topic: string, commits: unknown) => {
      awaited += 1;
      const applied = own.answer(commits as ReadonlyMap<number, number>);
      catchUp();
      return applied as Promise<Reply>;
    },
  });
  const barrier = new RevocationBarrier({ client, events: first.services.events, gateways: [1], report });
  barrier.start([]);
  Object.assign(first.services, { barrier });
  const gateway = startTestGateway({ ...input, beside: first, environment: {}, events });
  return {
    ...gateway,
    catchUp,
    get awaited() {
      return awaited;
    },
  };
}
