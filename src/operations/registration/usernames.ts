/** Names of local accounts. */
export const usernamePattern = /^[A-Za-z0-9_]+$/;

/** Names with which a user could mislead others. Staff may take them on the command line. */
const reserved: ReadonlySet<string> = new Set([
  'abuse',
  'account',
  'accounts',
  'actor',
  'admin',
  'administration',
  'administrator',
  'contact',
  'help',
  'helpdesk',
  'hostmaster',
  'info',
  'instance',
  'mod',
  'moderator',
  'moderators',
  'murmuration',
  'no_reply',
  'noreply',
  'official',
  'owner',
  'postmaster',
  'relay',
  'root',
  'security',
  'staff',
  'support',
  'sysadmin',
  'system',
  'team',
  'webmaster',
]);

export function isReservedUsername(username: string): boolean {
  return reserved.has(username.toLowerCase());
}
