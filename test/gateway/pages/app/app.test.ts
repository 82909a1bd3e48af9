/** The pages as an app: its manifest, and what its worker keeps. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { manifestRoute } from '../../../../src/gateway/pages/app/manifest.ts';
import { workerRoute } from '../../../../src/gateway/pages/app/worker.ts';
import { scriptAddress } from '../../../../src/gateway/pages/assets.ts';
import { webRoutes } from '../../../../src/gateway/pages/web.routes.ts';
import { Site } from '../site.ts';

const forEver = 'public, max-age=31536000, immutable';

test('the pages can be installed as an app, in the language that its browser asks for', async () => {
  expect(webRoutes).toEqual(expect.arrayContaining([manifestRoute, workerRoute]));
  const site = new Site();
  await site.settings({ title: 'Birds', description: 'For those who wade.' });
  const { headers, html } = await site.stranger.ask('/manifest.webmanifest', { headers: { 'accept-language': 'de' } });
  expect(headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  expect(headers.get('vary')).toBe('Accept-Language, Cookie');
  const manifest = JSON.parse(html);
  expect(manifest).toMatchObject({
    ...{ id: '/', scope: '/', start_url: '/', display: 'standalone', lang: 'de', dir: 'ltr' },
    ...{ name: 'Birds', short_name: 'Birds', description: 'For those who wade.' },
    share_target: { action: '/share', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
  });
  expect(manifest.shortcuts.map(({ name }: { name: string }) => name)).toContain('Mitteilungen');
  for (const { src, sizes, type } of manifest.icons) {
    const response = await site.gateway.fetch(src);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    const content = Buffer.from(await response.arrayBuffer());
    // Other tests of this process forbid the library to read SVG.
    if (type !== 'image/png') expect(content.toString()).toContain('<svg');
    else {
      const { width, height } = await sharp(content).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
  }
  const alice = await site.person('alice');
  for (const { url } of manifest.shortcuts) expect((await alice.ask(url)).status).toBe(200);
  expect((await alice.ask('/share?title=Wrens&url=https%3A%2F%2Fa.example')).html).toContain(
    '>Wrens https://a.example</textarea>',
  );
  const { html: page, headers: policy } = await alice.ask('/');
  expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest">');
  expect(policy.get('content-security-policy')).toContain("manifest-src 'self'");
});

test('the worker keeps what is there, and nothing of anybody', async () => {
  const site = new Site();
  const { headers, html: script } = await site.stranger.ask('/sw.js?language=en');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
  const { kept } = JSON.parse(/^const facts = (.*);$/m.exec(script)![1]!);
  expect(kept).toContain(scriptAddress);
  for (const path of kept) {
    const response = await site.gateway.fetch(path);
    expect([path, response.status, response.headers.get('cache-control')]).toEqual([path, 200, forEver]);
  }
  const alice = await site.person('alice', { locale: 'de' });
  const offline = await alice.ask('/offline');
  expect(offline.html).toContain('<html lang="de"');
  expect(offline.html).toContain('<h1>Keine Verbindung</h1>');
  expect(offline.html).not.toMatch(/alice|form_token|<script/);
});
