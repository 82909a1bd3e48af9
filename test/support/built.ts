/**
 * An entry of threads as one file of plain JavaScript, as the server's own threads have it: one that begins from the
 * sources finds, transpiles and links a hundred modules first, each time.
 */
import { readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll } from 'vitest';

const projectFolder = resolve(import.meta.dirname, '../..');
/** Below the project, where packages are found. */
const builtFolder = join(projectFolder, 'node_modules/.cache/built-for-tests');
const { dependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Called at the head of a test file; what it has made goes with the last test of that file. */
export function builtEntry(entry: URL): URL {
  const source = fileURLToPath(entry);
  const outfile = join(builtFolder, `${basename(source, '.ts')}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [source],
    outfile,
    bundle: true,
    // A package of many small modules.
    external: Object.keys(dependencies).filter((name) => name !== 'zod'),
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  afterAll(() => rmSync(outfile));
  return pathToFileURL(outfile);
}
