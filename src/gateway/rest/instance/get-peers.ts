/** The servers of known accounts (specification 4.9), unless staff have switched the list off. */
import { z } from 'zod';
import { knownServers, serversBeginningWith } from '../../../operations/instance/known-servers.ts';
import { settingsOf } from '../../../operations/instance/settings.ts';
import { Failure } from '../../../runtime/errors.ts';
import type { Services } from '../../../services/services.ts';
import { text } from '../../entities/values.ts';
import { json } from '../../http/answers.ts';
import { textUpTo } from '../../http/parameter-types.ts';
import { endpoint } from '../../route.ts';

/** Of a domain name (RFC 1035). */
const nameCharactersMax = 253;
const foundMax = 10;

export const getPeers = endpoint({
  method: 'GET',
  path: '/api/v1/instance/peers',
  authentication: 'optional',
  summary: 'Lists the names of known servers.',
  answer: z.array(text),
  async handler({ services }) {
    demandPublished(services);
    return json(await knownServers(services));
  },
});

export const searchPeers = endpoint({
  method: 'GET',
  path: '/api/v1/peers/search',
  authentication: 'optional',
  parameters: z.object({ q: textUpTo(nameCharactersMax) }),
  summary: 'Lists known servers whose names begin with the query.',
  answer: z.array(text),
  async handler({ services }, { q = '' }) {
    demandPublished(services);
    return json(await serversBeginningWith(services, q, foundMax));
  },
});

function demandPublished(services: Pick<Services, 'snapshots' | 'options'>): void {
  if (!settingsOf(services).publishPeers) throw new Failure('notFound');
}
