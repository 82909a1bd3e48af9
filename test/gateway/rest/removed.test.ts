/** What earlier releases of the Mastodon API had is gone as a record is that never was (reference: REMOVED rows). */
import { afterAll, expect, test } from 'vitest';
import { endpoints } from '../../../src/gateway/rest/endpoints.ts';
import { removedEndpoints } from '../../../src/gateway/rest/removed.endpoints.ts';
import { startTestGateway } from '../../support/gateway.ts';

const gateway = startTestGateway({ endpoints });
afterAll(() => gateway.close());

const removed = removedEndpoints.flatMap(({ methods, path }) => methods.map((method) => [method, path] as const));

test.each(removed)('%s %s is gone, whatever stands in the place of an id', async (method, path) => {
  const answer = await gateway.json(path.replaceAll(/:\w+/g, '12'), { method });
  expect(answer).toEqual({ status: 404, body: { error: 'Record not found' } });
});
