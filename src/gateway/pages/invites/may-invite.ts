/** Whether somebody may invite people, by the role that counts. */
import { countingRole } from '../../../actors/instance/roles/roles.queries.ts';
import { grants } from '../../../actors/policy/roles.ts';
import type { MemberVisit } from '../visit.ts';

export function mayInvite({ services, account }: Pick<MemberVisit, 'services' | 'account'>): boolean {
  return grants(countingRole(services.snapshots, account.login), 'inviteUsers');
}
