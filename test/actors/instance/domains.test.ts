/** Rules for other servers: which one counts, how they are stored, and how a thread follows their changes. */
import { beforeEach, describe, expect, test } from 'vitest';
import { keyspaces } from '../../../src/actors/catalogue.ts';
import { applyDomainPolicy } from '../../../src/actors/instance/domains/domains.effects.ts';
import { allDomainBlocks, domainBlocksPage } from '../../../src/actors/instance/domains/domains.queries.ts';
import { instanceActor } from '../../../src/actors/instance/instance.actor.ts';
import { Instance, instanceKey } from '../../../src/actors/instance/instance.messages.ts';
import { DomainPolicy, type DomainRule, isStricter, obfuscated } from '../../../src/actors/policy/domains.ts';
import { domainPolicy } from '../../../src/services/domain-policy.ts';
import { EventHub } from '../../../src/services/event-hub.ts';
import { Members } from '../../../src/services/members.ts';
import { createTestServer, type TestServer } from '../../support/actors.ts';

const suspend: DomainRule = { severity: 'suspend', rejectMedia: false, rejectReports: false };
const silence: DomainRule = { severity: 'silence', rejectMedia: false, rejectReports: false };
const noop: DomainRule = { severity: 'noop', rejectMedia: false, rejectReports: false };
const noMedia: DomainRule = { ...noop, rejectMedia: true };

describe('the rule for the most specific domain counts', () => {
  const policy = new DomainPolicy();
  policy.setRule('bad.example', suspend);
  policy.setRule('fine.bad.example', noop);
  policy.setRule('loud.example', silence);
  policy.setRule('pictures.example', noMedia);
  policy.setRule('shared.example:8443', suspend);
  policy.setRule('[2001:db8::1]', suspend);

  test.each([
    ['bad.example', 'suspend', 'bad.example'],
    ['a.bad.example', 'suspend', 'bad.example'],
    ['a.b.bad.example:3000', 'suspend', 'bad.example'],
    ['fine.bad.example', 'noop', 'fine.bad.example'],
    ['a.fine.bad.example', 'noop', 'fine.bad.example'],
    ['verybad.example', 'noop', undefined],
    ['example', 'noop', undefined],
    ['loud.example', 'silence', 'loud.example'],
    ['shared.example:8443', 'suspend', 'shared.example:8443'],
    ['shared.example', 'noop', undefined],
    ['[2001:db8::1]', 'suspend', '[2001:db8::1]'],
    ['[2001:db8::1]:3000', 'suspend', '[2001:db8::1]'],
    [undefined, 'noop', undefined],
  ])('%s: %s', (host, severity, domain) => {
    expect(policy.of(host)).toMatchObject({ severity, domain });
  });

  test('a suspended server is believed nothing at all', () => {
    expect([policy.rejectsMedia('bad.example'), policy.rejectsReports('bad.example')]).toEqual([true, true]);
    expect([policy.rejectsMedia('pictures.example'), policy.rejectsReports('pictures.example')]).toEqual([true, false]);
    expect([policy.isSuspended('bad.example'), policy.isSuspended('pictures.example')]).toEqual([true, false]);
  });
});

test('of an account counts what is said of the host of its handle, and of that of its actor', () => {
  const policy = new DomainPolicy();
  policy.setRule('loud.example', silence);
  policy.setRule('pictures.example', { ...noMedia, rejectReports: true });
  const both = { severity: 'silence', rejectMedia: true, rejectReports: true, domain: 'loud.example' };
  expect(policy.ofAccount('loud.example', 'pictures.example')).toEqual(both);
  expect(policy.ofAccount('pictures.example', 'loud.example')).toEqual(both);
  expect(policy.ofAccount('loud.example', 'loud.example')).toMatchObject(silence);
  expect(policy.ofAccount('pictures.example', undefined)).toMatchObject({ ...noMedia, rejectReports: true });
});

test('an allow-list suspends everybody who is not on it', () => {
  const policy = new DomainPolicy();
  policy.mode = 'allow-list';
  policy.setAllowed('kind.example', true);
  policy.setRule('rude.kind.example', suspend);
  const severities = ['kind.example', 'a.kind.example:81', 'rude.kind.example', 'other.example', undefined].map(
    (host) => policy.of(host).severity,
  );
  expect(severities).toEqual(['noop', 'noop', 'suspend', 'suspend', 'noop']);
  // Files of an allowed server may lie on any host that no rule is made for.
  const rejects = (isBeside: boolean) =>
    ['other.example', 'rude.kind.example'].map((host) => policy.rejectsMedia(host, isBeside));
  expect([rejects(false), rejects(true)]).toEqual([
    [true, true],
    [false, true],
  ]);
});

test.each([
  [suspend, suspend, true],
  [silence, suspend, false],
  [noop, silence, false],
  [silence, silence, true],
  [silence, noMedia, false],
  [{ ...silence, rejectMedia: true }, noMedia, true],
])('%j adds something to %j: %s', (rule, above, expected) => {
  expect(isStricter(rule, above)).toBe(expected);
});

test.each([
  ['bad.example', 'bad.*****le'],
  ['a.io', 'a.*o'],
  ['birds.bad.example', 'birds.***.***mple'],
])('%s is shown as %s', (domain, shown) => {
  expect(obfuscated(domain)).toBe(shown);
});

describe('stored', () => {
  let server: TestServer;
  const block = (domain: string, rule = suspend) =>
    server.call(Instance.blockDomain.to(instanceKey, { domain, obfuscate: false, ...rule }));

  beforeEach(() => {
    server = createTestServer({ actors: [instanceActor], keyspaces });
  });

  test('a domain has one rule, which stays until it is changed or taken back', async () => {
    const { block: first, isNew } = await block('bad.example');
    expect(isNew).toBe(true);
    expect(await block('bad.example', silence)).toEqual({ block: first, isNew: false });
    const content = { ...silence, obfuscate: true, publicComment: 'Noise' };
    const changed = await server.call(Instance.changeDomainBlock.to(instanceKey, { blockId: first.id, content }));
    expect(changed).toEqual({ ...content, id: first.id, domain: 'bad.example', createdAt: first.createdAt });
    expect([...allDomainBlocks(server.read)]).toEqual([changed]);
    await server.call(Instance.unblockDomain.to(instanceKey, { blockId: first.id }));
    expect([...allDomainBlocks(server.read)]).toEqual([]);
    for (const again of [
      server.call(Instance.unblockDomain.to(instanceKey, { blockId: first.id })),
      server.call(Instance.changeDomainBlock.to(instanceKey, { blockId: first.id, content })),
      server.call(Instance.disallowDomain.to(instanceKey, { allowId: first.id })),
    ])
      await expect(again).rejects.toMatchObject({ code: 'notFound' });
  });

  test('rules are listed latest first, and allowed domains once', async () => {
    for (const domain of ['a.example', 'b.example', 'c.example']) await block(domain);
    const page = domainBlocksPage(server.read, { limit: 2 });
    expect(page.items.map(({ domain }) => domain)).toEqual(['c.example', 'b.example']);
    const one = await server.call(Instance.allowDomain.to(instanceKey, { domain: 'kind.example' }));
    expect(await server.call(Instance.allowDomain.to(instanceKey, { domain: 'kind.example' }))).toEqual(one);
  });

  test('a thread sees each change at its next question', async () => {
    const events = new EventHub();
    server.watch(
      (batch) => events.dispatch(batch, []),
      () => events.dispatchLoss(),
    );
    const services = { snapshots: server.read, events, members: new Members() };
    const severityOf = (host: string) => domainPolicy(services).of(host).severity;
    expect(severityOf('bad.example')).toBe('noop');
    const { block: rule } = await block('bad.example');
    expect(severityOf('bad.example')).toBe('suspend');
    await block('b.example', silence);
    expect(severityOf('b.example')).toBe('silence');
    await server.call(Instance.unblockDomain.to(instanceKey, { blockId: rule.id }));
    expect(severityOf('bad.example')).toBe('noop');
    await server.call(Instance.setFederationMode.to(instanceKey, { mode: 'allow-list' }));
    expect([severityOf('bad.example'), severityOf('b.example')]).toEqual(['suspend', 'suspend']);
    const allow = await server.call(Instance.allowDomain.to(instanceKey, { domain: 'bad.example' }));
    expect([severityOf('bad.example'), severityOf('b.example')]).toEqual(['noop', 'suspend']);
    await server.call(Instance.disallowDomain.to(instanceKey, { allowId: allow.id }));
    expect(severityOf('bad.example')).toBe('suspend');
  });

  test('one sweep over known accounts runs at a time, and begins anew where the rules change meanwhile', async () => {
    const sweeps = () =>
      server.effects
        .filter(({ effect }) => effect === applyDomainPolicy.number)
        .map(({ request }) => request as { revision: number; from: { partition: number } });
    await block('a.example');
    await block('b.example');
    expect(sweeps()).toEqual([{ revision: 1, from: { partition: 0 } }]);
    const answer = async (revision: number, next?: { partition: number }) => {
      server.effects.at(-1)!.answer({ revision, ...(next && { next }) });
      await server.settle();
    };
    await answer(1, { partition: 1 });
    expect(sweeps().at(-1)).toEqual({ revision: 2, from: { partition: 0 } });
    await answer(2, { partition: 1 });
    expect(sweeps().at(-1)).toEqual({ revision: 2, from: { partition: 1 } });
    await answer(2);
    expect(sweeps()).toHaveLength(3);
    await block('c.example');
    expect(sweeps().at(-1)).toEqual({ revision: 3, from: { partition: 0 } });
  });
});
