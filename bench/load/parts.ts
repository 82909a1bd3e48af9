/** The kinds of parts: their settings, what of them grows with the size of a run, and which are moments in it. */
import { HttpPart } from './http/part.ts';
import { builtInSessions, HttpSettings, type Sessions } from './http/settings.ts';
import type { Part, PartContext } from './part.ts';
import { StreamPart } from './stream/part.ts';
import { StreamSettings } from './stream/settings.ts';

export const partKinds = {
  http: {
    summary: 'sessions of apps over the HTTP interface: starting, scrolling, opening threads, posting, uploading',
    settings: HttpSettings,
    grows: ['rate'],
    moments: ['rate'],
  },
  stream: {
    summary: 'streams over WebSocket and server-sent events: publish to receipt, what is missing, what comes twice',
    settings: StreamSettings,
    grows: ['sockets', 'stormSockets', 'rate'],
    moments: ['rate', 'stormAtSeconds', 'stormWithinSeconds'],
  },
} as const;

export type PartKind = keyof typeof partKinds;
export const partKindNames = Object.keys(partKinds) as readonly PartKind[];

export type PartSettings = ({ readonly kind: 'http' } & HttpSettings) | ({ readonly kind: 'stream' } & StreamSettings);

/** Throws a LoadFailure where settings do not fit each other. */
export function createPart(settings: PartSettings, sessions: Sessions, context: PartContext): Part {
  switch (settings.kind) {
    case 'http':
      return new HttpPart(settings, { ...builtInSessions, ...sessions }, context);
    case 'stream':
      return new StreamPart(settings, context);
  }
}
