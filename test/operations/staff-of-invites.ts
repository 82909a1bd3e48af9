/** For staff.test.ts: what the operations of invites are called with. */
import { Instance, instanceKey } from '../../src/actors/instance/instance.messages.ts';
import type { Person } from '../support/observer.ts';
import type { Callers } from './callers.ts';

interface Scene {
  readonly callers: Callers;
  readonly bob: Person;
}

export function inviteInputs(scene: () => Scene): Readonly<Record<string, () => unknown>> {
  const ofBob = () => {
    const { callers, bob } = scene();
    const content = { code: 'abcdefghij', creatorId: bob.id, autofollow: false, comment: '' };
    return callers.people.server.callNow(Instance.addInvite.to(instanceKey, content));
  };
  return {
    addServerInvite: () => ({ maxUses: 5 }),
    endInvite: ofBob,
    endInvites: async () => {
      ofBob();
      return {};
    },
    endOwnInvite: ofBob,
    listInvites: () => ({ limit: 5 }),
    listOwnInvites: () => ({ limit: 5 }),
    makeInvite: () => ({}),
  };
}
