/** GET /api/v1/instance/peers (specification 4.9): the servers of known accounts, unless staff switched it off. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { knownHostsPage } from '../../../actors/directory/directory.queries.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Id } from '../../../runtime/ids.ts';
import { text } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';

/** Read in one go before others get their turn. */
const hostsPerSlice = 500;

export const getPeers = endpoint({
  method: 'GET',
  path: '/api/v1/instance/peers',
  authentication: 'optional',
  summary: 'The names of the servers that this one knows.',
  answer: z.array(text),
  async handler({ services }) {
    if (!settingsOf(services).publishPeers) throw new Failure('notFound');
    const hosts: string[] = [];
    for (const partition of services.snapshots.partitions) {
      let from: Id | undefined;
      do {
        const slice = knownHostsPage(partition, from, hostsPerSlice);
        hosts.push(...slice.hosts);
        from = slice.next;
        if (from !== undefined) await nextTurn();
      } while (from !== undefined);
    }
    return json(hosts);
  },
});
