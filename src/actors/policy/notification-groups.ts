/**
 * Groups of notifications (behaviour of the Mastodon API): favourites or reblogs of one status, follows, and sign-ups,
 * within half a day of the first. A group is identified by its subject and by the hour in which it began.
 */
import { z } from 'zod';
import { firstIdAt, type Id, parseId } from '../../runtime/ids.ts';
import { identifier } from '../account/account.records.ts';
import { type Notification, NotificationType } from '../account/notifications/notifications.records.ts';

export const groupedTypes = [
  'favourite',
  'reblog',
  'follow',
  'admin.sign_up',
] as const satisfies readonly NotificationType[];
export type GroupedType = (typeof groupedTypes)[number];

const hourMilliseconds = 60 * 60 * 1000;
const groupHours = 12;
/** Groups of an account that may still grow. */
const growingGroupsMax = 32;

/** The subject of a group, and the hour since 1970 in which it began. */
export const Group = z.object({ type: NotificationType, hour: z.number(), statusId: identifier.optional() });
export type Group = z.infer<typeof Group>;

/** The growing groups, beginning with the one that a new notification joins; `undefined` for one without a group. */
export function joinGroup(
  growing: readonly Group[],
  { type, statusId }: { readonly type: NotificationType; readonly statusId?: Id | undefined },
  now: number,
): readonly Group[] | undefined {
  if (!isGroupedType(type)) return undefined;
  const hour = Math.floor(now / hourMilliseconds);
  const isSame = (group: Group) => group.type === type && group.statusId === statusId;
  const known = growing.find(isSame);
  const isOpen = known !== undefined && hour < known.hour + groupHours;
  const others = growing.filter((group) => !isSame(group) && hour < group.hour + groupHours);
  return [isOpen ? known : { type, hour, statusId }, ...others.slice(0, growingGroupsMax - 1)];
}

export function isGroupedType(type: string): type is GroupedType {
  return (groupedTypes as readonly string[]).includes(type);
}

/** The group key for clients; a notification without a group has one of its own. */
export function groupKeyOf(id: Id, { type, statusId, groupHour }: Notification): string {
  if (groupHour === undefined) return `ungrouped-${id}`;
  return statusId === undefined ? `${type}-${groupHour}` : `${type}-${statusId}-${groupHour}`;
}

const keyPattern = /^(favourite|reblog|follow|admin\.sign_up)(?:-([0-9]{1,20}))?-([0-9]{1,10})$/;
const alonePattern = /^ungrouped-([0-9]{1,20})$/;

export function groupOfKey(key: string): Group | { readonly aloneId: Id } | undefined {
  const aloneId = parseId(alonePattern.exec(key)?.[1] ?? '');
  if (aloneId !== undefined) return { aloneId };
  const [, type, about, hour] = keyPattern.exec(key) ?? [];
  if (type === undefined || (about === undefined) === isAboutStatus(type)) return undefined;
  const statusId = about === undefined ? undefined : parseId(about);
  return { type: type as GroupedType, hour: Number(hour), ...(statusId === undefined ? {} : { statusId }) };
}

function isAboutStatus(type: string): boolean {
  return type === 'favourite' || type === 'reblog';
}

/** The range of ids that notifications of a group can have. */
export function rangeOfGroup({ hour }: Pick<Group, 'hour'>): { readonly from: Id; readonly until: Id } {
  return { from: firstIdAt(hour * hourMilliseconds), until: firstIdAt((hour + groupHours) * hourMilliseconds) };
}

export function isInGroup({ type, statusId, groupHour }: Notification, group: Group): boolean {
  return type === group.type && statusId === group.statusId && groupHour === group.hour;
}
