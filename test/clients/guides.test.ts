/** The pages for developers: every example of theirs runs, in the language that it is written in, and all are served. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guidePath } from '../../src/gateway/api-document/guide-markup.ts';
import { guides } from '../../src/gateway/api-document/guides.routes.ts';
import { rateLimitClasses } from '../../src/gateway/http/rate-limits.ts';
import { loadOptions } from '../../src/options/load.ts';
import { type Ask, askerOf, mistakesIn } from '../support/asking.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const startFile = join(import.meta.dirname, '../../src/start.mjs');
const pageOf = (name: string) => readFileSync(new URL(`../../docs/clients/${name}.md`, import.meta.url), 'utf8');
const examplesOf = (name: string, language: string) =>
  Array.from(pageOf(name).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs')), ([, code]) => code!);

/** As the page about the sandbox starts one. */
const clock = /--clock=(\S+)/.exec(pageOf('sandbox'))![1]!;

let server: RunningServer;
let ask: Ask;
/** Of alice and bob, as the demo prints them. */
let tokens: string[];
const folder = mkdtempSync(join(tmpdir(), 'guides-'));

beforeAll(async () => {
  server = await startTestServer({ environment: { MURMURATION_CLOCK: clock, MURMURATION_SEARCH: 'on' } });
  ask = askerOf(server);
  symlinkSync(server.dataDirectory, join(folder, 'sandbox'));
  const printed = await command('murmuration demo');
  tokens = Array.from(printed.matchAll(/^\w+: \S+@example\.org, password \S+, token (\S+)$/gm), ([, token]) => token!);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  expect(mistakesIn(server)).toEqual([]);
  expect(await server.stop()).toBe(0);
});

/** What the page about the sandbox says, as it is typed. */
async function command(words: string): Promise<string> {
  const code = examplesOf('sandbox', 'sh').find((example) => example.includes(words))!;
  const npx = `npx() { shift; "${process.execPath}" "${startFile}" "$@"; }`;
  const environment = { PATH: process.env.PATH! };
  return (await execute('bash', ['-c', `${npx}\n${code}`], { cwd: folder, env: environment })).stdout;
}

test('the options with which the page about the sandbox starts a server are options', () => {
  const starts = examplesOf('sandbox', 'sh').flatMap((code) => /^npm start -- (.*)$/m.exec(code)?.[1] ?? []);
  expect(starts).toHaveLength(2);
  for (const given of starts)
    loadOptions({ environment: {}, configurationFolder: folder, arguments: given.split(' ') });
});

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;
const environment = () => ({ ORIGIN: server.origin, TOKEN: tokens[0]!, TMPDIR: folder, PATH: process.env.PATH! });
const execute = promisify(execFile);
/** What it prints. Rejects where it fails. */
const run = async (program: string, code: string) =>
  (await execute(program, ['-c', code], { env: environment() })).stdout;

test('the demo has people who follow each other, posts and a poll with a vote', async () => {
  expect(tokens).toHaveLength(2);
  const [alice, bob] = tokens.map((token) => ({ token }));
  const home = (await ask(bob, 'GET', '/api/v1/timelines/home')).body as unknown as {
    poll: unknown;
    visibility: string;
  }[];
  expect(home.map(({ visibility }) => visibility)).toEqual(expect.arrayContaining(['public', 'private', 'direct']));
  expect(home.some(({ poll }) => poll !== null)).toBe(true);
  expect(((await ask(alice, 'GET', '/api/v1/notifications')).body as unknown as unknown[]).length).toBeGreaterThan(3);
  await expect(server.run('demo')).rejects.toThrow(/already/);
});

/** Breaks the first connection after its first post. */
async function breakingProxy(origin: string) {
  const resumedFrom: (string | undefined)[] = [];
  const proxy = createServer(({ url, headers }, response) => {
    const isFirst = resumedFrom.push(headers['last-event-id'] as string | undefined) === 1;
    const passedOn = request(origin + url, { headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.on('data', (chunk: Buffer) => {
        response.write(chunk, () => {
          if (isFirst && chunk.includes('event: update')) response.destroy();
        });
      });
    });
    response.on('close', () => passedOn.destroy());
    passedOn.on('error', () => response.destroy());
    passedOn.end();
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    resumedFrom,
    close: () => {
      proxy.closeAllConnections();
      return new Promise((closed) => proxy.close(closed));
    },
  };
}

describe.each(['curl', 'python3'])('the examples for %s', (program) => {
  const missing = isThere(program) ? undefined : `${program} is not installed: its examples did not run`;
  if (missing !== undefined) console.warn(missing);
  const shell = program === 'curl' ? 'bash' : program;

  // because nobody needs to have both programs: what is missing is printed.
  test.skipIf(missing !== undefined)('of the page about requests run', async () => {
    const examples = examplesOf('requests', program === 'curl' ? 'sh' : 'python');
    expect(examples).toHaveLength(3);
    for (const code of examples) {
      const output = await run(shell, code);
      if (program === 'python3') expect(output.trim()).toBe('True');
      else expect(JSON.parse(output)).toEqual(expect.toSatisfy((answer) => 'id' in answer || 'next' in answer));
    }
  });

  // because nobody needs to have both programs: what is missing is printed.
  test.skipIf(missing !== undefined)('of the page about search run', async () => {
    const [code, ...others] = examplesOf('search', program === 'curl' ? 'sh' : 'python');
    expect(others).toEqual([]);
    const found = async () =>
      (await ask({ token: tokens[0]! }, 'GET', '/api/v2/search?type=statuses&q=from:me%20-has:poll'))
        .body as unknown as {
        statuses: unknown[];
      };
    // The index follows the posts.
    await until(async () => (await found()).statuses.length > 2);
    const output = await run(shell, code!);
    if (program === 'curl') expect(JSON.parse(output).statuses.length).toBeGreaterThan(2);
    else expect(output.trim()).toBe('True');
  });

  // because nobody needs to have both programs: what is missing is printed.
  test.skipIf(missing !== undefined)('of the page about streams lose nothing when the connection breaks', async () => {
    const [code] = examplesOf('streaming', program === 'curl' ? 'sh' : 'python');
    const proxy = await breakingProxy(server.origin);
    const reading = execute(shell, ['-c', code!], { env: { ...environment(), ORIGIN: proxy.origin } });
    let posts = 0;
    let isOver = false;
    void reading.finally(() => {
      isOver = true;
    });
    await until(
      async () => {
        if (isOver) return true;
        posts += 1;
        expect((await ask({ token: tokens[1]! }, 'POST', '/api/v1/statuses', { status: `news ${posts}` })).status).toBe(
          200,
        );
        return false;
      },
      { description: 'the example to end' },
    );
    await proxy.close();
    const read = (await reading).stdout.trim().split('\n');
    const [first, second] = read.map((line) => Number(/news (\d+)/.exec(JSON.parse(line).content)![1]));
    expect([read.length, second]).toEqual([2, first! + 1]);
    expect(proxy.resumedFrom).toEqual([undefined, expect.stringMatching(/./)]);
  });
});

describe('the programs of the pages', () => {
  const written = async (name: string, code: string) => {
    const file = join(folder, name);
    await writeFile(file, code);
    return [process.execPath, file] as const;
  };

  test('about requests run in TypeScript', async () => {
    // The picture of the example for curl.
    await writeFile(
      join(folder, 'picture.png'),
      Buffer.from(/printf '([^']+)'/.exec(pageOf('requests'))![1]!, 'base64'),
    );
    const examples = examplesOf('requests', 'ts');
    expect(examples).toHaveLength(2);
    for (const [index, code] of examples.entries()) {
      const [node, file] = await written(`requests${index}.mts`, code);
      expect((await execute(node, [file], { env: environment() })).stdout.trim()).toBe('true');
    }
  });

  const canDecrypt = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
  if (!canDecrypt) console.warn('The package cryptography of Python is not installed: its example did not run');
  const subscribers = ['TypeScript', 'Python'] as const;

  // because nobody needs to have Python: what is missing is printed.
  test.skipIf(!canDecrypt)('subscribe and decrypt what they are told, and with curl somebody subscribes', async () => {
    for (const language of subscribers) {
      const [code] = examplesOf('push', language === 'Python' ? 'python' : 'ts');
      const [program, file] =
        language === 'Python' ? ['python3', await scriptOf(code!)] : await written('push.mts', code!);
      const reading = execute(program, [file], { env: environment() });
      const subscription = { method: 'GET', path: '/api/v1/push/subscription' } as const;
      await until(
        async () => {
          const { status, body } = await ask({ token: tokens[0]! }, subscription.method, subscription.path);
          return status === 200 && String(body.endpoint).includes('127.0.0.1');
        },
        { description: 'the subscription' },
      );
      await ask({ token: tokens[1]! }, 'POST', '/api/v1/statuses', { status: `@alice in ${language}` });
      const { stdout } = await reading;
      expect(JSON.parse(stdout)).toMatchObject({ notification_type: 'mention', body: `@alice in ${language}` });
      expect((await ask({ token: tokens[0]! }, 'DELETE', subscription.path)).status).toBe(200);
    }
    const [code] = examplesOf('push', 'sh');
    expect(JSON.parse(await run('bash', code!))).toMatchObject({ endpoint: 'https://push.example.org/send/1' });
  });

  const scriptOf = async (code: string) => (await written('push.py', code))[1];
});

test('every page of the folder is served, and its links lead somewhere', async () => {
  expect([...guides].map((name) => `${name}.md`).sort()).toEqual(
    readdirSync(new URL('../../docs/clients', import.meta.url)).sort(),
  );
  for (const name of guides) {
    const page = await server.fetch(guidePath(name));
    const markup = await page.text();
    expect([name, page.status, markup.includes('```'), /\]\(/.test(markup)]).toEqual([name, 200, false, false]);
    for (const [, address, id] of markup.matchAll(/href="(\/api\/docs\/\w+)(?:#([\w-]+))?"/g)) {
      const target = await (await server.fetch(address!)).text();
      expect([address, id, target.includes(id === undefined ? '<h1' : `id="${id}"`)]).toEqual([address, id, true]);
    }
  }
});

test('the limits of the page about requests are those that are declared', () => {
  const { api, statuses, statusDeletion, media, follows } = rateLimitClasses;
  for (const [what, { countMax, windowMinutes }] of Object.entries({
    'requests of an account, or of an address without a token': api,
    'new posts of an account, boosts among them': statuses,
    'deletions of posts': statusDeletion,
    'uploads of an account': media,
    follows,
  }))
    expect(pageOf('requests')).toContain(`| ${what} | ${countMax} in ${windowMinutes} minutes |`);
});

test('the sandbox goes by its clock: posts have its time, and what is due two days later is due when it is set forward', async () => {
  const [alice, bob] = tokens.map((token) => ({ token }));
  const posted = await ask(bob, 'POST', '/api/v1/statuses', { status: 'What time is it?' });
  const since = Date.parse(String(posted.body.created_at)) - Date.parse(clock);
  expect([since >= 0, since < 3_600_000]).toEqual([true, true]);
  const { id } = (await ask(alice, 'GET', '/api/v1/accounts/verify_credentials')).body;
  const own = (await ask(alice, 'GET', `/api/v1/accounts/${id}/statuses?limit=40`)).body as unknown as {
    created_at: string;
    poll: { id: string; expired: boolean } | null;
  }[];
  expect(new Set(own.map((status) => status.created_at.slice(0, 10)))).toEqual(new Set([clock.slice(0, 10)]));
  const poll = own.find((status) => status.poll !== null)!.poll!;
  expect(poll.expired).toBe(false);
  expect(await command('murmuration clock forward')).toContain(' on this server.');
  await until(async () => (await ask(bob, 'GET', `/api/v1/polls/${poll.id}`)).body.expired as unknown as boolean, {
    description: 'the poll to be over',
  });
  const ended = async (who: typeof alice) =>
    (await ask(who, 'GET', '/api/v1/notifications?types[]=poll')).body as unknown as unknown[];
  await until(async () => (await ended(alice)).length === 1 && (await ended(bob)).length === 1, {
    description: 'the end of the poll',
  });
});
