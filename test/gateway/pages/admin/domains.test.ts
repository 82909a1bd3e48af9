/** The pages of staff about rules for other servers, and about those that are allowed. */
import { describe, expect, test } from 'vitest';
import { federationModeOf, findDomainBlock } from '../../../../src/actors/instance/domains/domains.queries.ts';
import { domainsPath } from '../../../../src/gateway/pages/admin/domains/domains-page.ts';
import { learnt } from '../../../support/learnt.ts';
import { People } from '../../../support/people.ts';
import { textOf } from '../site.ts';
import { expectStrict } from '../strict.ts';
import { hiddenIn, textAt, withStaff } from './staff.ts';

describe('rules for other servers', () => {
  const full = {
    domain: 'Bad.Example',
    severity: 'suspend',
    reject_media: '1',
    public_comment: 'Spam',
    private_comment: 'See mail',
  };

  test('are made, shown, changed and taken back', async () => {
    const { site, admin } = await withStaff();
    const { read } = site.gateway.actors;
    expect((await admin.act('/web/admin/domains', full)).location).toBe('/admin/domains?done=blocked');
    const block = findDomainBlock(read, 'bad.example')!;
    expect(block).toMatchObject({
      severity: 'suspend',
      rejectMedia: true,
      rejectReports: false,
      privateComment: 'See mail',
    });
    const list = await admin.ask('/admin/domains?done=blocked');
    expectStrict(list);
    expect(textOf(list.html)).toContain('bad.example Suspend no media');
    const page = await admin.ask(`/admin/domains/${block.id}`);
    expectStrict(page);
    expect(page.html).toContain('value="suspend" checked');
    await admin.act(`/web/admin/domains/${block.id}`, { severity: 'silence', private_comment: 'Better now' });
    expect(findDomainBlock(read, 'bad.example')).toMatchObject({
      severity: 'silence',
      rejectMedia: false,
      privateComment: 'Better now',
    });
    expect(findDomainBlock(read, 'bad.example')?.publicComment).toBeUndefined();
    expect((await admin.act(`/web/admin/domains/${block.id}/remove`)).location).toBe('/admin/domains?done=unblocked');
    expect(findDomainBlock(read, 'bad.example')).toBeUndefined();
    expect((await admin.act(`/web/admin/domains/${block.id}/remove`)).status).toBe(404);
  });

  test('say first what a suspension ends', async () => {
    const { site, admin, user } = await withStaff();
    const { actors } = site.gateway;
    const carol = await learnt(actors, 'carol', 'bad.example');
    await new People(actors).follow({ id: user.id, name: 'una', destination: undefined }, carol);
    const rule = () => findDomainBlock(actors.read, 'bad.example');
    const first = await admin.act('/web/admin/domains', full);
    expect([first.status, rule()]).toEqual([422, undefined]);
    expect(textOf(first.html)).toContain('Suspending bad.example would end follows');
    expect(textOf(first.html)).toContain('1 follows of accounts there by people here');
    const seen = hiddenIn(first.html, '/web/admin/domains', 'seen');
    expect((await admin.act('/web/admin/domains', { ...full, seen })).location).toBe('/admin/domains?done=blocked');

    // A rule that was milder until now ends them as well.
    const path = `/admin/domains/${rule()!.id}`;
    const change = (fields: Record<string, string>) => admin.act(`/web${path}`, { private_comment: 'Loud', ...fields });
    expect((await change({ severity: 'silence' })).location).toBe(`${path}?done=blockChanged`);
    const asked = await change({ severity: 'suspend', public_comment: 'Rude' });
    expectStrict(asked);
    expect([asked.status, rule()?.severity]).toEqual([422, 'silence']);
    expect(textOf(asked.html)).toContain('Suspending bad.example would end follows');
    expect([asked.html.includes('>Rude</textarea>'), asked.html.includes('value="suspend" checked')]).toEqual([
      true,
      true,
    ]);
    const again = { severity: 'suspend', seen: hiddenIn(asked.html, `/web${path}`, 'seen') };
    expect([(await change(again)).location, rule()?.severity]).toEqual([`${path}?done=blockChanged`, 'suspend']);
    // It is so already.
    expect((await change({ severity: 'suspend' })).location).toBe(`${path}?done=blockChanged`);
  });

  test('with allowed servers only, the form says first what that ends', async () => {
    const { site, admin, user } = await withStaff();
    const { actors } = site.gateway;
    const una = { id: user.id, name: 'una', destination: undefined };
    for (const host of ['kind.example', 'other.example'])
      await new People(actors).follow(una, await learnt(actors, 'carol', host));
    await admin.act('/web/admin/domains/allowed', { domain: 'kind.example' });
    const mode = () => federationModeOf(actors.read);
    const change = (fields: Record<string, string>) => admin.act('/web/admin/domains/mode', fields);
    const asked = await change({ mode: 'allow-list' });
    expectStrict(asked);
    expect([asked.status, mode()]).toEqual([422, 'open']);
    const text = textOf(asked.html);
    expect(text).toContain('Follows would end with all servers that are not allowed');
    expect(text).toContain('1 follows of accounts there by people here');
    expect(asked.html).toContain('value="allow-list" checked');
    const seen = hiddenIn(asked.html, '/web/admin/domains/mode', 'seen');
    expect((await change({ mode: 'allow-list', seen })).location).toBe('/admin/domains/allowed?done=mode');
    expect(mode()).toBe('allow-list');
    // It is so already.
    expect((await change({ mode: 'allow-list' })).status).toBe(303);
  });

  test('without a severity are neither made nor changed, and a list without its kind is not read', async () => {
    const { site, admin } = await withStaff();
    const rule = () => findDomainBlock(site.gateway.actors.read, 'bad.example')?.severity;
    const { severity: _severity, ...others } = full;
    expect([(await admin.act('/web/admin/domains', others)).status, rule()]).toEqual([400, undefined]);
    await admin.act('/web/admin/domains', full);
    const { id } = findDomainBlock(site.gateway.actors.read, 'bad.example')!;
    expect([(await admin.act(`/web/admin/domains/${id}`, others)).status, rule()]).toEqual([400, 'suspend']);
    const list = { csv: 'kind.example', how: 'import' };
    expect((await admin.act('/web/admin/domains/lists', list)).status).toBe(400);
    expect(findDomainBlock(site.gateway.actors.read, 'kind.example')).toBeUndefined();
  });

  test('are read and written as lists', async () => {
    const { site, admin, moderator } = await withStaff();
    const { read } = site.gateway.actors;
    const send = (csv: string, how: string) => admin.act('/web/admin/domains/lists', { list: 'blocks', csv, how });
    const tried = await send('bad.example\n!\n', 'try');
    expect(textOf(tried.html)).toContain('New: 1. Known already: 0. Not readable: 1.');
    expect(findDomainBlock(read, 'bad.example')).toBeUndefined();
    expect(textOf((await send('bad.example', 'import')).html)).toContain('The list was read');
    expect(findDomainBlock(read, 'bad.example')).toMatchObject({ severity: 'suspend' });
    expectStrict(await admin.ask('/admin/domains/lists'));
    expect((await admin.ask('/admin/domains/lists/blocks')).html).toContain('bad.example,suspend');
    expect((await admin.ask('/admin/domains/lists/allows')).html).toBe('#domain\n');
    expect((await moderator.ask('/admin/domains/lists')).status).toBe(403);
  });

  test('keep what was typed where they are refused', async () => {
    const { site, admin } = await withStaff();
    const wrong = await admin.act('/web/admin/domains', { ...full, domain: 'no domain' });
    expect([wrong.status, textOf(wrong.html).includes('This is not the name of another server.')]).toEqual([422, true]);
    expect(wrong.html).toContain('value="no domain"');
    expect(wrong.html).toContain('>See mail</textarea>');
    const long = await admin.act('/web/admin/domains', { ...full, public_comment: 'x'.repeat(2_000) });
    expect([long.status, findDomainBlock(site.gateway.actors.read, 'bad.example')]).toEqual([422, undefined]);
    await admin.act('/web/admin/domains', full);
    const below = await admin.act('/web/admin/domains', { domain: 'a.bad.example', severity: 'silence' });
    expect(textOf(below.html)).toContain('There is a rule already that is as strict: bad.example.');
  });

  test('or only allowed servers: they are listed, added and removed', async () => {
    const { site, admin } = await withStaff();
    const path = `${domainsPath}/allowed`;
    await admin.act('/web/admin/domains/allowed', { domain: 'good.example' });
    await admin.act('/web/admin/domains/mode', { mode: 'allow-list' });
    expect(federationModeOf(site.gateway.actors.read)).toBe('allow-list');
    const page = await admin.ask(path);
    expectStrict(page);
    expect(textOf(page.html)).toContain('good.example');
    const remove = /formaction="(\/web\/admin\/domains\/allowed\/\d+\/remove)"/.exec(page.html)![1]!;
    expect((await admin.act(remove)).location).toBe(`${path}?done=disallowed`);
    expect(await textAt(admin, path)).toContain('No server is allowed in particular.');
    expect((await admin.act('/web/admin/domains/allowed', { domain: '!' })).html).toContain('value="!"');
  });
});
