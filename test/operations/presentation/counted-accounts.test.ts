/** A cached account whose counters have changed is shown with those of now, and its profile is not read again. */

import { beforeEach, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { findAccount } from '../../../src/actors/account/profile/profiles.queries.ts';
import { accountEntity } from '../../../src/gateway/entities/account.ts';
import { accountOf } from '../../../src/gateway/entities/encoded-account.ts';
import type { GatewayServices } from '../../../src/gateway/gateway-services.ts';
import type { Person } from '../../support/observer.ts';
import { People } from '../../support/people.ts';
import { presenting } from '../../support/presenting.ts';

let people: People;
let services: GatewayServices;
let alice: Person;
let bob: Person;

beforeEach(() => {
  people = new People();
  services = presenting(people.server);
  alice = people.local('alice');
  bob = people.local('bob');
});

const shown = () => accountOf(services.presenter.account(alice.id)!);
const stored = () => accountEntity(findAccount(services.snapshots, alice.id)!, services.addresses);

function readsOf(act: () => unknown): number {
  const before = services.presenter.readCount;
  act();
  return services.presenter.readCount - before;
}

test.each<[string, () => Promise<unknown>]>([
  ['it publishes', () => people.publish(alice)],
  ['it deletes', async () => people.remove(await people.publish(alice))],
  ['somebody follows it', () => people.follow(bob, alice)],
  ['it follows somebody', () => people.follow(alice, bob)],
])('when %s', async (_what, act) => {
  const before = services.presenter.account(alice.id)!;
  await act();
  expect(readsOf(shown)).toBe(1);
  expect(readsOf(shown)).toBe(0);
  expect(shown()).toEqual(stored());
  expect(before.isCurrent).toBe(false);
  expect(services.presenter.account(alice.id)).not.toBe(before);
});

test('whatever its texts look like, and as itself', async () => {
  const name = 'my "last_status_at":null,"hide_collections": é';
  await people.server.call(Account.changeProfile.to(alice.id, { displayName: name }));
  for (let posts = 0; posts < 3; posts += 1) {
    await people.publish(alice);
    expect(shown()).toEqual(stored());
    const own = services.presenter.accountFor(services.presenter.account(alice.id)!, alice.id);
    const permission = accountOf(own).feature_approval.current_user;
    expect(accountOf(own)).toEqual({
      ...stored(),
      feature_approval: { ...stored().feature_approval, current_user: permission },
    });
  }
  expect(shown()).toMatchObject({ statuses_count: 3, display_name: name });
});

test('a profile that changes with them is read', async () => {
  shown();
  await people.publish(alice);
  await people.server.call(Account.changeProfile.to(alice.id, { displayName: 'Alice' }));
  expect(shown()).toMatchObject({ display_name: 'Alice', statuses_count: 1 });
});
