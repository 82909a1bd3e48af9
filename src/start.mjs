#!/usr/bin/env node
/**
 * The `murmuration` command, behind `npm start`: brings the build up to date and hands over to the server. Plain
 * JavaScript, because any Node from 20 up may run it, also one that cannot load the sources; the server itself always
 * runs on the Node that package.json pins.
 *
 * 1. Nothing stays behind: the build's child process has ended before the server starts, and where the right Node runs
 *    this file already, this very process becomes the server. Otherwise it only waits, passes signals on (a signal to the
 *    whole process group reaches the server twice) and ends the way the server ended; should it be killed, the channel
 *    to the server breaks, which stops the server.
 *    `murmuration load` runs from its sources, without a build: it is another program, which loads servers.
 * 2. A server that is told to stop before it has begun anything has stopped: exit code 0. A command that is interrupted
 *    has not been carried out, and ends by the signal.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants, getPriority, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bringBuildUpToDate, codeFolder, mainFile, projectFolder, serverNodeMajor } from './build.mjs';

/** For `npm ci`, which leaves behind what `npm start` would make otherwise. */
const buildArgument = '--build';
const loadCommand = 'load';
const loadFile = join(projectFolder, 'bench', 'load', 'main.ts');
const compileMillisecondsMax = 30_000;
/** They work long beside a server, and give way to it from the first moment on (server/low-priority.ts). */
const patientCommands = ['backup', 'storage'];
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const packages = createRequire(import.meta.url);

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
  if (isLoad) {
    process.argv.splice(2, 1);
    await import(pathToFileURL(loadFile).href);
    return;
  }
  // Threads read the variable, this one has begun without it.
  module.enableCompileCache(codeFolder);
  process.env.NODE_COMPILE_CACHE ??= codeFolder;
  await import(pathToFileURL(mainFile).href);
}

/** Starts the server on another Node, and waits. */
function runServer(node, programArguments, isServer) {
  const server = spawn(node, isLoad ? [loadFile, ...programArguments.slice(1)] : [mainFile, ...programArguments], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: codeFolder, ...process.env },
  });
  let forwarded;
  const forward = (signal) => {
    forwarded = signal;
    server.kill(signal);
  };
  for (const signal of stopSignals) {
    // In this order: a signal that comes while nobody listens, if only for an instant, is lost.
    const former = process.listeners(signal);
    process.on(signal, forward);
    for (const listener of former) process.off(signal, listener);
  }
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
    spawnSync(node, [mainFile, 'settings', 'peers', 'on'], {
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
    if (!isLoad) await bringBuildUpToDate();
    else if (!existsSync(loadFile)) throw new Error(`the load tool is not here (${loadFile}).`);
    return findServerNode();
  } catch (error) {
    return fail(error);
  }
}

const [, , ...programArguments] = process.argv;
const isLoad = programArguments[0] === loadCommand;
const isServer = programArguments[0]?.startsWith('-') ?? true;
if (isServer) for (const signal of stopSignals) process.on(signal, () => process.exit(0));
// What is started from here on has it too.
if (patientCommands.includes(programArguments[0]) && getPriority() < constants.priority.PRIORITY_BELOW_NORMAL)
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const node = await prepare();
if (programArguments[0] === buildArgument) compileAhead(node);
else if (node === process.execPath) await becomeServer();
else runServer(node, programArguments, isServer);
