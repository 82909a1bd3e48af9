/** Whatever staff decide can be decided by the API, on a page and by command, or it is said here why not. */
import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/operations/operation.ts';
import { permissions } from '../../src/operations/permissions.ts';

async function textOf(...patterns: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for await (const path of glob([...patterns])) texts.push(await readFile(path, 'utf8'));
  return texts.join('\n');
}

const interfaces = {
  api: await textOf('src/gateway/rest/**/*.ts'),
  page: await textOf('src/gateway/pages/**/*.ts'),
  // These two do what several others do.
  command: await textOf(
    'src/gateway/operator/commands/*.ts',
    'src/operations/administration/modify-account.ts',
    'src/operations/keys/rotate-keys.ts',
  ),
};
type InterfaceName = keyof typeof interfaces;

/** Where each is missing, by the reason. */
const missing: Readonly<Record<string, Readonly<Partial<Record<InterfaceName, readonly string[]>>>>> = {
  'it is for whoever has the machine: people, tokens and keys are made, and threads are asked, by command': {
    api: ['createAccount', 'createToken', 'addServerInvite', 'importRelayKey', 'rotateAllKeys', 'rotateServerKey'],
    page: ['createAccount', 'createToken', 'addServerInvite', 'importRelayKey', 'rotateAllKeys', 'rotateServerKey'],
  },
  'the relay is served by the operator of the machine': {
    api: ['admitSubscriber', 'rejectSubscriber', 'removeSubscriber', 'filterSubscriber', 'importSubscribers'],
    page: ['admitSubscriber', 'rejectSubscriber', 'removeSubscriber', 'filterSubscriber', 'importSubscribers'],
  },
  'of a hashtag the API changes everything at once': { api: ['setHashtagDisallowed'] },
  'the others say what may trend, and what is disallowed': { page: ['changeTag'], command: ['changeTag'] },
  'who blocks a range otherwise removes it first': { page: ['changeAddressBlock'], command: ['changeAddressBlock'] },
  'a role is chosen, and not stepped to': {},
};

test('decisions of staff have all three interfaces', async () => {
  const deciding: string[] = [];
  for await (const path of glob('src/operations/**/*.ts'))
    for (const [name, value] of Object.entries((await import(resolve(path))) as Record<string, unknown>)) {
      if (typeof value !== 'function' || !('permission' in value) || !('audit' in value)) continue;
      const { permission, audit } = value as unknown as Operation<never, keyof typeof permissions, unknown>;
      if (permissions[permission].holder === 'staff' && typeof audit === 'string') deciding.push(name);
    }
  for (const name of Object.keys(interfaces) as InterfaceName[]) {
    const lacking = deciding.filter((one) => !new RegExp(`\\b${one}\\b`).test(interfaces[name]));
    const told = Object.values(missing).flatMap((one) => one[name] ?? []);
    expect([name, lacking.sort()]).toEqual([name, [...told].sort()]);
  }
});
