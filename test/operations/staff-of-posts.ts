/** Rows of staff.test.ts: what the operations on posts and pictures of an account are called with. */
import { Account } from '../../src/actors/account/account.messages.ts';
import type { Person } from '../support/observer.ts';
import type { Callers } from './callers.ts';

interface Scene {
  readonly callers: Callers;
  readonly bob: Person;
}

export function postInputs(scene: () => Scene): Readonly<Record<string, () => unknown>> {
  const posted = async () => {
    const { callers, bob } = scene();
    const { id } = await callers.people.publish(bob, { withMedia: true });
    return { statusIds: [id] };
  };
  /** A report about a post of Bob's with a picture, which is deleted or marked. */
  const reported = async () => {
    const { callers, bob } = scene();
    const carol = callers.people.local('carol');
    const said = { targetId: bob.id, ruleIds: [], category: 'spam' as const, comment: '', ...(await posted()) };
    return callers.people.server.call(Account.fileReport.to(carol.id, said));
  };
  return {
    deleteReportedStatuses: reported,
    deleteStatuses: posted,
    listOpenStatuses: () => ({ accountId: scene().bob.id, limit: 5 }),
    markReportedSensitive: reported,
    markStatusesSensitive: posted,
    async removePictures() {
      const { callers, bob } = scene();
      const avatarPicture = { file: { name: 'picture.png', bytes: 9 } };
      await callers.people.server.call(Account.changeProfile.to(bob.id, { avatarPicture }));
      return { account: bob.id, pictures: ['avatar'] };
    },
  };
}
