/** Answers the search for servers that may know a removed account, as network threads do, until it has ended. */
import { findServers } from '../../src/actors/account/moderation/moderation.effects.ts';
import { serversRunner } from '../../src/operations/leaving/find-servers.ts';
import type { Services } from '../../src/services/services.ts';
import type { TestServer } from './actors.ts';

export async function tellServers(server: TestServer, services: Pick<Services, 'snapshots'>): Promise<void> {
  const [, run] = serversRunner(services);
  server.settle();
  for (;;) {
    const index = server.effects.findIndex(({ effect }) => effect === findServers.number);
    const [asked] = index === -1 ? [] : server.effects.splice(index, 1);
    if (asked === undefined) return;
    asked.answer(await run(asked.request));
    server.settle();
  }
}
