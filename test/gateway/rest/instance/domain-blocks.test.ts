/** The list of servers that this one suspends or silences, and to whom it is shown. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../../../src/gateway/operator/commands/commands.ts';
import { endpoints } from '../../../../src/gateway/rest/endpoints.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { addWithToken } from '../../../support/sign-up.ts';

let gateway: TestGateway;

beforeAll(() => {
  gateway = startTestGateway({ endpoints });
});

afterAll(async () => {
  expect(gateway.log).toEqual([]);
  await gateway.close();
});

test('servers that staff suspend or silence are listed by name, some of them only in part', async () => {
  const run = (words: string, domain: string, flags = {}) => {
    const command = commands.find((one) => one.words === words)!;
    return command.run!(gateway.services, command.read(domain, flags));
  };
  await run('domains block', 'rude.example', { comment: 'Rude' });
  await run('domains block', 'loud.example', { severity: 'silence', obfuscate: true, 'private-comment': 'Noise' });
  await run('domains block', 'fine.example', { severity: 'noop', 'reject-media': true });
  const digestOf = (domain: string) => createHash('sha256').update(domain).digest('hex');
  expect((await gateway.json('/api/v1/instance/domain_blocks')).body).toEqual([
    { domain: 'loud.****ple', digest: digestOf('loud.example'), severity: 'silence' },
    { domain: 'rude.example', digest: digestOf('rude.example'), severity: 'suspend', comment: 'Rude' },
  ]);
  const { token } = await addWithToken(gateway, 'reader');
  const shown = async (by?: string) =>
    await gateway.json<{ comment?: string }[]>('/api/v1/instance/domain_blocks', by === undefined ? {} : { token: by });
  const reasons = async (by?: string) => (await shown(by)).body.map(({ comment }) => comment);
  await run('settings domain-block-reasons', 'users');
  expect([await reasons(), await reasons(token)]).toEqual([
    [undefined, undefined],
    [undefined, 'Rude'],
  ]);
  await run('settings domain-blocks', 'users');
  expect([(await shown()).status, (await shown(token)).status]).toEqual([404, 200]);
  await run('settings domain-blocks', 'disabled');
  expect((await shown(token)).status).toBe(404);
  await run('settings domain-blocks', 'all');
  await run('settings domain-block-reasons', 'all');
  for (const domain of ['rude.example', 'loud.example', 'fine.example']) await run('domains unblock', domain);
  expect((await gateway.json('/api/v1/instance/domain_blocks')).body).toEqual([]);
});
