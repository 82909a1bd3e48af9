/** Compiles libraries and preloads them into child processes. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Why that cannot be done on this machine, if it cannot. */
export function whyNoPreloading(): string | undefined {
  if (process.platform !== 'linux') return 'it needs the dynamic linker of Linux';
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'it needs a C compiler, and there is no cc';
    throw error;
  }
}

/** Compiles a source of this folder into another; answers the path of the library. */
export function compileLibrary(name: string, folder: string): string {
  const library = join(folder, `${name}.so`);
  const source = fileURLToPath(new URL(`${name}.c`, import.meta.url));
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
  return library;
}
