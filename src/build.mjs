/**
 * The transpiled build in dist/, of which src/start.mjs makes a server. Plain JavaScript like that one, because any Node
 * from 20 up may run it.
 *
 * 1. The manifest is written last and names the hash of every source and every output. Whatever a crash, a power cut or
 *    two starts at once leave behind, the next start compares all of them and builds anew when one differs.
 * 2. Every file is written beside its place and renamed into it, so no reader sees half a file. Two starts at once build
 *    the same bytes and disturb nobody; no lock is needed.
 * 3. Scripts and style sheets of the pages are minified one by one: their names stay, because the server joins them.
 * 4. The modules of a thread become a few files: Node takes about a millisecond to find and link each one, and every
 *    thread has some hundreds. Packages stay where they are, but for those of many small modules.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const serverNodeMajor = 22;
const esbuildOutputBytesMax = 256 * 1024 * 1024;
const joinedPackages = ['zod'];

const thisFile = fileURLToPath(import.meta.url);
const sourceFolder = dirname(thisFile);
export const projectFolder = dirname(sourceFolder);
const buildFolder = join(projectFolder, 'dist');
/** Below the sources. */
const assetFolder = join('gateway', 'pages', 'assets');
const manifestFile = join(buildFolder, '.manifest.json');
/** Where Node keeps what it has compiled of the build. */
export const codeFolder = join(buildFolder, '.code');
export const mainFile = join(buildFolder, 'main.js');
const packages = createRequire(import.meta.url);

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('base64url');

/** Every module below src, and what pages load: its path, and the hash of its bytes. */
function readSources(folder = '') {
  return readdirSync(join(sourceFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readSources(path);
    if (!(entry.name.endsWith('.ts') || isAsset(path)) || entry.name.startsWith('.')) return [];
    const bytes = readIfPresent(join(sourceFolder, path));
    return bytes === undefined ? [] : [{ path, hash: hashOf(bytes) }];
  });
}

/** A script or a style sheet. */
function isAsset(path) {
  return dirname(path) === assetFolder && /\.(?:js|css)$/.test(path);
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

/** Builds anew where a source, an output or the builder is another than the last time. */
export async function bringBuildUpToDate() {
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

/**
 * The outputs by their path below dist/: the program, the tasks of the CPU pool, which are modules of their own, and what
 * pages load.
 */
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
  const assets = buildSync({
    absWorkingDir: projectFolder,
    entryPoints: sources.filter(isAsset).map((path) => join(sourceFolder, path)),
    outdir: join(buildFolder, 'assets'),
    write: false,
    minify: true,
    charset: 'utf8',
    logLevel: 'silent',
  });
  // The server does not inherit them.
  delete process.env.ESBUILD_WORKER_THREADS;
  delete process.env.ESBUILD_MAX_BUFFER;
  return new Map(
    [...outputFiles, ...assets.outputFiles].map((file) => [file.path.slice(buildFolder.length + 1), file.contents]),
  );
}

/** All but those whose many small modules would be looked for by every thread. */
function packagesLeftAlone() {
  const { dependencies, optionalDependencies } = JSON.parse(readIfPresent(join(projectFolder, 'package.json')) ?? '{}');
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !joinedPackages.includes(name));
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
