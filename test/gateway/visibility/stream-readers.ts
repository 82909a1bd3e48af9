/** Reads all channels of a viewer, over WebSocket or server-sent events. */
import { WebSocket } from 'undici';
import { channelKinds } from '../../../src/gateway/streaming/channels.ts';
import { until } from '../../support/until.ts';
import { blocks, maySee, type Viewer } from './model.ts';
import type { World } from './world.ts';

/** A channel and the value of its parameter, which stands for nothing where it has none. */
export interface Opened {
  readonly channel: string;
  readonly value: string;
}

export interface StreamedText {
  readonly event: string;
  readonly text: string;
}

export interface ViewerStreams {
  readonly viewer: Viewer;
  readonly opened: readonly Opened[];
  /** What came in a channel, once the streams are closed. */
  textsOf(channel: string): Promise<readonly StreamedText[]>;
}

/** Those that show statuses. */
export const statusChannels = channelKinds.filter(({ audience }) => audience !== 'machine');

/**
 * Of a list, that of the viewer; what can be watched of both authors, except what the viewer may not see; `value` where
 * the channel has no parameter is not looked at.
 */
export function channelsOf(viewer: Viewer, world: World): Opened[] {
  return statusChannels.flatMap(({ name, parameter, watched }) => {
    if (watched !== undefined) return watchableIn(name, viewer, world).map((value) => ({ channel: name, value }));
    if (parameter?.name !== 'list') return [{ channel: name, value: 'secret' }];
    const value = world.lists.get(viewer);
    return value === undefined ? [] : [{ channel: name, value }];
  });
}

function watchableIn(channel: string, viewer: Viewer, { ids, roots, secrets }: World): string[] {
  if (channel === 'account') return [ids.author, ids.far];
  if (channel === 'status') return secrets.filter((secret) => maySee(viewer, secret)).map(({ id }) => id);
  return blocks(viewer) ? [] : [roots.author, roots.far];
}

const parameterOf = ({ channel, value }: Opened): Record<string, string> => {
  const name = channelKinds.find((kind) => kind.name === channel)?.parameter?.name;
  return name === undefined ? {} : { [name]: value };
};

/** Answers once all channels are open. */
export async function openSockets(world: World, viewer: Viewer, since?: string): Promise<ViewerStreams> {
  const opened = channelsOf(viewer, world);
  const socket = new WebSocket(
    `${world.gateway.origin.replace('http', 'ws')}/api/v1/streaming`,
    world.tokens.get(viewer),
  );
  const frames: { stream?: string[]; event: string; payload: string; error?: string }[] = [];
  let isOver = false;
  socket.addEventListener('message', ({ data }) => frames.push(JSON.parse(String(data))));
  socket.addEventListener('close', () => {
    isOver = true;
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  for (const one of opened)
    socket.send(JSON.stringify({ type: 'subscribe', stream: one.channel, ...parameterOf(one), since }));
  // Messages are answered in their order.
  socket.send(JSON.stringify({ type: 'subscribe', stream: 'nonsense' }));
  await until(() => frames.some(({ error }) => error === 'Unknown stream type'));
  return {
    viewer,
    opened,
    async textsOf(channel) {
      await until(() => isOver, { description: 'the socket to close' });
      return frames
        .filter(({ stream }) => stream?.[0] === channel)
        .map(({ event, payload }) => ({ event, text: payload }));
    },
  };
}

export async function openServerSentEvents(world: World, viewer: Viewer, since?: string): Promise<ViewerStreams> {
  const opened = channelsOf(viewer, world);
  const bodies = new Map<string, Promise<string>[]>();
  for (const one of opened) {
    const response = await world.gateway.fetch(addressOf(one), {
      ...(since === undefined ? {} : { headers: { 'last-event-id': since } }),
      token: world.tokens.get(viewer),
    });
    if (response.status !== 200) throw new Error(`${viewer} may not open ${one.channel}: ${response.status}`);
    bodies.set(one.channel, [...(bodies.get(one.channel) ?? []), response.text()]);
  }
  return { viewer, opened, textsOf: async (channel) => eventsIn((await Promise.all(bodies.get(channel)!)).join('')) };
}

/** Of server-sent events. */
export function addressOf(opened: Opened): string {
  const { path, onlyMedia } = channelKinds.find(({ name }) => name === opened.channel)!;
  const query = new URLSearchParams({ ...parameterOf(opened), ...(onlyMedia && { only_media: 'true' }) });
  return `/api/v1/streaming/${path}?${query}`;
}

function eventsIn(body: string): StreamedText[] {
  return [...body.matchAll(/event: (.+)\ndata: (.+)\n/g)].map(([, event = '', text = '']) => ({ event, text }));
}
