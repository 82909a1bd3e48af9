/** Whom the author of a status reaches as staff, whatever policy for notifications they have (behaviour of the Mastodon API). */
import { findLogin } from '../../actors/account/profile/logins.queries.ts';
import type { MentionedAccount } from '../../actors/account/statuses/statuses.messages.ts';
import { isAbove } from '../../actors/policy/roles.ts';
import { heldRole } from '../../actors/roles.queries.ts';
import type { Id } from '../../runtime/ids.ts';
import type { Services } from '../../services/services.ts';
import { roleHolds } from '../permissions.ts';

/**
 * Turns know the built-in roles, and what an added one may do is looked up here. For everybody who has neither, which is nearly
 * everybody, nothing is read but the author's login.
 */
export function withRanks(
  { snapshots }: Pick<Services, 'snapshots'>,
  authorId: Id,
  mentions: readonly MentionedAccount[],
): MentionedAccount[] {
  const author = mentions.length === 0 ? undefined : findLogin(snapshots, authorId);
  const isStaff = author !== undefined && (author.roleId !== undefined || author.role !== 'user');
  if (!isStaff) return [...mentions];
  const role = heldRole(snapshots, author);
  const isSeen = role.isHighlighted && roleHolds(role, 'sanctionAccounts');
  return mentions.map((mentioned) => {
    if (mentioned.destination !== undefined) return mentioned;
    const login = findLogin(snapshots, mentioned.mention.id);
    if (login === undefined || (login.roleId === undefined && author.roleId === undefined)) return mentioned;
    return { ...mentioned, isBelow: isSeen && isAbove(role, heldRole(snapshots, login)) };
  });
}
