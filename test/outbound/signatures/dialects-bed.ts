/** The memory of forms of signatures of one thread, over partitions in memory. */
import { domainActor } from '../../../src/actors/domain/domain.actor.ts';
import { signatureDialects } from '../../../src/actors/domain/domain.state.ts';
import { Dialects } from '../../../src/outbound/signatures/dialects.ts';
import { createTestServer } from '../../support/actors.ts';

export function dialectsBed() {
  const server = createTestServer({ actors: [domainActor], keyspaces: [signatureDialects] });
  const { clock } = server;
  /** Another thread, or the same one after a restart: it remembers nothing. */
  const anotherThread = () =>
    new Dialects({
      snapshots: server.read,
      client: { call: (envelope) => server.call(envelope) },
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      report: ({ message }) => {
        throw new Error(message);
      },
    });
  return { dialects: anotherThread(), anotherThread, clock };
}
