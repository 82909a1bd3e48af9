/**
 * The start script on small source trees of its own, with real processes. Both ways of becoming the server are tried:
 * taken over by the pinned Node that already runs, and started as a child when another Node runs the script (here the
 * pinned one is behind a shell script, so that it counts as another).
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';

const projectFolder = join(import.meta.dirname, '../..');
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const reportingMain = `
import { greeting } from './area/greeting.ts';
const answer: string = greeting(process.argv[2] ?? 'nobody');
console.log(JSON.stringify({
  answer,
  arguments: process.argv.slice(2),
  processId: process.pid,
  folder: process.cwd(),
}));
process.exitCode = Number(process.argv[3] ?? 0);
`;

const waitingMain = `
setInterval(() => undefined, 60_000);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.removeAllListeners(signal).on(signal, () => { console.log(signal); process.exit(7); });
}
console.log('ready', process.pid);
`;

/** Takes no signal over. */
const loadingMain = `
console.log('loading', process.pid);
await new Promise((resolve) => setTimeout(resolve, 60_000));
`;

const forsakenMain = `
setInterval(() => undefined, 60_000);
process.on('disconnect', () => { console.log('alone'); process.exit(); });
console.log('ready', process.pid);
`;

const greetingModule = `export const greeting = (name: string): string => 'hello ' + name;`;

type ServerNode = 'takes over' | 'is a child' | 'is missing';

function createTree(files: Record<string, string>, serverNode: ServerNode = 'takes over'): string {
  const tree = mkdtempSync(join(tmpdir(), 'murmuration-start-'));
  folders.push(tree);
  mkdirSync(join(tree, 'node_modules'), { recursive: true });
  symlinkSync(join(projectFolder, 'node_modules/esbuild'), join(tree, 'node_modules/esbuild'));
  const nodePackage = join(tree, 'node_modules/node');
  if (serverNode === 'takes over') symlinkSync(join(projectFolder, 'node_modules/node'), nodePackage);
  if (serverNode === 'is a child') {
    write(tree, 'node_modules/node/package.json', '{ "name": "node" }');
    write(tree, 'node_modules/node/bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
    chmodSync(join(nodePackage, 'bin/node'), 0o755);
  }
  for (const [path, text] of Object.entries(files)) write(tree, path, text);
  for (const file of ['src/start.mjs', 'src/build.mjs']) copyFileSync(join(projectFolder, file), join(tree, file));
  return tree;
}

function createReportingTree(serverNode?: ServerNode): string {
  return createTree({ 'src/main.ts': reportingMain, 'src/area/greeting.ts': greetingModule }, serverNode);
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

interface StartOptions {
  script?: string;
  folder?: string;
}

function start(tree: string, programArguments: string[] = [], options: StartOptions = {}) {
  const child = spawn(process.execPath, [options.script ?? join(tree, 'src/start.mjs'), ...programArguments], {
    cwd: options.folder ?? tree,
    env: { ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { child, output: '', errors: '', ended: ended(child) };
  child.stdout.on('data', (bytes) => {
    run.output += String(bytes);
  });
  child.stderr.on('data', (bytes) => {
    run.errors += String(bytes);
  });
  return run;
}

function ended(child: ReturnType<typeof spawn>): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
}

async function report(tree: string, programArguments: string[] = [], options: StartOptions = {}) {
  const run = start(tree, programArguments, options);
  const { code } = await run.ended;
  expect(run.errors).toBe('');
  return { code, startedAs: run.child.pid, ...JSON.parse(run.output) };
}

describe.each<ServerNode>(['takes over', 'is a child'])('the server %s', (serverNode) => {
  test('gets every argument, and its exit code is the one of the command', async () => {
    const tree = createReportingTree(serverNode);
    const answer = await report(tree, ['alice', '3', '--email=alice@example.org']);
    expect(answer).toMatchObject({
      answer: 'hello alice',
      code: 3,
      arguments: ['alice', '3', '--email=alice@example.org'],
    });
    expect(answer.processId === answer.startedAs).toBe(serverNode === 'takes over');
  });

  test('the load tool gets what follows its name, and needs no build', async () => {
    const files = {
      'package.json': '{ "type": "module" }',
      'src/main.ts': '',
      'bench/load/main.ts': reportingMain,
      'bench/load/area/greeting.ts': greetingModule,
    };
    const tree = createTree(files, serverNode);
    const answer = await report(tree, ['load', 'alice', '3']);
    expect(answer).toMatchObject({ answer: 'hello alice', code: 3, arguments: ['alice', '3'] });
    expect(answer.processId === answer.startedAs).toBe(serverNode === 'takes over');
    expect(existsSync(join(tree, 'dist/main.js'))).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is told of %s and decides how to end', async (signal) => {
    const run = start(createTree({ 'src/main.ts': waitingMain }, serverNode));
    await until(() => run.output.includes('ready'));
    run.child.kill(signal);
    expect(await run.ended).toEqual({ code: 7, signal: null });
    expect(run.output).toContain(signal);
  });

  test.each([
    'SIGINT',
    'SIGTERM',
    'SIGHUP',
  ] as const)('told to stop by %s before it has begun, has stopped', async (signal) => {
    const run = start(createTree({ 'src/main.ts': loadingMain }, serverNode), ['--port=4000']);
    await until(() => run.output.includes('loading'));
    run.child.kill(signal);
    expect(await run.ended).toEqual({ code: 0, signal: null });
  });

  test('a command that is interrupted before it has begun ends by the signal', async () => {
    const run = start(createTree({ 'src/main.ts': loadingMain }, serverNode), ['status']);
    await until(() => run.output.includes('loading'));
    run.child.kill('SIGINT');
    expect(await run.ended).toEqual({ code: null, signal: 'SIGINT' });
  });

  test('killed by a signal, the command ends by the same signal', async () => {
    const run = start(createTree({ 'src/main.ts': waitingMain }, serverNode));
    await until(() => run.output.includes('ready'));
    process.kill(Number(/ready (\d+)/.exec(run.output)?.[1]), 'SIGKILL');
    expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('inherits no process of the build, neither running nor as a zombie', async () => {
    const run = start(createTree({ 'src/main.ts': waitingMain }, serverNode));
    await until(() => run.output.includes('ready'));
    const serverId = Number(/ready (\d+)/.exec(run.output)?.[1]);
    const children = [serverId, run.child.pid!].flatMap(childrenOf).filter((child) => child !== serverId);
    run.child.kill('SIGTERM');
    await run.ended;
    expect(children).toEqual([]);
  });
});

test('a server that is a child hears when its parent is killed', async () => {
  const run = start(createTree({ 'src/main.ts': forsakenMain }, 'is a child'));
  await until(() => run.output.includes('ready'));
  run.child.kill('SIGKILL');
  // The output ends with the last process that may write to it.
  await run.ended;
  expect(run.output).toContain('alone');
});

/** Direct children, zombies among them, as Linux lists them for each thread. */
function childrenOf(processId: number): number[] {
  return readdirSync(`/proc/${processId}/task`)
    .flatMap((thread) => readFileSync(`/proc/${processId}/task/${thread}/children`, 'utf8').split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

describe('where it runs', () => {
  test('this Node serves when the pinned one is missing and this one is new enough', async () => {
    expect(await report(createReportingTree('is missing'), ['bob'])).toMatchObject({ answer: 'hello bob', code: 0 });
  });

  test('any working folder, through a symbolic link as npm makes it for a command', async () => {
    const tree = createReportingTree();
    const elsewhere = mkdtempSync(join(tmpdir(), 'murmuration-start-'));
    folders.push(elsewhere);
    symlinkSync(join(tree, 'src/start.mjs'), join(elsewhere, 'murmuration'));
    const answer = await report(tree, ['carol'], { folder: elsewhere, script: join(elsewhere, 'murmuration') });
    expect(answer).toMatchObject({ answer: 'hello carol', folder: elsewhere });
    expect(existsSync(join(elsewhere, 'dist'))).toBe(false);
  });
});

/** Below dist, without hidden ones. */
function outputsOf(tree: string): string[] {
  return readdirSync(join(tree, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.'))
    .sort();
}

describe('the build', () => {
  test('is left alone while nothing has changed, and made anew when something has', async () => {
    const tree = createReportingTree();
    await report(tree);
    const before = statSync(join(tree, 'dist/main.js')).mtimeMs;
    await report(tree);
    expect(statSync(join(tree, 'dist/main.js')).mtimeMs).toBe(before);
    write(tree, 'src/area/greeting.ts', greetingModule.replace('hello', 'good day'));
    expect((await report(tree, ['alice'])).answer).toBe('good day alice');
  });

  test('joins the modules of the program, keeps tasks apart, and removes what has no source any more', async () => {
    const tree = createReportingTree();
    write(tree, 'src/area/old.task.ts', 'export const old: number = 1;');
    await report(tree);
    expect(outputsOf(tree)).toEqual(['area', 'area/old.task.js', 'area/old.task.js.map', 'main.js', 'main.js.map']);
    rmSync(join(tree, 'src/area/old.task.ts'));
    await report(tree);
    expect(outputsOf(tree)).toEqual(['area', 'main.js', 'main.js.map']);
  });

  test('keeps what Node has compiled until something changes', async () => {
    const tree = createReportingTree();
    await report(tree);
    const compiled = () => readdirSync(join(tree, 'dist/.code'), { recursive: true }).length;
    expect(compiled()).toBeGreaterThan(0);
    const before = compiled();
    for (const greeting of ['good day', 'welcome', 'ahoy']) {
      write(tree, 'src/area/greeting.ts', greetingModule.replace('hello', greeting));
      await report(tree);
    }
    expect(compiled()).toBe(before);
  });

  test.each([
    { damage: 'a damaged output', path: 'dist/main.js', text: 'console.log("wrong");' },
    { damage: 'a truncated manifest', path: 'dist/.manifest.json', text: '{"builder":' },
    { damage: 'the manifest of another version', path: 'dist/.manifest.json', text: '{"builder":"","files":{}}' },
  ])('mends $damage', async ({ path, text }) => {
    const tree = createReportingTree();
    await report(tree);
    write(tree, path, text);
    expect((await report(tree, ['alice'])).answer).toBe('hello alice');
  });

  test('is made ahead of the first start with what Node compiles, and nothing else happens then', async () => {
    const tree = createReportingTree();
    const run = start(tree, ['--build']);
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.output + run.errors).toBe('');
    expect(outputsOf(tree)).toEqual(['main.js', 'main.js.map']);
    expect(readdirSync(join(tree, 'dist/.code'), { recursive: true }).length).toBeGreaterThan(0);
  });

  test('keeps a link to the source map', async () => {
    const tree = createReportingTree();
    await report(tree);
    expect(readFileSync(join(tree, 'dist/main.js'), 'utf8')).toContain('sourceMappingURL=main.js.map');
    expect(JSON.parse(readFileSync(join(tree, 'dist/main.js.map'), 'utf8')).sources).toContain('../src/main.ts');
  });

  test('several starts at once leave one whole build', async () => {
    const tree = createReportingTree();
    const names = ['alice', 'bob', 'carol', 'dave'];
    const answers = await Promise.all(names.map((name) => report(tree, [name])));
    expect(answers.map(({ answer }) => answer)).toEqual(names.map((name) => `hello ${name}`));
    expect(outputsOf(tree)).toEqual(['main.js', 'main.js.map']);
  });

  test('a source that does not parse is named, and nothing starts', async () => {
    const run = start(createTree({ 'src/main.ts': 'const = 1;' }));
    expect((await run.ended).code).toBe(1);
    expect(run.errors).toMatch(/^murmuration cannot start: [\s\S]*src\/main\.ts:1:6/);
  });

  test('a load tool that is not there is missed in a sentence', async () => {
    const run = start(createReportingTree(), ['load', 'http']);
    expect((await run.ended).code).toBe(1);
    expect(run.errors).toMatch(/^murmuration cannot start: the load tool is not here/);
  });

  test('without its packages it says what to run', async () => {
    const tree = createReportingTree();
    rmSync(join(tree, 'node_modules'), { recursive: true });
    const run = start(tree);
    expect((await run.ended).code).toBe(1);
    expect(run.errors).toBe(
      `murmuration cannot start: its packages are not installed. Run "npm ci" in ${tree} first.\n`,
    );
  });
});
