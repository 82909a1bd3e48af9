/** GET of a home whose posts have pictures or link previews, beside one of as many bytes whose posts have neither. */
import { createServer, type Server as WebServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { httpRequest, openHttpLoad } from '../generators/http-load.ts';
import { rawAnswerOf } from '../generators/raw-answer.ts';
import { runPairs, warmUp } from '../measure/pairs.ts';
import { coresOfPinnedRun } from '../processes/cores.ts';
import { type Server, startServer } from '../processes/server.ts';
import type { Scenario } from '../scenario.ts';
import { type CommunityFacts, communitySeed } from '../seed/community.ts';
import { statusText, tokenOf } from '../seed/people.ts';
import { percent, stopAll } from './words.ts';

const postsMade = 20;
const picturesOfPost = 2;
/** Beyond all ids: both homes are read behind a cursor. */
const beyondAll = '9000000000000000000';
const pageSizes = Array.from({ length: 40 }, (_, index) => index + 1);

export const illustratedHomeScenario: Scenario = {
  name: 'illustrated-home',
  summary: 'home of posts with pictures and link previews, against posts without, in CPU for each byte',
  async run({ size, seeds, samples, profileFolder }) {
    const data = await seeds.open(communitySeed(size.community));
    const cores = coresOfPinnedRun();
    const site = await startSite();
    const server = await startServer({ dataDirectory: data.dataDirectory, core: cores.measured, profileFolder });
    const [onPictures, onText] = [openHttpLoad(cores.generator), openHttpLoad(cores.generator)];
    try {
      const oldest = await illustrate(server, data.facts, site);
      const readers = data.facts.crowd.slice(0, size.connections).map(tokenOf);
      const requests = (maxId: string, limit: number) =>
        readers.map((token) =>
          httpRequest('GET', server.host, `/api/v1/timelines/home?limit=${limit}&max_id=${maxId}`, { token }),
        );
      const bytesOf = async (request: string) => (await rawAnswerOf(server.host, server.port, request)).bytes;
      const illustrated = requests(beyondAll, postsMade);
      const bytes = await bytesOf(illustrated[0]!);
      const sizes = await Promise.all(pageSizes.map((limit) => bytesOf(requests(oldest, limit)[0]!)));
      const nearest = sizes.reduce(
        (best, one, index) => (Math.abs(one - bytes) < Math.abs(sizes[best]! - bytes) ? index : best),
        0,
      );
      const plain = requests(oldest, pageSizes[nearest]!);
      await onPictures.prepare({ ...server, connections: size.connections, requests: illustrated });
      await onText.prepare({ ...server, connections: size.connections, requests: plain });
      const withPictures = () => onPictures.waves(server.processId, size.windowMilliseconds);
      const withText = () => onText.waves(server.processId, size.windowMilliseconds);
      await warmUp(withPictures);
      await warmUp(withText);
      const runs = await runPairs(size.pairs, withPictures, withText);
      for (const pair of runs.pairs) samples.write({ scenario: 'illustrated-home', kind: 'pair', ...pair });
      const perByte = (ratio: number) => sizes[nearest]! / bytes / ratio;
      return [
        {
          what: 'home of 20 posts with pictures and link previews',
          measured: perByte(runs.ratio),
          unit: 'times the CPU of one without, for each byte',
          ...{ lowest: perByte(runs.highest), highest: perByte(runs.lowest), target: { atMost: 1.1 } },
          beside: `CPU ${runs.serverMicroseconds.toFixed(1)} µs for ${bytes} bytes, without ${runs.referenceMicroseconds.toFixed(1)} µs for ${sizes[nearest]}; generator busy ${percent(runs.busyShare)}`,
        },
      ];
    } finally {
      await stopAll(onPictures, onText, server);
      site.close();
      site.closeAllConnections();
      data.remove();
    }
  },
};

/** Pages that say what they are about, with a picture. */
async function startSite(): Promise<WebServer> {
  const picture = await sharp({ create: { width: 600, height: 315, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();
  const site = createServer((request, response) => {
    if (request.url === '/picture.png') return void response.setHeader('content-type', 'image/png').end(picture);
    const title = `<meta property="og:title" content="Starlings of ${request.url}">`;
    const more =
      '<meta property="og:description" content="How a flock turns"><meta property="og:image" content="/picture.png">';
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>x</title>${title}${more}`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return site;
}

interface Posted {
  readonly id: string;
  readonly card: object | null;
}

/** The first author publishes: every second post has pictures, the others a link. Returns the id of the oldest. */
async function illustrate({ origin }: Server, { authors }: CommunityFacts, site: WebServer): Promise<string> {
  const token = tokenOf(authors[0]!);
  const { port } = site.address() as AddressInfo;
  const ask = async <Answer>(path: string, body?: FormData | object): Promise<Answer> => {
    const json = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' };
    const content = body instanceof FormData ? body : body && JSON.stringify(body);
    const headers = { authorization: `Bearer ${token}`, ...json };
    const answer = await fetch(`${origin}${path}`, { headers, ...(content && { method: 'POST', body: content }) });
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const ids: string[] = [];
  for (let number = 0; number < postsMade; number += 1) {
    const isLinking = number % 2 === 1;
    const pictures = isLinking
      ? []
      : await Promise.all(Array.from({ length: picturesOfPost }, (_, index) => pictureForm(number * 10 + index)));
    const media = await Promise.all(pictures.map((form) => ask<{ id: string }>('/api/v2/media', form)));
    const link = isLinking ? ` http://127.0.0.1:${port}/${number}` : '';
    const { id } = await ask<Posted>('/api/v1/statuses', {
      status: `${statusText(number)}${link}`,
      media_ids: media.map((one) => one.id),
    });
    ids.push(id);
    while (isLinking && (await ask<Posted>(`/api/v1/statuses/${id}`)).card === null) await setTimeout(50);
  }
  return ids[0]!;
}

async function pictureForm(number: number): Promise<FormData> {
  const background = { r: number, g: 100, b: 200 };
  const bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture.png');
  form.append('description', 'A field of one colour, as large as a post card');
  return form;
}
