/** Another version of the project in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../processes/server.ts';

export interface CheckedOut {
  readonly folder: string;
  remove(): void;
}

const lockFile = 'package-lock.json';
const packages = 'node_modules';

/** The version of a commit, with its dependencies: those of this version where they are the same. Throws for an unknown one. */
export function checkOut(ref: string): CheckedOut {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-version-'));
  const git = (...given: string[]) => execFileSync('git', given, { cwd: projectFolder, stdio: 'inherit' });
  const remove = () => {
    git('worktree', 'remove', '--force', folder);
    rmSync(folder, { recursive: true, force: true });
  };
  git('worktree', 'add', '--quiet', '--detach', '--force', folder, ref);
  try {
    const lockOf = (project: string) => readFileSync(join(project, lockFile), 'utf8');
    if (lockOf(folder) === lockOf(projectFolder)) symlinkSync(join(projectFolder, packages), join(folder, packages));
    else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
