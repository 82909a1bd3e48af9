/** Runs Caddy in front of a server. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const program = ['/usr/bin/caddy', '/usr/local/bin/caddy'].find((path) => existsSync(path));
export const hasCaddy = program !== undefined;

export interface Caddy {
  stop(): Promise<void>;
}

/** `sites`: as in a Caddyfile; `origin` is one that it serves. */
export async function startCaddy(sites: string, origin: string): Promise<Caddy> {
  if (program === undefined) throw new Error('there is no Caddy here');
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-caddy-'));
  const file = join(folder, 'Caddyfile');
  // No admin API, no waiting for streams at the end, and nothing outside of the folder.
  writeFileSync(file, `{\n\tadmin off\n\tgrace_period 1s\n}\n${sites}`);
  const child = spawn(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let log = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`Caddy ended with code ${child.exitCode}: ${log}`);
    return fetch(`${origin}/health`).then(
      () => true,
      () => false,
    );
  };
  await until(answers, { description: 'Caddy to listen' });
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
