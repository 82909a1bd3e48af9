/** Two clients packaged by Debian: most methods of the library Mastodon.py, and the shell command toot. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createFormBrowser } from '../support/form-browser.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import type { User } from '../support/users.ts';

/** Debian's own, which finds Debian's packages. */
const python = '/usr/bin/python3';
const toot = '/usr/bin/toot';
const hasLibrary = existsSync(python) && canImport('mastodon');
const hasToot = existsSync(toot);
if (!hasLibrary) process.stdout.write('Mastodon.py is passed over: apt-get install python3-mastodon.\n');
if (!hasToot) process.stdout.write('toot is passed over: apt-get install toot.\n');

const run = promisify(execFile);
let server: RunningServer;

beforeAll(async () => {
  if (hasLibrary || hasToot) server = await startTestServer({ environment: { MURMURATION_DIALECT: 'mastodon' } });
});

afterAll(async () => {
  await server?.stop();
});

function canImport(name: string): boolean {
  try {
    execFileSync(python, ['-c', `import ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// because a machine without Debian's package cannot run it; the reason is printed when the file is loaded.
test.skipIf(!hasLibrary)('Mastodon.py is answered as it expects (needs python3-mastodon)', async () => {
  const [alice, bob] = [await server.createUser('alice', 'mastodon'), await server.createUser('bob', 'mastodon')];
  const program = join(import.meta.dirname, 'mastodon_py.py');
  const { stdout } = await run(python, [program, server.origin, alice.token, bob.token]);
  expect(stdout).toBe('');
});

// because a machine without Debian's package cannot run it; the reason is printed when the file is loaded.
test.skipIf(!hasToot)('toot signs in, posts, and finds whom it blocks (needs toot)', async () => {
  const dave = await server.createUser('dave');
  await server.createUser('erin');
  const home = mkdtempSync(join(tmpdir(), 'murmuration-toot-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const environment = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, PYTHONUNBUFFERED: '1' };
  const ask = async (...words: string[]) =>
    (await run(toot, [...words, '--no-color'], { env: environment })).stdout.trim();

  await logIn(dave, environment);
  const posted = /\/(\d+)$/.exec(await ask('post', 'hello from the shell #toots'))![1]!;
  expect(await ask('timeline', '-1')).toContain('hello from the shell');
  expect(await ask('favourite', posted)).toContain('Status favourited');
  expect(await ask('follow', 'erin')).toContain('You are now following erin');
  expect(await ask('block', 'erin')).toContain('You are now blocking erin');
  expect(await ask('unblock', 'erin')).toContain('erin is no longer blocked');
  expect(await ask('delete', posted)).toContain('Status deleted');
});

/** toot prints an address for a browser, and waits for the code that is shown there in the end. */
async function logIn({ email, password }: User, environment: NodeJS.ProcessEnv): Promise<void> {
  const words = ['login', '-i', server.host, '--disable-https', '--no-color'];
  const login = spawn(toot, words, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((done) => login.once('close', done));
  let said = '';
  for await (const chunk of login.stdout) {
    said += String(chunk);
    const address = /^http\S+\/oauth\/authorize\S+$/m.exec(said)?.[0];
    if (address === undefined || login.stdin.writableEnded) continue;
    const browser = createFormBrowser();
    const consent = await browser.submit(await browser.open(address), '/auth/sign_in', { email, password });
    const { html } = await browser.submit(consent, '/oauth/authorize', { decision: 'authorize' });
    const doNotOpenBrowser = 'n';
    login.stdin.end(`${doNotOpenBrowser}\n${/<code[^>]*>([^<]+)<\/code>/.exec(html)![1]}\n`);
  }
  expect(await ended).toBe(0);
}
