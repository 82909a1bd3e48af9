/** A running version with a fresh state, and what asks it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HttpLoad, openHttpLoad } from '../generators/http-load.ts';
import type { RemoteSender } from '../load/remote/sender.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import { type FreshState, freshUsername, makeFreshState } from './fresh-state.ts';

export interface Version {
  readonly server: Server;
  readonly load: HttpLoad;
  readonly state: FreshState;
  /** Of the account of the state. */
  readonly username: string;
  /** The other servers, which it has to learn of over the wire. */
  readonly fleet: readonly RemoteSender[];
  stop(): Promise<void>;
}

const posts = 60;

/** `projectFolder`: of another version, with its dependencies; this one where it is undefined. */
export async function openVersion(projectFolder: string | undefined, fleet: readonly RemoteSender[]): Promise<Version> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'murmuration-compare-'));
  const { measured: core, generator } = coresOfPinnedRun();
  const server = await startServer({
    dataDirectory: join(dataDirectory, 'data'),
    core,
    ...(projectFolder === undefined ? {} : { projectFolder }),
  });
  const load = openHttpLoad(generator);
  const state = await makeFreshState(server, posts);
  return {
    ...{ server, load, state, fleet },
    username: freshUsername,
    async stop() {
      await load.stop();
      await server.stop();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}
