/** Lists of accounts for staff: every combination of conditions, on every page, against a look at all accounts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { type AccountFilter, accountsPage } from '../../../src/actors/account/account-lists.queries.ts';
import { findLogin } from '../../../src/actors/account/profile/logins.queries.ts';
import type { Login } from '../../../src/actors/account/profile/profile.records.ts';
import { findAccount } from '../../../src/actors/account/profile/profiles.queries.ts';
import { addressesOf } from '../../../src/actors/account/sign-ins/sign-ins.queries.ts';
import { actors, keyspaces } from '../../../src/actors/catalogue.ts';
import type { PageBounds } from '../../../src/actors/pages.ts';
import { type AccountStanding, accountStandings } from '../../../src/actors/policy/account-lists.ts';
import { isInRange, parseRange } from '../../../src/actors/policy/addresses.ts';
import { builtInRoles } from '../../../src/actors/policy/roles.ts';
import type { Id } from '../../../src/runtime/ids.ts';
import { SeededRandom } from '../../sim/random.ts';
import { createTestServer } from '../../support/actors.ts';
import { People } from '../../support/people.ts';

const server = createTestServer({ actors, keyspaces, partitions: 3 });
const people = new People(server);
const random = new SeededRandom(7);
const chance = (part: number) => random.below(1_000) < part * 1_000;
const ids: Id[] = [];
const hosts = ['one.example', 'two.example'] as const;

beforeAll(() => {
  for (let number = 0; number < 90; number += 1) {
    const name = `${['ann', 'annabel', 'ben', 'Anna_'][number % 4]}${number}`;
    const displayName = ['', 'Ann of the long long long long name', 'ÄNNE', 'ben'][random.below(4)]!;
    if (chance(0.4)) {
      const remote = people.remote(name, hosts[number % 2]!, { displayName });
      ids.push(remote.id);
      people.moderate(remote, decided());
      continue;
    }
    const role = chance(0.2) ? (['moderator', 'admin', 'owner'] as const)[number % 3]! : 'user';
    const login: Partial<Login> = { role, approved: !chance(0.2), email: `${name}@mail${number % 3}.example` };
    const local = people.local(name, { displayName }, login);
    ids.push(local.id);
    people.moderate(local, decided());
    if (chance(0.2)) server.callNow(Account.changeLogin.to(local.id, { disabled: true }));
    const address = `192.0.2.${number % 8}`;
    const until = server.clock.now() + 1e9;
    server.callNow(Account.signedIn.to(local.id, { way: 'password', succeeded: true, address, until }));
  }
  server.settle();
});

function decided() {
  return {
    suspendedAt: chance(0.3) ? 1 : undefined,
    limited: chance(0.3),
    sensitized: chance(0.2) || undefined,
  };
}

const has: Readonly<Record<AccountStanding, (id: Id) => boolean>> = {
  active: (id) => !has.suspended(id),
  pending: (id) => findLogin(server.read, id)?.approved === false,
  disabled: (id) => findLogin(server.read, id)?.disabled === true && !has.suspended(id),
  silenced: (id) => profile(id).limited,
  suspended: (id) => profile(id).suspendedAt !== undefined,
  sensitized: (id) => profile(id).sensitized === true,
};

const profile = (id: Id) => findAccount(server.read, id)!.profile;

function isWanted(id: Id, filter: AccountFilter): boolean {
  const { origin, standing, roles, domain, range } = filter;
  const { remote, username, displayName, role, domain: host } = profile(id);
  if (origin !== undefined && origin !== (remote === undefined ? 'local' : 'remote')) return false;
  if (standing !== undefined && !has[standing](id)) return false;
  if (roles !== undefined && (remote !== undefined || !roles.includes(builtInRoles[role]))) return false;
  if (domain !== undefined && host !== domain) return false;
  const texts = { username, displayName, email: findLogin(server.read, id)?.email ?? '' };
  for (const what of ['username', 'displayName', 'email'] as const)
    if (!texts[what].toLowerCase().startsWith((filter[what] ?? '').toLowerCase())) return false;
  return range === undefined || addressesOf(server.read, id).some(({ address }) => isInRange(address, range));
}

const conditions: readonly AccountFilter[] = [
  {},
  { roles: [builtInRoles.moderator, builtInRoles.admin] },
  { roles: [builtInRoles.user, builtInRoles.owner] },
  { roles: [] },
  { domain: 'one.example' },
  { username: 'ann' },
  { username: 'ANNA_' },
  { displayName: 'Ann of the long long long long name' },
  { displayName: 'Ann of the long long long other' },
  { email: 'ben' },
  { range: parseRange('192.0.2.0/30')! },
  { username: 'ann', range: parseRange('192.0.2.3')! },
  { username: 'b', displayName: 'ben', domain: 'two.example' },
];

describe.each([undefined, 'local', 'remote'] as const)('origin %s', (origin) => {
  describe.each([undefined, ...accountStandings])('standing %s', (standing) => {
    test.each(
      conditions.map((one) => ({ ...one, origin, standing })),
    )('$roles $domain $username $displayName', (filter) => {
      const expected = ids.filter((id) => isWanted(id, filter)).sort((one, other) => (one < other ? 1 : -1));
      const shown = (bounds: PageBounds) => accountsPage(server.read, filter, bounds);
      expect(idsIn(shown({ limit: 200 }))).toEqual(expected);
      expect(through((maxId) => shown({ limit: 4, maxId }))).toEqual(expected);
      const [middle = 1n] = expected.slice(Math.floor(expected.length / 2));
      expect(idsIn(shown({ limit: 200, maxId: middle }))).toEqual(expected.filter((id) => id < middle));
      expect(idsIn(shown({ limit: 200, sinceId: middle }))).toEqual(expected.filter((id) => id > middle));
      const above = expected.filter((id) => id > middle);
      expect(idsIn(shown({ limit: 3, minId: middle }))).toEqual(above.slice(-3));
    });
  });
});

function idsIn({ items }: ReturnType<typeof accountsPage>): Id[] {
  return items.map((one) => one.profile.id);
}

/** Page after page, until the end. */
function through(read: (maxId: Id | undefined) => ReturnType<typeof accountsPage>): Id[] {
  const found: Id[] = [];
  let page = read(undefined);
  for (;;) {
    found.push(...idsIn(page));
    if (!page.full) return found;
    page = read(page.oldest);
  }
}

test('bounds that nothing is within', () => {
  expect(accountsPage(server.read, {}, { limit: 5, maxId: 0n }).items).toEqual([]);
  expect(accountsPage(server.read, {}, { limit: 5, minId: (1n << 63n) - 1n }).items).toEqual([]);
});

test('accounts that are gone are on no list', () => {
  const gone = people.local('gone', {}, { approved: false });
  server.callNow(Account.reject.to(gone.id, {}));
  server.settle();
  expect(accountsPage(server.read, { username: 'gone' }, { limit: 5 }).items).toEqual([]);
});
