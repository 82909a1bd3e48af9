/** Pictures of one colour, and which one a picture at an address has. */
import sharp from 'sharp';
import { until } from '../support/until.ts';

export async function pictureOf(background: string): Promise<Blob> {
  const picture = sharp({ create: { width: 500, height: 500, channels: 3, background } });
  return new Blob([new Uint8Array(await picture.png().toBuffer())], { type: 'image/png' });
}

/** Of the picture at an address: the channel that is brightest. */
export async function colourAt(address: string): Promise<string> {
  const answer = await until(
    async () => {
      const asked = await fetch(address);
      return asked.status === 503 ? undefined : asked;
    },
    { description: `a picture at ${address}` },
  );
  const { channels } = await sharp(await answer.arrayBuffer()).stats();
  const means = channels.slice(0, 3).map(({ mean }) => mean);
  return ['red', 'green', 'blue'][means.indexOf(Math.max(...means))]!;
}
