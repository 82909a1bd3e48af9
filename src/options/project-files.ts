/**
 * Locates files of the project that are not modules. Modules do not use their own location: sources run in place, but
 * the build joins many of them into one file.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of package.json. */
const projectFolder = folderWithManifest(import.meta.dirname);
const runsFromSources = import.meta.filename.endsWith('.ts');

function folderWithManifest(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : folderWithManifest(dirname(folder));
}

/** The path of a file, relative to the project's folder. */
export function projectFile(path: string): string {
  return join(projectFolder, path);
}

/** The module of a CPU pool task, relative to src/ and without extension. */
export function taskModule(path: string): URL {
  return pathToFileURL(projectFile(runsFromSources ? `src/${path}.ts` : `dist/${path}.js`));
}

/** A file of the pages. Scripts and style sheets of the build are minified. */
export function assetFile(name: string): string {
  const isMinified = !runsFromSources && /\.(?:js|css)$/.test(name);
  return projectFile(isMinified ? `dist/assets/${name}` : `src/gateway/pages/assets/${name}`);
}
