/**
 * Builds the entry of threads as one file of plain JavaScript, as the server's own threads have it. Starting from the
 * sources would find, transpile and link a hundred modules each time.
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

/** Call at the head of a test file; the built file is deleted after its last test. */
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
