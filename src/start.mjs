#!/usr/bin/env node
/**
 * The `murmuration` command, behind `npm start`: brings the transpiled build in dist/ up to date and hands over to the
 * server. The only plain JavaScript of the project, because any Node from 20 up may run it, also one that cannot load
 * the sources; the server itself always runs on the Node that package.json pins.
 *
 * 1. The manifest is written last and names the hash of every source and every output. Whatever a crash, a power cut or
 *    two starts at once leave behind, the next start compares all of them and builds anew when one differs.
 * 2. Every file is written beside its place and renamed into it, so no reader sees half a file. Two starts at once build
 *    the same bytes and disturb nobody; no lock is needed.
 * 3. The modules of a thread become a few files: Node takes about a millisecond to find and link each one, and every
 *    thread has some hundreds. Packages stay where they are.
 * 4. Nothing stays behind: the build's child process has ended before the server starts, and where Node can replace
 *    itself the server takes this very process over. Otherwise this process only waits, passes signals on (a signal to
 *    the whole process group reaches the server twice) and ends the way the server ended.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const serverNodeMajor = 22;
const esbuildOutputBytesMax = 256 * 1024 * 1024;
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const thisFile = fileURLToPath(import.meta.url);
const sourceFolder = dirname(thisFile);
const projectFolder = dirname(sourceFolder);
const buildFolder = join(projectFolder, 'dist');
const manifestFile = join(buildFolder, '.manifest.json');
const codeFolder = join(buildFolder, '.code');
const packages = createRequire(import.meta.url);

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('base64url');

/** Every module below src: its path, and the hash of its bytes. */
function readSources(folder = '') {
  return readdirSync(join(sourceFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readSources(path);
    if (!entry.name.endsWith('.ts') || entry.name.startsWith('.')) return [];
    const bytes = readIfPresent(join(sourceFolder, path));
    return bytes === undefined ? [] : [{ path, hash: hashOf(bytes) }];
  });
}

function readIfPresent(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** `{ inputs, outputs: { path below dist: hash } }`; one that is not whole counts as empty. */
function readManifest() {
  const nothing = { inputs: '', outputs: {} };
  try {
    return { ...nothing, ...JSON.parse(readIfPresent(manifestFile)?.toString() ?? '{}') };
  } catch (error) {
    if (error instanceof SyntaxError) return nothing;
    throw error;
  }
}

function isWhole(outputs) {
  return Object.entries(outputs).every(([path, hash]) => {
    const bytes = readIfPresent(join(buildFolder, path));
    return bytes !== undefined && hashOf(bytes) === hash;
  });
}

async function bringBuildUpToDate() {
  const sources = readSources();
  // This file and the version of esbuild decide the outputs as much as the sources do.
  const builder = hashOf(readFileSync(thisFile) + packages('esbuild/package.json').version);
  const inputs = hashOf(JSON.stringify([builder, ...sources.map(({ path, hash }) => [path, hash])]));
  const manifest = readManifest();
  if (manifest.inputs === inputs && isWhole(manifest.outputs)) return;

  const built = await build(sources.map(({ path }) => path));
  for (const [path, bytes] of built) replaceFile(join(buildFolder, path), bytes);
  const outputs = Object.fromEntries([...built].map(([path, bytes]) => [path, hashOf(bytes)]));
  replaceFile(manifestFile, JSON.stringify({ inputs, outputs }));
  for (const path of Object.keys(manifest.outputs)) {
    if (!built.has(path)) rmSync(join(buildFolder, path), { force: true });
  }
  // Of the old build; Node never takes code that does not fit, but it would be kept for ever.
  rmSync(codeFolder, { recursive: true, force: true });
}

/** The outputs by their path below dist/: the program, and the tasks of the CPU pool, which are modules of their own. */
async function build(sources) {
  const { buildSync } = await importEsbuild();
  const { outputFiles } = buildSync({
    absWorkingDir: projectFolder,
    entryPoints: sources
      .filter((path) => path === 'main.ts' || path.endsWith('.task.ts'))
      .map((path) => join(sourceFolder, path)),
    outbase: sourceFolder,
    outdir: buildFolder,
    write: false,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: `node${serverNodeMajor}`,
    charset: 'utf8',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
  return new Map(outputFiles.map((file) => [file.path.slice(buildFolder.length + 1), file.contents]));
}

/**
 * Without worker threads esbuild's synchronous build is one child process that has ended, and has been reaped, when it
 * returns. A service that is merely told to stop would stay a zombie for as long as the server lives.
 */
async function importEsbuild() {
  process.env.ESBUILD_WORKER_THREADS = '0';
  process.env.ESBUILD_MAX_BUFFER = String(esbuildOutputBytesMax);
  return import('esbuild');
}

function replaceFile(file, content) {
  const beside = `${file}.${randomUUID()}.part`;
  try {
    writeFileSync(beside, content);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(beside, content);
  }
  renameSync(beside, file);
}

/** The pinned Node wherever npm put it, or this one when it is new enough. */
function findServerNode() {
  const pinned = findPinnedNode();
  if (pinned !== undefined) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= serverNodeMajor) return process.execPath;
  throw new Error(
    `it needs Node ${serverNodeMajor}, which npm has not installed. Run "npm ci" in ${projectFolder} first.`,
  );
}

function findPinnedNode() {
  try {
    const binary = join(dirname(packages.resolve('node/package.json')), 'bin', 'node');
    return existsSync(binary) ? realpathSync(binary) : undefined;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** What the server finds in its environment: ours, and a thread pool of a size that fits it. */
function serverEnvironment(environment) {
  const { ESBUILD_WORKER_THREADS: _threads, ESBUILD_MAX_BUFFER: _buffer, ...inherited } = environment;
  // One libuv pool per process carries the LMDB commits of every owner thread, signing, and name resolution. Node reads
  // the size once, before any code of the server runs, so that it must be known here.
  const configuredOwners = Number.parseInt(environment.MURMURATION_OWNERS ?? '', 10);
  const owners = configuredOwners > 0 ? configuredOwners : Math.max(1, Math.floor(availableParallelism() / 2));
  // Four threads load some four hundred modules each time: what Node compiled for one start is there for the next
  // (measured: a third of the time until the first answer).
  return { UV_THREADPOOL_SIZE: String(4 + 2 * owners + 2), NODE_COMPILE_CACHE: codeFolder, ...inherited };
}

/** Turns this process into the server, or starts it as a child and waits where that is not possible. */
function runServer(node, serverArguments, environment) {
  // A failed execve aborts, so it is only used for the binary that is known to run: the one that runs this file.
  if (typeof process.execve === 'function' && node === process.execPath) {
    process.execve(node, [node, ...serverArguments], environment);
  }
  const server = spawn(node, serverArguments, { stdio: 'inherit', env: environment });
  const forward = (signal) => server.kill(signal);
  for (const signal of forwardedSignals) process.on(signal, forward);
  server.on('error', (error) => fail(error));
  server.on('exit', (code, signal) => {
    for (const forwarded of forwardedSignals) process.off(forwarded, forward);
    if (signal === null) process.exit(code);
    // The kernel spares the first process of a container its own signals; the exit code tells the story there.
    process.exitCode = 128 + constants.signals[signal];
    process.kill(process.pid, signal);
  });
}

function fail(error) {
  const reason =
    error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND'
      ? `its packages are not installed. Run "npm ci" in ${projectFolder} first.`
      : error.message;
  writeSync(2, `murmuration cannot start: ${reason}\n`);
  process.exit(1);
}

try {
  await bringBuildUpToDate();
  runServer(findServerNode(), [join(buildFolder, 'main.js'), ...process.argv.slice(2)], serverEnvironment(process.env));
} catch (error) {
  fail(error);
}
