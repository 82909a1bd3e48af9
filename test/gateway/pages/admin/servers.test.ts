/** The pages of staff about the servers that are known here. */
import { expect, test } from 'vitest';
import { Directory } from '../../../../src/actors/directory/directory.messages.ts';
import { stopOf } from '../../../../src/actors/instance/servers/servers.queries.ts';
import { serverRoutes } from '../../../../src/gateway/pages/admin/servers/server-page.ts';
import { People } from '../../../support/people.ts';
import { testProfile } from '../../../support/profile.ts';
import { type Site, textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { textAt, withStaff } from './staff.ts';

async function known({ gateway }: Site, name: string, host: string) {
  const uri = `https://${host}/users/${name}`;
  const inbox = `${uri}/inbox`;
  const remote = { uri, url: uri, inbox, publicKeyId: `${uri}#main-key`, publicKeyPem: '' };
  const profile = testProfile({ username: name, domain: host, remote });
  const { accountId: id } = await gateway.actors.call(Directory.learn.to(uri, { profile }));
  return { id, name, destination: { host, inbox } };
}

test('servers are listed and searched, and one is shown with its rule', async () => {
  const { site, admin, moderator } = await withStaff();
  const people = new People(site.gateway.actors);
  const here = { id: admin.id, name: 'ada', destination: undefined };
  const [ron, rita] = [await known(site, 'ron', 'birds.example'), await known(site, 'rita', 'birds.example')];
  await known(site, 'sam', 'fish.example');
  expect(serverRoutes.length).toBe(6);
  await people.follow(here, ron);
  await people.follow(rita, here);
  await admin.act('/web/admin/domains', { domain: 'fish.example', severity: 'silence' });
  expect((await moderator.ask('/admin/servers')).status).toBe(403);
  const page = await admin.ask('/admin/servers');
  expectStrict(page);
  expect(textOf(page.html)).toMatch(/birds\.example 2 accounts · 1 follow people here · 1 are followed from here/);
  expect(textOf(page.html)).toMatch(/fish\.example Limit 1 accounts/);
  expect(await textAt(admin, '/admin/servers?domain=bird')).not.toContain('fish.example');
  expect(await textAt(admin, '/admin/servers?policy=limited')).not.toContain('birds.example');
  expect(await textAt(admin, '/admin/servers?availability=failing')).toContain('There are no such servers.');
  const one = await admin.ask('/admin/servers/birds.example');
  expectStrict(one);
  expect(textOf(one.html)).toContain('There is no rule for it.');
  expect(await textAt(admin, '/admin/servers/fish.example')).toContain('There is a rule for fish.example.');
  expect((await admin.ask('/admin/domains?domain=birds.example')).html).toContain('value="birds.example"');
});

test('deliveries are stopped, restarted and their failures forgotten, and everything of a server removed', async () => {
  const { site, admin, moderator, owner } = await withStaff();
  const at = '/admin/servers/birds.example';
  expect((await moderator.act(`/web${at}/stop`)).status).toBe(403);
  expect((await admin.act(`/web${at}/stop`)).location).toBe(`${at}?done=deliveryStopped`);
  expect(stopOf(site.gateway.services.snapshots, 'social.birds.example')?.byId).toBe(admin.id);
  const page = await admin.ask(`${at}?done=deliveryStopped`);
  expectStrict(page);
  expect(textOf(page.html)).toMatch(/Deliveries to this server wait\..*deliveries are stopped Stopped .* by @ada/s);
  expect(await textAt(admin, '/admin/servers?availability=unavailable')).toMatch(
    /birds\.example deliveries are stopped/,
  );
  expect((await admin.act(`/web${at}/restart`)).location).toBe(`${at}?done=deliveryRestarted`);
  expect(stopOf(site.gateway.services.snapshots, 'birds.example')).toBeUndefined();
  expect((await admin.act(`/web${at}/clear`)).location).toBe(`${at}?done=failuresCleared`);
  expect((await admin.act(`/web${at}/purge`)).location).toBe(`${at}?done=purgeBegun`);
  expect(await textAt(admin, at)).toMatch(/Removal began .*: 0 accounts so far/);
  expect(await textAt(owner, at)).toMatch(
    /Removed everything of a server · by @ada.*Forgot failures .*Restarted .*Stopped deliveries to a server/s,
  );
  expect((await admin.ask('/admin/servers/no%20domain')).status).toBe(422);
  expect((await admin.act('/web/admin/servers/x%20y/stop')).status).toBe(422);
});
