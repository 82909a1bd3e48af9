/** What rules about one file must find, and what they must let pass. */
import type { Rule } from './project.ts';
import { collectionsAreBounded } from './rules/bounds.ts';
import { importDirection, restStandsAlone } from './rules/imports.ts';
import { operationsWithoutWire, requestsComeIn } from './rules/operations.ts';
import { fileHeader, fileLength, noBarrels, noDefaultExports } from './rules/shape.ts';
import { actorsThroughQueries, noModuleState, partitionsAreHosted, replacementsAlone } from './rules/tests.ts';
import {
  addressesAreParsed,
  durationsAreMonotonic,
  membersOfThreads,
  noConsole,
  noEmptyCatch,
  noSleeps,
  nothingLeftForLater,
  placementIsAsked,
  pureCode,
  testsRun,
  typesKept,
} from './rules/words.ts';

export interface Examples {
  rule: Rule;
  /** A file with one finding, and its line. */
  bad: [path: string, text: string, line: number][];
  good: [path: string, text: string][];
}

const publish = 'src/actors/account/publish.ts';
const route = 'src/gateway/rest/statuses.ts';
const follow = 'src/operations/relationships/follow-account.ts';

export const oneFile: Examples[] = [
  {
    rule: collectionsAreBounded,
    bad: [
      [
        'src/services/feeds.ts',
        'class Feeds {\n  private readonly warming = new Set<Id>();\n  private kept: Id[] = [];\n}',
        3,
      ],
      ['src/services/seen.ts', '\nconst seen = new Map<Id, readonly string[]>();', 2],
      ['src/services/time-slices.ts', '', 1],
    ],
    good: [
      ['src/services/feeds.ts', 'class Feeds {\n  private readonly warming = new Set<Id>();\n}'],
      [
        'src/services/seen.ts',
        'const names: ReadonlySet<string> = new Set();\nconst byName = new Map(all.map(entryOf));',
      ],
      ['src/services/seen.ts', 'function seen() {\n    const ids = new Set<Id>();\n}'],
    ],
  },
  {
    rule: placementIsAsked,
    bad: [
      ['src/services/resolver.ts', 'const network = slot % counts.network;', 1],
      ['src/federation/delivery/delivery.ts', 'const isOurs = slotOfKey(host) % this.options.count === index;', 1],
      ['src/actors/account/follow.ts', `import { slotCount } from '../../runtime/ids.ts';`, 1],
      ['src/gateway/streaming/replay.ts', '\nconst placement = evenPlacement(2);', 2],
    ],
    good: [
      ['src/runtime/placement.ts', 'ownerOf: (partition) => partition % threads.owner,'],
      ['src/server/partitions.ts', 'return evenPlacement(shared.plan.partitions, counts);'],
      ['src/gateway/streaming/heartbeats.ts', 'this.slot = (this.slot + 1) % this.slots.length;'],
      ['src/services/feeds.ts', 'return placement.partitionOf(slot);'],
    ],
  },
  {
    rule: membersOfThreads,
    bad: [
      ['src/federation/activitypub.ts', '\nconst made = new WeakMap<ActivityPubServices, ActivityPub>();', 2],
      ['src/operations/instance/usage.ts', `\nconst kept = new WeakMap<Services['snapshots'], Usage>();`, 2],
    ],
    good: [
      ['src/gateway/http/pagination.ts', 'const keptQueries = new WeakMap<ReadonlySet<string>, KnownQueries>();'],
      ['src/operations/instance/usage.ts', 'const kept = member(() => ({}));'],
    ],
  },
  {
    rule: replacementsAlone,
    bad: [
      ['test/runtime/turns.test.ts', `\nvi.mock('../../src/runtime/limits.ts');`, 2],
      ['test/gateway/live.test.ts', `\nvi.useFakeTimers({ toFake: ['setTimeout'] });`, 2],
    ],
    good: [
      ['test/sim/sim.test.ts', `vi.mock('../../src/runtime/limits.ts');`],
      ['test/runtime/turns.test.ts', `vi.spyOn(log, 'append');`],
    ],
  },
  {
    rule: actorsThroughQueries,
    bad: [
      ['test/actors/account/follow.test.ts', 'people.server.read.get(followers, [alice, bob]);', 1],
      ['test/actors/account/follow.test.ts', '\n[...server.read.range(followers, [alice])];', 2],
    ],
    good: [
      ['test/actors/account/follow.test.ts', 'findRelationship(people.server.read, alice, bob);'],
      [
        'test/actors/account/follow.test.ts',
        'server.turn(actor, alice, (turn) => turn.put(followers, [alice, bob], it));',
      ],
      ['test/federation/lanes.test.ts', 'bed.read.get(deliveryLog, [1]);'],
    ],
  },
  {
    rule: partitionsAreHosted,
    bad: [
      ['test/runtime/support/rig.ts', '\nconst one = new Partition({ number, ports });', 2],
      ['bench/seed/owners.ts', 'return new Partition(options);', 1],
    ],
    good: [
      ['test/support/partition-host.ts', 'const partition = new Partition({ number, ports });'],
      ['src/runtime/threads/owner.ts', 'const partition = new Partition({ number, ports });'],
      ['test/runtime/support/rig.ts', 'const one = new PartitionHost(placement, content);'],
    ],
  },
  {
    rule: noModuleState,
    bad: [
      ['src/services/cache.ts', 'let last = 0;', 1],
      ['src/services/cache.ts', '\nexport const kept = new Map<string, string>();', 2],
      ['test/support/people.ts', 'const made: Set<string> = new Set();', 1],
    ],
    good: [
      ['src/services/cache.ts', 'const nobody: ReadonlySet<string> = new Set();'],
      ['src/services/cache.ts', `const known = new Map([['a', 1]]);\nconst made = new WeakMap<object, string>();`],
      ['src/services/cache.ts', 'export function count() {\n  let last = 0;\n}'],
      ['test/runtime/turns.test.ts', 'let rig: Rig;'],
    ],
  },
  {
    rule: importDirection,
    bad: [
      ['src/runtime/log.ts', `\nimport { Account } from '../actors/account/account.messages.ts';`, 2],
      ['src/runtime/log.ts', `import type { Options } from '../options/table.ts';`, 1],
      ['src/options/load.ts', `import { slotCount } from '../runtime/ids.ts';`, 1],
      ['src/actors/text/links.ts', `import { Account } from '../account/account.messages.ts';`, 1],
      [publish, `import {\n  tags,\n} from '../tag/tag.state.ts';`, 3],
      [publish, `import { tagPage } from '../tag/tag.queries.ts';`, 1],
      [publish, `import { send } from '../../outbound/fetcher/deliver.ts';`, 1],
      [publish, `import { open } from 'lmdb';`, 1],
      [follow, `import { json } from '../../gateway/http/answers.ts';`, 1],
      [route, `import { statuses } from '../../actors/account/account.state.ts';`, 1],
      [route, `import { entries } from '../../actors/timelines.state.ts';`, 1],
      [route, `import { publish } from '../../actors/account/publish.ts';`, 1],
      [route, `export { LmdbLog } from '../../runtime/storage/lmdb-log.ts';`, 1],
      [route, `const partition = await import('../../runtime/partition/partition.ts');`, 1],
      [route, `new Worker(new URL('../../runtime/threads/owner.ts', import.meta.url));`, 1],
      [route, `import { start } from '../../main.ts';`, 1],
      [route, `import { runMain } from '../../server/main-thread.ts';`, 1],
      [publish, `import { actors } from '../catalogue.ts';`, 1],
      [publish, `import { partitionActor } from '../partition/partition.actor.ts';`, 1],
      ['src/runtime/pool.ts', `import { request } from 'undici';`, 1],
      ['src/federation/webfinger/handle.ts', `import { request } from 'undici';`, 1],
      ['src/outbound/fetcher/fetcher.ts', `import { readNote } from '../../federation/documents/read-note.ts';`, 1],
      ['src/elsewhere/new.ts', 'export const one = 1;', 1],
    ],
    good: [
      ['src/main.ts', `import { Partition } from './runtime/partition/partition.ts'; import './gateway/gateway.ts';`],
      ['src/server/owner-thread.ts', `import { actors } from '../actors/catalogue.ts'; import './shared.ts';`],
      ['src/actors/catalogue.ts', `import { account } from './account/account.actor.ts';`],
      ['src/runtime/storage/lmdb-log.ts', `import { open } from 'lmdb'; import { Failure } from '../errors.ts';`],
      [publish, `import { statuses } from './account.state.ts'; import { accountKind } from '../kinds.ts';`],
      [publish, `import { Tag } from '../tag/tag.messages.ts'; import { render } from '../text/render.ts';`],
      [publish, `import { localOrder } from '../partition/partition.state.ts';`],
      ['src/actors/text/links.ts', `import { characters } from './characters.ts';`],
      [route, `import { statusById } from '../../actors/account/account.queries.ts';`],
      [route, `import type { Snapshots } from '../../runtime/storage/snapshots.ts';`],
      [route, `import type { Options } from '../../options/table.ts'; import { send } from '../fetcher/deliver.ts';`],
      [route, `const example = "import { statuses } from '../../actors/account/account.state.ts'";`],
      ['test/runtime/log.test.ts', `import { open } from 'lmdb';`],
    ],
  },
  {
    rule: restStandsAlone,
    bad: [['src/gateway/pages/actions.ts', `import { postFollow } from '../rest/accounts/follow-account.ts';`, 1]],
    good: [
      ['src/gateway/rest/endpoints.ts', `import { postFollow } from './accounts/follow-account.ts';`],
      ['src/server/gateway-thread.ts', `import { endpoints } from '../gateway/rest/endpoints.ts';`],
    ],
  },
  {
    rule: operationsWithoutWire,
    bad: [
      [follow, `import type { Grant } from '../grants.ts';`, 1],
      [follow, `one();\nconst key = request.header('idempotency-key');`, 2],
      [follow, `const { account_id: accountId } = input;`, 1],
    ],
    good: [
      [follow, `throw new Failure('notFound', { text: 'There is no in_reply_to_id.' }); // in a header`],
      [route, `const { account_id: accountId } = parameters;`],
    ],
  },
  {
    rule: requestsComeIn,
    bad: [['src/gateway/pages/actions.ts', 'return endpoint.respond(context, endpoint.validate({ id }));', 1]],
    good: [
      ['src/gateway/http/serve-endpoint.ts', 'const answer = this.endpoint.respond(exchange, parameters);'],
      ['src/gateway/pages/actions.ts', 'return followAccount(form, { accountId, options: {} });'],
    ],
  },
  {
    rule: fileLength,
    bad: [
      ['src/main.ts', 'one();\n'.repeat(401), 401],
      ['test/one.test.ts', 'one();\n'.repeat(500), 401],
    ],
    good: [['src/main.ts', 'one();\n'.repeat(400)]],
  },
  {
    rule: fileHeader,
    bad: [
      ['src/main.ts', `import './one.ts';\n// Too late.`, 1],
      ['src/start.mjs', '#!/usr/bin/env node\nstart();', 1],
    ],
    good: [
      ['src/main.ts', '/** The composition root. */'],
      ['src/start.mjs', '#!/usr/bin/env node\n/** The command. */'],
      ['test/one.test.ts', 'one();'],
    ],
  },
  {
    rule: noDefaultExports,
    bad: [
      ['src/main.ts', '\nexport default function main() {}', 2],
      ['src/main.ts', 'export { main as default };', 1],
    ],
    good: [
      ['src/main.ts', 'export const main = { default: 1 }; // export default'],
      ['vitest.config.ts', 'export default 1;'],
    ],
  },
  {
    rule: noBarrels,
    bad: [
      [
        'src/actors/index.ts',
        `/** All. */\nexport { one } from './one.ts';\nexport type { Two } from './two.ts';\n`,
        1,
      ],
      ['src/actors/index.ts', `import { a } from './a.ts';\nexport {\n  one,\n  two,\n} from './one.ts';`, 1],
      ['src/actors/index.ts', `const one = 1;\nexport * from './one.ts';`, 2],
    ],
    good: [
      ['src/actors/one.ts', `export { one } from './one.ts';\nexport const two = 2;`],
      ['src/actors/one.ts', `import './one.ts';`],
    ],
  },
  {
    rule: pureCode,
    bad: [
      [publish, 'export async function publish() {}', 1],
      [publish, '\nawait one();', 2],
      [publish, 'const time = Date.now();', 1],
      [publish, 'const time = new Date();', 1],
      ['src/actors/account/account.queries.ts', 'const now = Date.now;', 1],
      [publish, 'if (Math.random() < 1) one();', 1],
      [publish, `import { randomBytes } from 'node:crypto';`, 1],
      [publish, 'setTimeout(one, 1);', 1],
      [publish, 'setInterval(one, 1);', 1],
      [publish, 'setImmediate(one);', 1],
      [publish, 'fetch(url);', 1],
      [publish, 'const port = process.env.PORT;', 1],
      [publish, `import { readFileSync } from 'node:fs';`, 1],
      ['src/federation/documents/note.ts', 'const published = new Date();', 1],
      ['src/gateway/entities/status.ts', 'const id = crypto.randomUUID();', 1],
    ],
    good: [
      [publish, `const sentence = 'await Date.now()'; // await fetch()`],
      [publish, 'const published = new Date(turn.now); turn.fetch(one); message.process.run();'],
      [publish, `import { createHash } from 'node:crypto';`],
      ['src/actors/account/account.queries.ts', 'export async function page() { await slice(); }'],
      [route, 'const now = Date.now(); await fetch(url);'],
    ],
  },
  {
    rule: durationsAreMonotonic,
    bad: [
      ['src/runtime/threads/client.ts', '\nconst deadline = Date.now() + 9_000;', 2],
      ['src/runtime/partition/alarm.ts', 'this.failedAt = this.ports.clock.now();', 1],
      ['src/outbound/fetcher/fetcher.ts', 'const until = Date.now() + wait;', 1],
    ],
    good: [
      ['src/runtime/threads/clock.ts', 'now: () => Date.now(),'],
      ['src/runtime/partition/alarm.ts', 'this.failedAt = this.ports.clock.monotonic();'],
      ['src/runtime/partition/rounds.ts', 'dueTimers.take(clock.now());'],
      ['src/server/operator.ts', 'const now = systemClock.now();'],
    ],
  },
  {
    rule: noConsole,
    bad: [
      [route, `\nconsole.log('one');`, 2],
      ['src/main.ts', 'console.error(error);', 1],
    ],
    good: [
      ['src/gateway/operator/cli/help.ts', 'console.log(help);'],
      ['src/start.mjs', 'console.error(error);'],
      [route, `// console.log('one');`],
    ],
  },
  {
    rule: addressesAreParsed,
    bad: [[follow, '\nif (URL.canParse(text)) return;', 2]],
    good: [[follow, 'const address = URL.parse(text);']],
  },
  {
    rule: nothingLeftForLater,
    bad: [
      [route, `one();\n// ${'TO'}DO: two`, 2],
      ['test/one.test.ts', `/* ${'FIX'}ME */`, 1],
    ],
    good: [[route, `const word = '${'TO'}DO'; // done`]],
  },
  {
    rule: typesKept,
    bad: [
      [route, 'const one: any = 1;', 1],
      [route, 'const one = two as any;', 1],
      [route, 'function one(two: Map<string, any>): void {}', 1],
      [route, 'type One = string | any;', 1],
      [route, 'const one: any[] = [];', 1],
      [route, `\n// ${'@ts'}-ignore`, 2],
      [route, `// ${'@ts'}-expect-error: two`, 1],
      ['test/one.test.ts', `// ${'@ts'}-ignore`, 1],
      [route, `// ${'biome'}-ignore lint: two`, 1],
    ],
    good: [
      [route, `const one = { any: 1 }; // any of them`],
      ['test/one.test.ts', `// ${'@ts'}-expect-error: one is not a number`],
      ['test/one.test.ts', 'expect(one).toEqual(expect.any(String)); Promise.any([two]);'],
    ],
  },
  {
    rule: noEmptyCatch,
    bad: [
      [route, 'try { one(); } catch {}', 1],
      [route, 'try {\n  one();\n} catch (error) {\n  // nothing\n}', 3],
    ],
    good: [[route, 'try { one(); } catch (error) { report(error); }']],
  },
  {
    rule: testsRun,
    bad: [
      ['test/one.test.ts', `\ntest.only('one', two);`, 2],
      ['test/one.test.ts', `// because it is late\ndescribe.only('one', two);`, 2],
      ['test/one.test.ts', `it.skip('one', two);`, 1],
      ['test/one.test.ts', `// because of one\ntest('one', two);\ntest.skipIf(three)('four', five);`, 3],
      ['test/one.test.ts', `xdescribe('one', two);`, 1],
    ],
    good: [
      ['test/one.test.ts', `// because there is no browser here\ntest.skipIf(!browser)('one', two);`],
      ['test/one.test.ts', `test.each(['it.only'])('one', two);`],
    ],
  },
  {
    rule: noSleeps,
    bad: [
      ['test/one.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 100));', 1],
      ['test/one.test.ts', '\nawait sleep(100);', 2],
      ['test/sim/one.ts', `import { setTimeout } from 'node:timers/promises';`, 1],
      ['test/one.test.ts', 'Atomics.wait(one, 0, 0, 100);', 1],
    ],
    good: [
      ['test/support/until.ts', 'setTimeout(resolve, 5);'],
      ['test/runtime/support/slow-disk.ts', 'setTimeout(finish, 5);'],
      ['test/one.test.ts', `const program = 'setTimeout(one, 1)'; await until(() => two);`],
      ['src/runtime/threads/owner.ts', 'setTimeout(wake, 5);'],
    ],
  },
];
