/**
 * Where the project's files are that no module holds. Modules do not ask for their own place: the sources run where they
 * lie, the build joins many of them into one file.
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

/** The path of a file, given from the project's folder. */
export function projectFile(path: string): string {
  return join(projectFolder, path);
}

/** The module of a task of the CPU pool, given from src/ and without its ending. */
export function taskModule(path: string): URL {
  return pathToFileURL(projectFile(runsFromSources ? `src/${path}.ts` : `dist/${path}.js`));
}
