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

const ofMachine = ['createAccount', 'createToken', 'addServerInvite', 'importRelayKey', 'resetPassword'];
const ofOwnRelay = [
  ...['admitSubscriber', 'rejectSubscriber', 'removeSubscriber', 'filterSubscriber', 'importSubscribers'],
  'pruneSubscribers',
];
const ofAllKeys = ['rotateAllKeys', 'rotateServerKey'];

/** Where each is missing, by the reason. */
const missing: Readonly<Record<string, Readonly<Partial<Record<InterfaceName, readonly string[]>>>>> = {
  'whoever has the machine makes people, tokens and keys, by command': {
    api: [...ofMachine, ...ofAllKeys],
    page: [...ofMachine, ...ofAllKeys],
  },
  'whoever has the machine serves its relay, by command': { api: ofOwnRelay, page: ofOwnRelay },
  'the API changes everything of a hashtag at once; the others say what may trend, and what is disallowed': {
    api: ['setHashtagDisallowed'],
    page: ['changeTag'],
    command: ['changeTag'],
  },
  'a range is removed, and blocked anew': { page: ['changeAddressBlock'], command: ['changeAddressBlock'] },
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
    // Of notes all interfaces take what belongs together.
    const inNotes = interfaces[name].includes('operations/administration/moderation-notes.ts');
    const isThere = (one: string) =>
      (inNotes && one.endsWith('Note')) || new RegExp(`\\b${one}\\b`).test(interfaces[name]);
    const lacking = deciding.filter((one) => !isThere(one));
    const told = Object.values(missing).flatMap((one) => one[name] ?? []);
    expect([name, lacking.sort()]).toEqual([name, [...told].sort()]);
  }
});
