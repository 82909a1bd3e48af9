/** The text of a blocklist, from a real server. What is wrong with one is tested over the gateway. */
import { expect, test } from 'vitest';
import { instanceLimits } from '../../../src/actors/instance/limits.ts';
import { fetchListText } from '../../../src/outbound/domain-lists/fetch-list-text.ts';
import { useTestBed } from '../fetcher/test-bed.ts';

const bed = useTestBed();

test('is sent again only where it has changed, by either of what servers say of it', async () => {
  const modified = 'Sat, 28 Nov 2026 12:00:00 GMT';
  const host = await bed.host((request, response) => {
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    const isKnown = etag === '"one"' || since === modified;
    response.writeHead(isKnown ? 304 : 200, { etag: '"one"', 'last-modified': modified, 'content-type': 'text/plain' });
    response.end(isKnown ? undefined : 'one.example');
  });
  const { fetcher } = bed.network();
  const wanted = { url: `${host.origin}/list.txt`, form: 'plain' } as const;
  const validators = { etag: '"one"', lastModified: modified };
  expect(await fetchListText(fetcher, wanted)).toEqual({ text: 'one.example', validators });
  expect(await fetchListText(fetcher, { ...wanted, validators })).toBe('unchanged');
  expect(await fetchListText(fetcher, { ...wanted, validators: { lastModified: modified } })).toBe('unchanged');
  expect(await fetchListText(fetcher, { ...wanted, validators: { etag: '"none"' } })).toMatchObject({ validators });
});

test('is asked for in whole where nothing is known of it', async () => {
  const host = await bed.host((_request, response) => void response.writeHead(304).end());
  const { fetcher } = bed.network();
  const found = await fetchListText(fetcher, { url: `${host.origin}/list.txt`, form: 'plain' });
  expect(found).toMatchObject({ problem: 'invalid' });
});

test('waits as long as the server asks for', async () => {
  const host = await bed.host((_request, response) => void response.writeHead(429, { 'retry-after': '600' }).end());
  const { fetcher } = bed.network();
  const found = await fetchListText(fetcher, { url: `${host.origin}/list.txt`, form: 'plain' });
  expect(found).toMatchObject({ problem: 'throttled', waitMilliseconds: 600_000 });
});

test('is left off above its bound, however much the server has to send', async () => {
  const piece = Buffer.alloc(1_000_000, '#');
  const [whole, atOnce] = [100, 3 * (instanceLimits.domainListBytesMax / piece.byteLength)];
  let sent = 0;
  const host = await bed.host((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': whole * piece.byteLength });
    const send = () => {
      if (response.destroyed || sent === whole) return;
      sent += 1;
      response.write(piece, send);
    };
    send();
  });
  const { fetcher } = bed.network();
  const found = await fetchListText(fetcher, { url: `${host.origin}/list.txt`, form: 'plain' });
  expect(found).toMatchObject({ problem: 'tooLarge' });
  expect(sent).toBeLessThan(atOnce);
});

test('is not read from a private address to which its own leads', async () => {
  const host = await bed.host((_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  });
  const { fetcher } = bed.network();
  const found = await fetchListText(fetcher, { url: `${host.origin}/list.txt`, form: 'plain' });
  expect(found).toMatchObject({ problem: 'address' });
});
