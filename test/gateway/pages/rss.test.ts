/** Feeds of accounts and hashtags for feed readers (behaviour of Mastodon: `/@NAME.rss`, `/tags/NAME.rss`). */
import { describe, expect, test } from 'vitest';
import { Account } from '../../../src/actors/account/account.messages.ts';
import { feedLink } from '../../../src/gateway/pages/feeds/rss.ts';
import { ownMedia } from '../../support/own-media.ts';
import { plainPost } from '../../support/plain-post.ts';
import { host, type Person, Site } from './site.ts';

const origin = `https://${host}`;

const linksOf = (xml: string) => [...xml.matchAll(/<item>.*?<link>([^<]+)<\/link>/gs)].map(([, link]) => link);

async function publish(site: Site, person: Person, content: string, more = {}): Promise<bigint> {
  site.gateway.actors.clock.advance(1_000);
  const message = { ...plainPost(content), ...more };
  return (await site.gateway.actors.call(Account.publish.to(person.id, message))).statusId;
}

async function scene() {
  const site = new Site();
  const [alice, bob] = [await site.person('alice'), await site.person('bob')];
  await site.changeProfile(alice, { displayName: 'Alice <3 & "co"', indexable: true });
  return { site, alice, bob };
}

describe('the feed of an account', () => {
  test('contains what it wrote for everybody, newest first', async () => {
    const { site, alice, bob } = await scene();
    const first = await alice.write('First');
    const quiet = await alice.write('Quiet', { visibility: 'unlisted' });
    await alice.write('For followers', { visibility: 'private' });
    const bobs = await bob.write('By bob');
    await alice.write('An answer', { in_reply_to_id: bobs });
    await alice.act(`/web/statuses/${bobs}/reblog`);
    const { status, headers, html } = await site.stranger.ask('/@alice.rss');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(linksOf(html)).toEqual([quiet, first].map((id) => `${origin}/@alice/${id}`));
    expect((await alice.ask('/@alice.rss')).html).toBe(html);
    expect(html).toContain('<title>Alice &lt;3 &amp; &quot;co&quot;</title>');
    expect(html).toContain(`<atom:link rel="self" type="application/rss+xml" href="${origin}/@alice.rss"/>`);
    expect(html).toMatch(/<image><url>https:\/\/[^/]+\/avatars\/\d+\.png<\/url>/);
  });

  test('contains each post as escaped HTML with whole addresses, its warning, options, media, tags and time', async () => {
    const { site, alice } = await scene();
    const id = await publish(site, alice, 'See <a href="/@bob">@bob</a> \u{b}&amp; more', {
      spoilerText: 'Birds & "bees"',
      sensitive: true,
      tags: [{ name: 'birds', display: 'Birds' }],
      poll: {
        options: ['Wren', 'Tit & co'],
        multiple: false,
        hideTotals: false,
        expiresInSeconds: 3_600,
      },
      attachments: [
        ownMedia(site.gateway.actors, alice.id, {
          type: 'image',
          url: 'https://files.example/a.png?x&y',
          mediaType: 'image/png',
          description: 'A "wren"',
        }),
        ownMedia(site.gateway.actors, alice.id, { type: 'unknown', url: 'ftp://files.example/b' }),
      ],
    });
    const item = /<item>.*<\/item>/s.exec((await site.stranger.ask('/@alice.rss')).html)![0].replace(/\n+/g, '\n');
    const { addresses } = site.gateway.services;
    expect(item).toBe(`<item>
<guid isPermaLink="true">${origin}/@alice/${id}</guid>
<link>${origin}/@alice/${id}</link>
<pubDate>${new Date(site.gateway.services.now()).toUTCString()}</pubDate>
<dc:creator>@alice@${host}</dc:creator>
<description>&lt;p&gt;&lt;strong&gt;Content warning:&lt;/strong&gt; Birds &amp;amp; &amp;quot;bees&amp;quot;&lt;/p&gt;&lt;hr&gt;&lt;p&gt;See &lt;a href=&quot;${origin}/@bob&quot;&gt;@bob&lt;/a&gt; &amp;amp; more&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Wren&lt;/li&gt;&lt;li&gt;Tit &amp;amp; co&lt;/li&gt;&lt;/ul&gt;</description>
<media:content url="${addresses.shownMedia('https://files.example/a.png?x&y', 'picture', {})}" type="image/png" medium="image">
<media:rating scheme="urn:simple">adult</media:rating>
<media:description type="plain">A &quot;wren&quot;</media:description>
</media:content>
<category>Birds</category>
</item>`);
  });

  test('encloses the first file whose size is known, for players of podcasts', async () => {
    const { site, alice } = await scene();
    const { actors } = site.gateway;
    const name = `${'a'.repeat(43)}.mp3`;
    await publish(site, alice, 'Listen', {
      attachments: [
        ownMedia(actors, alice.id, { type: 'audio', url: 'https://files.example/a.mp3', mediaType: 'audio/mpeg' }),
        ownMedia(actors, alice.id, { type: 'audio', url: name, mediaType: 'audio/mpeg' }, [{ name, bytes: 4_321 }]),
      ],
    });
    const { html } = await site.stranger.ask('/@alice.rss');
    expect(html.match(/<enclosure[^>]*>/g)).toEqual([
      `<enclosure url="${origin}/media/${name}" length="4321" type="audio/mpeg"/>`,
    ]);
    expect(html).toContain(
      `<media:content url="${origin}/media/${name}" type="audio/mpeg" fileSize="4321" medium="audio">`,
    );
  });

  test('has at most a page of posts, and those with a tag are one of its own', async () => {
    const { site, alice, bob } = await scene();
    const tags = [{ name: 'birds', display: 'Birds' }];
    const tagged = await publish(site, alice, '#Birds', { tags });
    await publish(site, bob, '#Birds', { tags });
    for (let count = 0; count < 21; count += 1) await publish(site, alice, 'More');
    expect(linksOf((await site.stranger.ask('/@alice.rss')).html)).toHaveLength(20);
    const { html } = await site.stranger.ask('/@alice/tagged/Birds.rss');
    expect(linksOf(html)).toEqual([`${origin}/@alice/${tagged}`]);
    expect(html).toContain(`<link>${origin}/@alice/tagged/birds</link>`);
  });

  test('is there for local accounts that are not suspended', async () => {
    const { site, alice } = await scene();
    await site.gateway.actors.call(Account.changeLogin.to(alice.id, { suspended: true }));
    expect((await site.stranger.ask('/@alice.rss')).status).toBe(410);
    for (const path of [
      '/@nobody.rss',
      '/@.rss',
      '/@bob@remote.example.rss',
      '/@bob/tagged/.rss',
      '/@bob/tagged/a-b.rss',
    ])
      expect([path, (await site.stranger.ask(path)).status]).toEqual([path, 404]);
    expect((await site.stranger.ask('/@bob.rss')).html).not.toContain('<item>');
  });
});

test('the feed of a hashtag contains public posts of all servers', async () => {
  const { site, alice, bob } = await scene();
  const tags = [{ name: 'birds', display: 'Birds' }];
  const one = await publish(site, alice, '#Birds', { tags });
  const other = await publish(site, bob, '#Birds', { tags });
  await publish(site, bob, '#Birds', { tags, visibility: 'unlisted' });
  await alice.act(`/web/accounts/${bob.id}/mute`);
  const { html, headers } = await alice.ask('/tags/Birds.rss');
  expect(linksOf(html)).toEqual([`${origin}/@bob/${other}`, `${origin}/@alice/${one}`]);
  expect(html).toContain('<title>#Birds</title>');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect((await site.stranger.ask('/tags/a-b.rss')).status).toBe(404);
});

test('pages name their feeds', async () => {
  const { site } = await scene();
  const named = async (path: string) => (await site.stranger.ask(path)).html;
  const title = 'Posts by Alice <3 & "co"';
  expect(await named('/@alice')).toContain(feedLink(title, `${origin}/@alice`).markup);
  expect(await named('/@alice/tagged/birds')).toContain(feedLink(title, `${origin}/@alice/tagged/birds`).markup);
  expect(await named('/tags/birds')).toContain(feedLink('Posts tagged #birds', `${origin}/tags/birds`).markup);
});

test('readers and proxies may keep a feed for a minute, and ask whether it has changed', async () => {
  const { site, alice } = await scene();
  await alice.write('First');
  // Also readers that would take JSON.
  const headers = { accept: 'application/json, application/rss+xml' };
  const { headers: answered } = await site.stranger.ask('/@alice.rss', { headers });
  expect(answered.get('cache-control')).toBe('public, max-age=60');
  expect(answered.get('x-robots-tag')).toBeNull();
  const again = { headers: { 'if-none-match': answered.get('etag')! } };
  const { status, html } = await site.stranger.ask('/@alice.rss', again);
  expect([status, html]).toEqual([304, '']);
  await alice.write('Second');
  expect((await site.stranger.ask('/@alice.rss', again)).status).toBe(200);
});
