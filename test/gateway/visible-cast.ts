/** What steps of changes to a server are made of: who takes part, where they look, and what they find there. */
import type { Json } from '../support/asking.ts';
import type { User } from '../support/users.ts';

/** What somebody sees at an address: a part of the answer, and what it must be. */
type Sight = readonly [
  who: () => User,
  path: () => string,
  part: (body: Json, status: number) => unknown,
  expected: unknown,
];

export interface Step {
  readonly what: string;
  readonly act: readonly [who: () => User, method: string, path: () => string, json?: () => unknown];
  readonly seen: readonly Sight[];
}

/** Who takes part; each in a partition of its own. */
export const cast = {} as { alice: User; bob: User; locked: User };
export const me = () => cast.alice;
export const other = () => cast.bob;
export const shy = () => cast.locked;
/** Ids of the statuses of this round, by their names. */
export const ids: Record<string, string> = {};

export const idIn = (body: Json): string[] => body.map(({ id }) => String(id));
export const has = (person: () => User) => (body: Json) => idIn(body).includes(person().id);
export const hasStatus = (name: string) => (body: Json) => idIn(body).includes(ids[name]!);
export const relationship = (whom: () => User) => () => `accounts/relationships?id[]=${whom().id}`;
export const relation = (name: string) => (body: Json) => Boolean(body[0]![name]);
export const account =
  (whom: () => User, list = '') =>
  () =>
    `accounts/${whom().id}${list}`;
export const status =
  (name: string, list = '') =>
  () =>
    `statuses/${ids[name]}${list}`;
export const field = (name: string) => (body: Json) => body[name];
export const code = (_body: Json, answered: number) => answered;
export const notified = (type: string, from: () => User) => (body: Json) =>
  body.some((item) => String(item.type) === type && String(item.account!.id) === from().id);
export const grouped = (type: string, from: () => User) => (body: Json) =>
  body.notification_groups!.some(
    (group) => String(group.type) === type && group.sample_account_ids!.some((id) => String(id) === from().id),
  );
export const notifications = (type: string) => () => `notifications?types[]=${type}&limit=5`;
export const descendants = (body: Json) => idIn(body.descendants!);

export const posting = (name: string, who: () => User, json: () => object, seen: readonly Sight[]): Step => ({
  what: `post ${name}`,
  act: [who, 'POST', () => 'statuses', json],
  seen: [
    [who, () => 'timelines/home', hasStatus(name), true],
    [who, account(who, '/statuses'), hasStatus(name), true],
    ...seen,
  ],
});
