/** GET /api/v1/instance and /api/v2/instance (specification 4.9). */

import { countPurgedServers } from '../../../operations/instance/known-servers.ts';
import { withSecrets } from '../../../services/instance-secrets.ts';
import { instanceEntity, instanceV1Entity } from '../../entities/instance.ts';
import { FirstInstanceEntity, InstanceEntity } from '../../entities/instance-schema.ts';
import { json } from '../../http/answers.ts';
import { endpoint } from '../../route.ts';
import { instanceFacts } from './facts.ts';

export const getInstance = endpoint({
  method: 'GET',
  path: '/api/v2/instance',
  authentication: 'optional',
  summary: 'Describes this server, its features and limits.',
  answer: InstanceEntity,
  handler: ({ services, request }) =>
    withSecrets(services, ({ vapidPublicKey }) =>
      json(instanceEntity(instanceFacts(services, request.origin, vapidPublicKey))),
    ),
});

export const getInstanceV1 = endpoint({
  method: 'GET',
  path: '/api/v1/instance',
  deprecated: { at: Date.UTC(2022, 10, 14) },
  authentication: 'optional',
  summary: 'Describes this server, in the shape of version 1.',
  answer: FirstInstanceEntity,
  async handler({ services, request }) {
    const purged = await countPurgedServers(services);
    return withSecrets(services, ({ vapidPublicKey }) => {
      const { usage, ...facts } = instanceFacts(services, request.origin, vapidPublicKey);
      return json(instanceV1Entity({ ...facts, usage: { ...usage, hosts: usage.hosts - purged } }));
    });
  },
});
