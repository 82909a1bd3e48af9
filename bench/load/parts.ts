/**
 * The kinds of parts: their settings, what of them grows with the size of a run, and which are moments in it. Where every post
 * goes to all listeners their number grows, and the rate of posts stays.
 */
import { HttpPart } from './http/part.ts';
import { builtInSessions, HttpSettings, type Sessions } from './http/settings.ts';
import type { Part, PartContext } from './part.ts';
import { FleetPart } from './remote/fleet-part.ts';
import { InboxPart } from './remote/inbox-part.ts';
import { FleetSettings, InboxSettings } from './remote/settings.ts';
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
    grows: ['sockets', 'stormSockets'],
    moments: ['rate', 'stormAtSeconds', 'stormWithinSeconds'],
  },
  inbox: {
    summary: 'activities that people of many other servers send, signed: how fast they are taken',
    settings: InboxSettings,
    grows: ['senders', 'rate'],
    moments: ['rate'],
  },
  fleet: {
    summary:
      'other servers that subscribe to a relay or follow an account, some of which fail: when each has every post',
    settings: FleetSettings,
    grows: ['subscribers', 'senders'],
    moments: ['rate', 'badFromSeconds', 'badUntilSeconds'],
  },
} as const;

export type PartKind = keyof typeof partKinds;
export const partKindNames = Object.keys(partKinds) as readonly PartKind[];

export type PartSettings =
  | ({ readonly kind: 'http' } & HttpSettings)
  | ({ readonly kind: 'stream' } & StreamSettings)
  | ({ readonly kind: 'inbox' } & InboxSettings)
  | ({ readonly kind: 'fleet' } & FleetSettings);

/** Throws a LoadFailure where settings do not fit each other. */
export function createPart(settings: PartSettings, sessions: Sessions, context: PartContext): Part {
  switch (settings.kind) {
    case 'http':
      return new HttpPart(settings, { ...builtInSessions, ...sessions }, context);
    case 'stream':
      return new StreamPart(settings, context);
    case 'inbox':
      return new InboxPart(settings, context);
    case 'fleet':
      return new FleetPart(settings, context);
  }
}
