/**
 * Every page and form of staff, as declared, for every kind of visitor: who may, and that nobody else changes anything. What
 * the pages show of each other: no link and no button that the visitor is refused, and every page that is theirs.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findLogin } from '../../../../src/actors/account/profile/logins.queries.ts';
import { auditMoments } from '../../../../src/actors/audit.queries.ts';
import {
  builtInRoles,
  type HeldRole,
  permissionsOf,
  type RolePermission,
  rolePermissionNames,
} from '../../../../src/actors/policy/roles.ts';
import { heldRole } from '../../../../src/actors/roles.queries.ts';
import { machineRoutes } from '../../../../src/gateway/pages/admin/machine/machine-page.ts';
import { sections } from '../../../../src/gateway/pages/admin/sections.ts';
import { rawRoutes } from '../../../../src/gateway/raw-routes.ts';
import type { StaffDemand } from '../../../../src/gateway/route.ts';
import { permissions, roleHolds, type StaffPermission } from '../../../../src/operations/permissions.ts';
import { storedTail } from '../../../../src/runtime/storage/log-state.ts';
import { type Person, type Site, textOf } from '../site.ts';
import { linksIn, type Submission, submissionsIn } from './forms.ts';
import { furnishedOffice, type Office } from './office.ts';
import { withRole } from './staff.ts';

const nowhere = () => {
  throw new Error('no machine is shown here');
};
/** Links that download. */
const isFile = /\/domains\/lists\/\w+$/;
const isOfStaff = (path: string) => /^\/(web\/)?admin(\/|$)/.test(path);
const all = [...rawRoutes, ...machineRoutes(nowhere)];

interface Route {
  readonly method: string;
  readonly path: string;
  readonly demands: StaffDemand;
  readonly pattern: RegExp;
}

const routes = all.flatMap(({ method, path, demands }): Route[] => {
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return demands === undefined ? [] : [{ method, path, demands, pattern }];
});
/** Those without names come first in the router too. */
const byNames = [...routes].sort((one, other) => one.path.split(':').length - other.path.split(':').length);
const routeOf = (method: string, address: string): Route | undefined =>
  byNames.find((route) => route.method === method && route.pattern.test(address.split('?')[0]!));

/** What takes away what others are about comes last. */
const lasting = /\/(remove|end|purge|reject|keep|take)\b/;
const forms = routes
  .filter(({ method }) => method === 'POST')
  .sort((one, other) => Number(lasting.test(one.path)) - Number(lasting.test(other.path)));

const ofSections = [...new Set(Object.values(sections).map(({ permission }) => permission))];
const listed = (demands: StaffDemand): readonly StaffPermission[] => (demands === 'any' ? [] : [demands].flat());
/** What routes demand, alone or together. */
const demanded = [...new Set(routes.map(({ demands }) => listed(demands).join('+')))].filter((one) => one !== '');
/** What is used by giving it on: nobody gives what he has not. */
const giving: readonly StaffPermission[] = ['manageRoles', 'manageWebhooks'];

interface Viewer {
  readonly name: string;
  readonly person: Person;
  readonly role: HeldRole;
}

function mayOpen({ role }: Viewer, demands: StaffDemand): boolean {
  if (demands === 'any') return ofSections.some((permission) => roleHolds(role, permission));
  return listed(demands).every((permission) => roleHolds(role, permission));
}

async function viewerOf(site: Site, name: string, person: Person): Promise<Viewer> {
  const { read } = site.gateway.actors;
  return { name, person, role: heldRole(read, findLogin(read, person.id)!) };
}

/** Roles that have what some route demands, and nothing else; and roles that have everything but one permission. */
async function withCustomRoles(site: Site): Promise<{ having: Map<string, Viewer>; lacking: Map<string, Viewer> }> {
  const [having, lacking] = [new Map<string, Viewer>(), new Map<string, Viewer>()];
  const bitsOfPermission = (name: StaffPermission): readonly RolePermission[] => permissions[name].with;
  for (const [index, demands] of demanded.entries()) {
    const names = demands.split('+') as StaffPermission[];
    const given = names.some((name) => giving.includes(name)) ? permissionsOf(builtInRoles.moderator) : [];
    const own = names.flatMap((name) => bitsOfPermission(name).slice(0, 1));
    const person = await withRole(site, `having_${index}`, ...new Set([...own, ...given]));
    having.set(demands, await viewerOf(site, `having ${demands}`, person));
  }
  for (const [index, name] of [...new Set(demanded.flatMap((one) => one.split('+') as StaffPermission[]))].entries()) {
    const others = rolePermissionNames.filter((one) => one !== 'administrate' && !bitsOfPermission(name).includes(one));
    lacking.set(name, await viewerOf(site, `lacking ${name}`, await withRole(site, `lacking_${index}`, ...others)));
  }
  return { having, lacking };
}

interface Walk {
  /** By its address, without what stands behind a question mark. */
  readonly pages: ReadonlyMap<string, number>;
  /** By the path of its route. */
  readonly found: ReadonlyMap<string, Submission[]>;
  /** Links and forms that they should not have been shown. */
  readonly refused: readonly string[];
}

/** Of addresses that differ in their values only. */
const alikeMax = 4;

function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'https://social.example');
  return `${routeOf('GET', pathname)?.path ?? pathname} ${[...searchParams.keys()].join()}`;
}

/** Follows links to pages of staff, from the front page on. */
async function walk(viewer: Viewer, starts: readonly string[] = []): Promise<Walk> {
  const pages = new Map<string, number>();
  const found = new Map<string, Submission[]>();
  const refused: string[] = [];
  const waiting = ['/', ...starts];
  const seen = new Set(waiting);
  const alike = new Map<string, number>();
  const isNew = (link: string) => {
    const count = (alike.get(kindOf(link)) ?? 0) + Number(!seen.has(link));
    alike.set(kindOf(link), count);
    return !seen.has(link) && count <= alikeMax;
  };
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const { status, html } = await viewer.person.ask(at);
    pages.set(at.split('?')[0]!, status);
    if (status !== 200) refused.push(`${viewer.name}: ${at} is ${status}`);
    for (const link of linksIn(html, at))
      if (isOfStaff(link) && !isFile.test(link) && isNew(link)) {
        seen.add(link);
        waiting.push(link);
      }
    for (const submission of submissionsIn(html)) {
      if (!isOfStaff(submission.action)) continue;
      const route = routeOf('POST', submission.action);
      if (route === undefined || !mayOpen(viewer, route.demands))
        refused.push(`${viewer.name}: ${submission.action} on ${at}`);
      else found.set(route.path, [...(found.get(route.path) ?? []), submission]);
    }
  }
  return { pages, found, refused };
}

let office: Office;
let owner: Viewer;
let builtIn: Viewer[];
/** By what they have, and by what they lack. */
let having: ReadonlyMap<string, Viewer>;
let lacking: ReadonlyMap<string, Viewer>;
/** What the owner finds. */
let offered: Walk;

beforeAll(async () => {
  office = await furnishedOffice();
  const { site, user, moderator, admin } = office;
  owner = await viewerOf(site, 'an owner', office.owner);
  // Before there are more roles and people than stand on the first pages.
  offered = await walk(owner, office.accounts);
  builtIn = [
    await viewerOf(site, 'a user', user),
    await viewerOf(site, 'a moderator', moderator),
    await viewerOf(site, 'an admin', admin),
    owner,
  ];
  ({ having, lacking } = await withCustomRoles(site));
});

afterAll(async () => {
  expect(office.site.gateway.log).toEqual([]);
  await office.site.gateway.close();
});

/** Whose roles are as near as can be to what a route demands. */
function viewersOf(demands: StaffDemand): Viewer[] {
  const names = listed(demands);
  const nearly = names.map((name) => lacking.get(name)!);
  return [...(names.length === 0 ? [] : [having.get(names.join('+'))!]), ...builtIn, ...nearly];
}

test('every page and form of staff declares whom it is for', async () => {
  const silent = all.filter(({ path, demands }) => isOfStaff(path) !== (demands !== undefined));
  // The address of a form, opened by hand, leads to its page.
  const [others, byHand] = [true, false].map((is) =>
    silent.filter(({ method, path }) => (method === 'GET' && path.startsWith('/web/')) !== is),
  );
  expect(others!.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  expect(byHand!.map(({ path }) => path).sort()).toEqual(forms.map(({ path }) => path).sort());
  for (const { path } of byHand!) {
    const { location } = await office.site.stranger.ask(path.replaceAll(/:\w+/g, '1'));
    expect([path, routeOf('GET', location ?? '')?.path]).toEqual([path, expect.stringMatching(/^\/admin/)]);
  }
});

/** Everything that is stored. */
function stateOf({ site }: Office): string {
  const digest = createHash('sha256');
  for (const disk of site.gateway.actors.disks)
    for (const { key, value } of disk.range({ start: Uint8Array.of(0), end: Uint8Array.of(255, 255, 255) }))
      digest.update(key).update(value);
  return digest.digest('hex');
}

/** What a browser sends with its own token: of a page that shows everything, or of one that is late. */
function sentBy(person: Person, token: string, { action, fields }: Submission, { isLate = false } = {}) {
  const own = new URLSearchParams(fields);
  if (!isLate) own.delete('known');
  // What somebody is told.
  if (own.get('text') === '') own.set('text', 'Something');
  own.set('form_token', token);
  return person.ask(action, { form: own });
}

test('pages are shown to whom they are for, and to nobody else', async () => {
  const wrong: string[] = [];
  for (const { path, demands, pattern } of routes.filter(({ method }) => method === 'GET')) {
    const isStream = path.startsWith('/web/');
    const address = path.includes(':') ? [...offered.pages.keys()].find((one) => pattern.test(one)) : path;
    if (address === undefined) wrong.push(`no page leads to ${path}`);
    else
      for (const viewer of viewersOf(demands)) {
        const may = mayOpen(viewer, demands);
        // What streams does not end: its own test reads it.
        if (may && isStream) continue;
        const { status } = await viewer.person.ask(address);
        if (status !== (may ? 200 : 403)) wrong.push(`${address} is ${status} for ${viewer.name}`);
      }
    const unknown = await office.site.stranger.ask(address ?? '/');
    if (isStream ? unknown.status !== 401 : !unknown.location?.startsWith('/auth/sign_in?'))
      wrong.push(`${address} is ${unknown.status} for somebody who is not signed in`);
  }
  expect(wrong).toEqual([]);
});

test('forms change nothing for anybody else, and nothing without the token of their browser', async () => {
  const tokens = new Map<Viewer, string>();
  for (const viewer of [...builtIn, ...having.values(), ...lacking.values()])
    tokens.set(viewer, await viewer.person.formToken());
  const before = stateOf(office);
  const wrong: string[] = [];
  for (const { path, demands } of forms) {
    const submission = offered.found.get(path)?.at(-1);
    if (submission === undefined) {
      wrong.push(`no page has the form ${path}`);
      continue;
    }
    for (const viewer of viewersOf(demands).filter((one) => !mayOpen(one, demands))) {
      const { status } = await sentBy(viewer.person, tokens.get(viewer)!, submission);
      if (status !== 403) wrong.push(`${path} is ${status} for ${viewer.name}`);
    }
    for (const token of ['', tokens.get(builtIn[0]!)!]) {
      const { status } = await sentBy(owner.person, token, submission);
      if (status !== 403) wrong.push(`${path} is ${status} with the token “${token}”`);
    }
    const { location } = await office.site.stranger.ask(submission.action, { form: submission.fields });
    if (!location?.startsWith('/auth/sign_in?')) wrong.push(`${path} leads a stranger to ${location}`);
  }
  expect(wrong).toEqual([]);
  expect(stateOf(office)).toBe(before);
});

test('nobody is shown a link or a form that is refused, and everybody every page that is theirs', async () => {
  const wrong: string[] = [];
  for (const viewer of [...builtIn, ...having.values()]) {
    const { pages, refused } = await walk(viewer);
    wrong.push(...refused);
    for (const { method, path, demands } of routes)
      if (
        method === 'GET' &&
        !/:|^\/web\//.test(path) &&
        !isFile.test(path) &&
        mayOpen(viewer, demands) &&
        !pages.has(path)
      )
        wrong.push(`${viewer.name} does not find ${path}`);
  }
  expect(wrong).toEqual([]);
});

/** Each is a new thing, or takes nothing away from anybody. */
const addsOnly = /^\/web\/admin\/[^:]*$|\/notes\/\w+\/:id$|\/refetch$|\/decide$/;
/** Who was faster; or that it is so already, where both have decided the same. */
const told = /was faster|in the meantime|by now|any more|already/;

test('forms are answered for whom they are for; who sends them second changes nothing, and is told who was first', async () => {
  const { snapshots } = office.site.gateway.services;
  const written = () => auditMoments(snapshots).join();
  const token = await owner.person.formToken();
  const wrong: string[] = [];
  for (const { path, demands } of forms) {
    const [first] = viewersOf(demands);
    const own = await first!.person.formToken();
    // What one form takes away another one is about: then about the next of them.
    const submissions = [...(offered.found.get(path) ?? [])].reverse();
    let status = 404;
    let at = -1;
    while (status === 404 && at + 1 < submissions.length) {
      at += 1;
      ({ status } = await sentBy(first!.person, own, submissions[at]!));
    }
    if (![200, 303, 422].includes(status)) wrong.push(`${path} is ${status} for ${first!.name}`);
    const sent = submissions[at];
    if (addsOnly.test(path) || sent === undefined) continue;
    const before = written();
    const answer = await sentBy(owner.person, token, sent, { isLate: true });
    // Where both have decided the same, it is done.
    const isTold = answer.status === 303 || told.test(textOf(answer.html));
    if (written() !== before) wrong.push(`${path} is decided twice`);
    else if (!isTold) wrong.push(`${path} is ${answer.status} for the second, who is not told`);
  }
  expect(wrong).toEqual([]);
});

/** What no browser sends of a page: by what becomes of one field, with its value. An empty one is read as left out. */
const distorted: Readonly<Record<string, (fields: URLSearchParams, name: string, value: string) => void>> = {
  'left out': (fields, name) => fields.delete(name),
  'far too long': (fields, name) => fields.set(name, 'x'.repeat(20_000)),
  'with control characters': (fields, name) => fields.set(name, '\u0000-1\u001f\u202e\ud800'),
  'a number': (fields, name) => fields.set(name, '-9'.repeat(30)),
  'given twice': (fields, name, value) => fields.append(name, `${value}0`),
  'an object': (fields, name, value) => {
    fields.delete(name);
    fields.append(`${name}[${name}]`, value);
  },
};

/** What reads them is the same for all; the token has a test of its own. */
const ofAllForms: ReadonlySet<string> = new Set(['known', 'return_to']);

/** Choices without which nothing is decided. */
const decisive: ReadonlySet<string> = new Set([
  ...['tags', 'links', 'statuses', 'publishers'].map((kind) => `/web/admin/trends/${kind} decision`),
  '/web/admin/reports/:id/sort category',
  '/web/admin/domains/mode mode',
  ...['/web/admin/domains severity', '/web/admin/domains/:id severity', '/web/admin/domains/lists list'],
  ...['', '/:id'].flatMap((one) =>
    ['form', 'mode', 'severity_max'].map((choice) => `/web/admin/domains/subscriptions${one} ${choice}`),
  ),
  '/web/admin/blocks/addresses severity',
  '/web/admin/domains/subscriptions/:id/decide how',
]);

/** Of what is not as the form has it, too much, or about what is gone. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 409, 413, 422]);

test('whatever becomes of a field of a form, the answer is a page; what is refused changes nothing', async () => {
  const { site, owner: person, accounts } = await furnishedOffice();
  onTestFinished(() => site.gateway.close());
  const { found } = await walk(await viewerOf(site, 'an owner', person), accounts);
  const token = await person.formToken();
  const stored = () => site.gateway.actors.disks.map((disk) => storedTail(disk).position).join();
  const wrong: string[] = [];
  const tried = new Set(['form_token']);
  for (const { path } of forms) {
    const submissions = found.get(path) ?? [];
    const names = new Set(submissions.flatMap(({ fields }) => [...fields.keys()]).filter((name) => !tried.has(name)));
    for (const name of names) {
      if (ofAllForms.has(name)) tried.add(name);
      for (const [how, distort] of Object.entries(distorted)) {
        const { action, fields } = submissions.findLast((one) => one.fields.has(name))!;
        const form = new URLSearchParams(fields);
        form.set('form_token', token);
        if (name !== 'known') form.delete('known');
        distort(form, name, form.get(name) ?? '');
        const before = stored();
        const { status, html } = await person.ask(action, { form });
        const isDone = status === 303 || status === 200;
        const isPage = status === 303 || html.startsWith('<!doctype html>');
        if (!isPage || !(isDone || refusals.has(status))) wrong.push(`${path} is ${status} with ${name} ${how}`);
        else if (!isDone && stored() !== before) wrong.push(`${path} is ${status} with ${name} ${how}, and is done`);
        else if (isDone && decisive.has(`${path} ${name}`)) wrong.push(`${path} is done with ${name} ${how}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(site.gateway.log).toEqual([]);
});
