/** What CPU the gateways and owners of a server have used: what processes/role-cpu.ts writes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const attemptsMax = 1_000;
const pauseMilliseconds = 5;

export class RoleCpu {
  /** For the server to be started with. */
  readonly environment: Readonly<Record<string, string>>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'murmuration-role-cpu-'));

  constructor() {
    const preloaded = new URL('../processes/role-cpu.ts', import.meta.url).href;
    this.environment = { NODE_OPTIONS: `--import=${preloaded}`, BENCH_ROLE_CPU_FOLDER: this.folder };
  }

  /** Milliseconds since their start, of all of them together. */
  async milliseconds(processId: number): Promise<number> {
    const names = readdirSync(this.folder);
    for (const name of names) rmSync(join(this.folder, name));
    process.kill(processId, 'SIGPWR');
    for (let attempt = 0; ; attempt += 1) {
      const there = new Set(readdirSync(this.folder));
      if (names.length > 0 && names.every((name) => there.has(name))) break;
      if (attempt === attemptsMax) throw new Error('the threads of the server do not answer');
      await setTimeout(pauseMilliseconds);
    }
    return names.reduce((sum, name) => sum + Number(readFileSync(join(this.folder, name), 'utf8')), 0);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
