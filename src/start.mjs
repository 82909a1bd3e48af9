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
 *    thread has some hundreds. Packages stay where they are, but for those of many small modules.
 * 4. Nothing stays behind: the build's child process has ended before the server starts, and where the right Node runs
 *    this file already, this very process becomes the server. Otherwise it only waits, passes signals on (a signal to the
 *    whole process group reaches the server twice) and ends the way the server ended; should it be killed, the channel
 *    to the server breaks, which stops the server.
 * 5. A server that is told to stop before it has begun anything has stopped: exit code 0. A command that is interrupted
 *    has not been carried out, and ends by the signal.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const serverNodeMajor = 22;
const esbuildOutputBytesMax = 256 * 1024 * 1024;
/** For `npm ci`, which leaves behind what `npm start` would make otherwise. */
const buildArgument = '--build';
const joinedPackages = ['zod'];
const compileMillisecondsMax = 30_000;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const thisFile = fileURLToPath(import.meta.url);
const sourceFolder = dirname(thisFile);
const projectFolder = dirname(sourceFolder);
const buildFolder = join(projectFolder, 'dist');
const manifestFile = join(buildFolder, '.manifest.json');
const codeFolder = join(buildFolder, '.code');
const mainFile = join(buildFolder, 'main.js');
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
  removeWhole(codeFolder);
}

/** Moved away first: another start may be writing into it, and would keep it from being empty. */
function removeWhole(folder) {
  const beside = `${folder}.${randomUUID()}.part`;
  try {
    renameSync(folder, beside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  rmSync(beside, { recursive: true });
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
    external: packagesLeftAlone(),
    format: 'esm',
    platform: 'node',
    target: `node${serverNodeMajor}`,
    charset: 'utf8',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  });
  // The server does not inherit them.
  delete process.env.ESBUILD_WORKER_THREADS;
  delete process.env.ESBUILD_MAX_BUFFER;
  return new Map(outputFiles.map((file) => [file.path.slice(buildFolder.length + 1), file.contents]));
}

/** All but those whose many small modules would be looked for by every thread. */
function packagesLeftAlone() {
  const { dependencies = {} } = JSON.parse(readIfPresent(join(projectFolder, 'package.json')) ?? '{}');
  return Object.keys(dependencies).filter((name) => !joinedPackages.includes(name));
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

/** Turns this process into the server; the server takes the signals over from here. */
async function becomeServer() {
  // Threads read the variable, this one has begun without it.
  module.enableCompileCache(codeFolder);
  process.env.NODE_COMPILE_CACHE ??= codeFolder;
  await import(pathToFileURL(mainFile).href);
}

/** Starts the server on another Node, and waits. */
function runServer(node, programArguments, isServer) {
  const server = spawn(node, [mainFile, ...programArguments], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: codeFolder, ...process.env },
  });
  let forwarded;
  const forward = (signal) => {
    forwarded = signal;
    server.kill(signal);
  };
  for (const signal of stopSignals) process.removeAllListeners(signal).on(signal, forward);
  server.on('error', (error) => fail(error));
  server.on('exit', (code, signal) => {
    for (const name of stopSignals) process.off(name, forward);
    // A server that has begun ends by itself when it is told to.
    if (isServer && signal !== null && signal === forwarded) process.exit(0);
    if (signal === null) process.exit(code);
    // The kernel spares the first process of a container its own signals; the exit code tells the story there.
    process.exitCode = 128 + constants.signals[signal];
    process.kill(process.pid, signal);
  });
}

/**
 * Has Node compile what a start needs, so that the first start finds it in the compile cache: one command on a data
 * folder of its own starts every kind of thread. Where that is not possible the first start compiles.
 */
function compileAhead(node) {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-'));
  try {
    spawnSync(node, [mainFile, 'status'], {
      stdio: 'ignore',
      cwd: folder,
      env: { ...process.env, NODE_COMPILE_CACHE: codeFolder, MURMURATION_DATA_DIR: join(folder, 'data') },
      timeout: compileMillisecondsMax,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fail(error) {
  const reason =
    error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_MODULE_NOT_FOUND'
      ? `its packages are not installed. Run "npm ci" in ${projectFolder} first.`
      : error.message;
  writeSync(2, `murmuration cannot start: ${reason}\n`);
  process.exit(1);
}

/** What is to become the server, once everything that it needs is there. */
async function prepare() {
  try {
    await bringBuildUpToDate();
    return findServerNode();
  } catch (error) {
    return fail(error);
  }
}

const [, , ...programArguments] = process.argv;
const isServer = programArguments[0]?.startsWith('-') ?? true;
if (isServer) for (const signal of stopSignals) process.on(signal, () => process.exit(0));

const node = await prepare();
if (programArguments[0] === buildArgument) compileAhead(node);
else if (node === process.execPath) await becomeServer();
else runServer(node, programArguments, isServer);
