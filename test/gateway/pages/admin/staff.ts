/** Staff of a site, and what they ask of its pages. */
import type { Role } from '../../../../src/actors/account/profile/profile.records.ts';
import { latestOpenReports } from '../../../../src/actors/account/reports/reports.queries.ts';
import { Instance, instanceKey } from '../../../../src/actors/instance/instance.messages.ts';
import { bitsOf, type RolePermission } from '../../../../src/actors/policy/roles.ts';
import { type Person, Site, textOf } from '../site.ts';

export async function withStaff(site = new Site()) {
  const of = (name: string, role: Role) => site.person(name, { role });
  const [user, moderator, admin, owner] = [
    await of('una', 'user'),
    await of('mona', 'moderator'),
    await of('ada', 'admin'),
    await of('olga', 'owner'),
  ];
  return { site, user, moderator, admin, owner };
}

/** Somebody with a role that staff have added. */
export async function withRole(site: Site, name: string, ...names: readonly RolePermission[]): Promise<Person> {
  const content = {
    name,
    color: '#8800ff',
    isHighlighted: true,
    position: 20,
    bits: bitsOf(names),
    needsTwoFactor: false,
  };
  return site.person(name, await site.gateway.actors.call(Instance.addRole.to(instanceKey, content)));
}

/** Reports somebody, and returns the id of the report. */
export async function report(site: Site, by: Person, target: Person, fields: Readonly<Record<string, string>> = {}) {
  await by.act(`/web/accounts/${target.id}/report`, { category: 'spam', comment: 'Look at this', ...fields });
  return String(latestOpenReports(site.gateway.actors.read, 1)[0]!.id);
}

/** The value of a hidden field in the form with this address. */
export function hiddenIn(html: string, action: string, name: string): string {
  const form = html.split(`action="${action}"`)[1]!.split('</form>')[0]!;
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(form)![1]!;
}

export async function textAt(person: Pick<Person, 'ask'>, path: string): Promise<string> {
  return textOf((await person.ask(path)).html);
}
