/** Uploads as the scenarios use them. */
import { openChild } from '../processes/child.ts';
import type { UploadResult, UploadTarget } from './upload-load.ts';

export interface Uploads {
  prepare(target: UploadTarget): Promise<void>;
  some(count: number): Promise<UploadResult>;
  begin(): Promise<void>;
  end(): Promise<UploadResult>;
  stop(): Promise<void>;
}

export function openUploads(core?: number): Uploads {
  const child = openChild(new URL('./upload-load.ts', import.meta.url), { core });
  return {
    prepare: (target) => child.ask('prepare', target),
    some: (count) => child.ask('some', { count }),
    begin: () => child.ask('begin'),
    end: () => child.ask('end'),
    stop: () => child.stop(),
  };
}
