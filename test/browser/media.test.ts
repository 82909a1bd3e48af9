/** Media on the pages, in a real browser over a real server: attached, described, put in order, posted and looked at. */
import { readdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { film, filmTools, h264, pictures, sound, whyNoFilms } from '../support/films.ts';
import { type RunningServer, startTestServer } from '../support/server.ts';
import { hasBrowser, openBrowser, Visitor } from './browser.ts';

interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

async function picture(name: string, background: string, width = 640, height = 480): Promise<File> {
  const image = sharp({ create: { width, height, channels: 3, background } });
  return { name, mimeType: 'image/png', buffer: await image.png().toBuffer() };
}

const noPicture: File = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('These are no pixels.') };

/** Files that are dropped or pasted come with an event that only a script can make. */
function hand(page: Page, type: 'drop' | 'paste', { name, mimeType, buffer }: File): Promise<unknown> {
  return page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], '${name}', { type: '${mimeType}' }));
    const event = '${type}' === 'drop'
      ? new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true })
      : new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true });
    document.querySelector('form.compose textarea').dispatchEvent(event);
  })()`);
}

// because a machine without a browser cannot run them; the reason is printed when the file is loaded.
describe.skipIf(!hasBrowser)('media in a browser', () => {
  let server: RunningServer;
  let browser: Browser;

  beforeAll(async () => {
    server = await startTestServer();
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function join(name: string, options?: Parameters<typeof Visitor.arrive>[2]): Promise<Visitor> {
    const visitor = await Visitor.arrive(browser, server.origin, options);
    onTestFinished(() => visitor.leave());
    await visitor.join(name);
    return visitor;
  }

  /** Below any folder of this name. */
  const filesOf = (folder: string) =>
    readdirSync(server.dataDirectory, { withFileTypes: true, recursive: true })
      .filter((one) => one.isFile() && one.parentPath.split('/').includes(folder))
      .map(({ name }) => name);

  const items = ({ page }: Visitor) => page.locator('.attached > li[data-media]');
  const chooser = ({ page }: Visitor) => page.locator('input[type="file"]');

  test('pictures come by the button, dropped and pasted; they are described, put in order, and posted', async () => {
    const alice = await join('alice');
    const { page } = alice;
    await chooser(alice).setInputFiles(await picture('red.png', '#c03030'));
    await items(alice).first().waitFor();
    await hand(page, 'drop', await picture('green.png', '#30a050', 400, 800));
    await items(alice).nth(1).waitFor();
    await hand(page, 'paste', await picture('blue.png', '#3050c0'));
    await items(alice).nth(2).waitFor();

    await items(alice).nth(0).getByRole('textbox').fill('A red field');
    await items(alice).nth(1).getByRole('textbox').fill('A green field');
    await items(alice).nth(2).getByRole('textbox').fill('A blue field');
    await items(alice).nth(2).getByRole('button', { name: 'Move to the front' }).click();
    await items(alice).nth(0).getByRole('button', { name: 'Remove' }).click();
    await items(alice)
      .nth(0)
      .locator('input[type="image"]')
      .click({ position: { x: 20, y: 20 } });
    expect(await items(alice).count()).toBe(2);

    await alice.write('Two fields');
    const shown = alice.entry('Two fields').locator('figure.image img:not(.blurred)');
    await shown.nth(1).waitFor();
    expect(await shown.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual([
      ...['A blue field', 'A green field'],
    ]);
    // A quarter of the width and of the height from the edges, where it was clicked.
    expect(await shown.first().getAttribute('class')).toBe('fx-1 fy-1');
    expect(alice.complaints).toEqual([]);
  });

  test('whoever forgets a description is asked, and a setting ends that', async () => {
    const bob = await join('bob');
    await chooser(bob).setInputFiles(await picture('grey.png', '#808080'));
    await items(bob).first().waitFor();
    await bob.write('Undescribed');
    await bob.page.getByText('Not everything has a description yet.').waitFor();
    await bob.page.getByRole('button', { name: 'Post without' }).click();
    await bob.entry('Undescribed').locator('figure.image').waitFor();

    await bob.open('/settings');
    await bob.page.getByLabel('Remind you to describe pictures').uncheck();
    await bob.page.getByRole('button', { name: 'Save the profile' }).click();
    await bob.page.getByText('Your profile is changed.').waitFor();
    await bob.open('/');
    await chooser(bob).setInputFiles(await picture('white.png', '#ffffff'));
    await items(bob).first().waitFor();
    await bob.write('At once');
    await bob.entry('At once').locator('figure.image').waitFor();
  });

  test('a bad file is refused with a sentence, and too many are not sent', async () => {
    const carol = await join('carol');
    const problem = carol.page.locator('#media-problem');
    await chooser(carol).setInputFiles(noPicture);
    await problem.getByText('“notes.png” cannot be attached: it is damaged').waitFor();
    expect(await carol.page.locator('.attached > li').count()).toBe(0);
    const many = await Promise.all(
      ['1', '2', '3', '4', '5'].map((name) => picture(`${name}.png`, `#${name}0${name}0${name}0`)),
    );
    await chooser(carol).setInputFiles(many);
    await problem.getByText('At most 4 files can be attached.').waitFor();
    await items(carol).nth(3).waitFor();
    expect(await items(carol).count()).toBe(4);
    for (const index of [0, 1, 2, 3]) await items(carol).nth(index).getByRole('textbox').fill(`Number ${index}`);
    await carol.write('Four of them');
    await carol.entry('Four of them').locator('figure.image').nth(3).waitFor();
  });

  test.each([
    'wrong',
    'behind the file',
  ])('nothing is stored of a file whose form has a token that is %s', async (token) => {
    const mallory = await join(token === 'wrong' ? 'mallory' : 'malte');
    const status = await mallory.page.evaluate(`(async () => {
      const { value } = document.querySelector('input[name="form_token"]');
      const body = new FormData();
      if (${token === 'wrong'}) body.set('form_token', value.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')));
      body.set('media', new File(['x'.repeat(1_000)], 'x.png'));
      if (${token !== 'wrong'}) body.set('form_token', value);
      return (await fetch('/web/media', { method: 'POST', body })).status;
    })()`);
    expect([status, filesOf('uploads'), filesOf('incoming')]).toEqual([403, [], []]);
  });

  // because only ffmpeg makes and decodes films; the reason is printed beside it.
  test.skipIf(filmTools === undefined)(
    `a film has a player, and what replaces a GIF plays by itself${whyNoFilms}`,
    async () => {
      const fred = await join('fred');
      const files = [
        [
          'The film',
          {
            name: 'a.mp4',
            mimeType: 'video/mp4',
            buffer: film('a.mp4', ...pictures(), ...sound(), ...h264, '-c:a', 'aac'),
          },
        ],
        ['The GIF', { name: 'a.gif', mimeType: 'image/gif', buffer: film('a.gif', ...pictures('64x48', 5)) }],
      ] as const;
      for (const [text, file] of files) {
        await chooser(fred).setInputFiles(file);
        await fred.page
          .locator('.attached > li[data-media]:not([data-processing]) img, .attached input[type="image"]')
          .waitFor();
        await items(fred).first().getByRole('textbox').fill('Colours that change');
        await fred.write(text);
        await fred.entry(text).locator('video').waitFor();
      }
      const player = fred.entry('The film').locator('figure.video video');
      expect(await player.getAttribute('poster')).toContain('/media/');
      await fred.page.locator('figure.gifv video:not([controls])').waitFor();
      expect(fred.complaints).toEqual([]);

      await fred.page.emulateMedia({ reducedMotion: 'reduce' });
      await fred.page.reload();
      expect(await fred.page.locator('figure.gifv video[controls]').count()).toBe(1);
    },
  );

  test('a gallery is turned by keys and by a finger, and closed by Escape', async () => {
    const dora = await join('dora', { hasTouch: true });
    const { page } = dora;
    await chooser(dora).setInputFiles([await picture('1.png', '#a04040'), await picture('2.png', '#40a040')]);
    await items(dora).nth(1).waitFor();
    await items(dora).nth(0).getByRole('textbox').fill('The first');
    await items(dora).nth(1).getByRole('textbox').fill('The second');
    await dora.write('A pair');
    await dora.entry('A pair').locator('figure.image > a').first().click();
    const caption = page.locator('dialog.lightbox figcaption');
    await caption.getByText('The first').waitFor();
    await page.keyboard.press('ArrowRight');
    await caption.getByText('The second').waitFor();
    expect(await page.locator('dialog.lightbox .position').innerText()).toBe('2 / 2');
    await page.keyboard.press('ArrowRight');
    await caption.getByText('The first').waitFor();
    await page.evaluate(`for (const [type, clientX] of [['pointerdown', 300], ['pointerup', 100]])
      document.querySelector('dialog.lightbox').dispatchEvent(
        new PointerEvent(type, { pointerType: 'touch', clientX, clientY: 200 }))`);
    await caption.getByText('The second').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog.lightbox').isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.closest("figure.image") !== null')).toBe(true);
    expect(dora.complaints).toEqual([]);
  });

  test('without a script a form attaches, describes, sets the focus, puts in order and posts; an edit changes it', async () => {
    const erin = await join('erin', { javaScriptEnabled: false });
    const { page } = erin;
    await page.getByLabel('Your post').fill('Plain');
    await page.locator('details.attach > summary').click();
    await chooser(erin).setInputFiles([await picture('1.png', '#a04040'), await picture('2.png', '#40a040')]);
    await page.getByRole('button', { name: 'Attach' }).click();
    await items(erin).nth(1).waitFor();
    expect(await page.getByLabel('Your post').inputValue()).toBe('Plain');
    await items(erin).nth(0).getByRole('textbox').fill('The first');
    await items(erin).nth(0).getByRole('button', { name: 'Move to the back' }).click();
    await items(erin).nth(1).getByRole('textbox').waitFor();
    expect(await items(erin).nth(1).getByRole('textbox').inputValue()).toBe('The first');
    await items(erin).nth(0).getByRole('textbox').fill('The second');
    await items(erin)
      .nth(0)
      .locator('input[type="image"]')
      .click({ position: { x: 250, y: 100 } });
    expect(await items(erin).nth(0).locator('input[name^="focus_"]').inputValue()).toBe('0.95,-0.04');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await erin.entry('Plain').locator('figure.image').nth(1).waitFor();

    await erin.entry('Plain').locator('details.menu > summary').click();
    await erin.entry('Plain').getByRole('link', { name: 'Edit' }).click();
    await items(erin).nth(1).getByRole('textbox').fill('Changed');
    await items(erin).nth(0).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const shown = erin.entry('Plain').locator('figure.image img:not(.blurred)');
    expect(await shown.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))).toEqual(['Changed']);

    await erin.open('/');
    await page.locator('details.attach > summary').click();
    await chooser(erin).setInputFiles(noPicture);
    await page.getByLabel('Your post').fill('Not a picture');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    expect(await page.locator('#media-problem').innerText()).toContain('“notes.png” cannot be attached');
    expect(await page.getByLabel('Your post').inputValue()).toBe('Not a picture');
  });

  describe('the pictures of a profile', () => {
    const halves = async (): Promise<File> => {
      const half = { create: { width: 400, height: 400, channels: 3 as const, background: '#2040c0' } };
      const whole = sharp({ create: { width: 800, height: 400, channels: 3, background: '#c02020' } });
      const image = whole.composite([{ input: await sharp(half).png().toBuffer(), left: 400, top: 0 }]);
      return { name: 'halves.png', mimeType: 'image/png', buffer: await image.png().toBuffer() };
    };
    const avatarIn = ({ page }: Visitor) => page.locator('.pictures .of-avatar');
    const save = ({ page }: Visitor) => page.getByRole('button', { name: 'Save the pictures' }).click();
    /** What is shown of the saved one: its size, and the colours of its edges. */
    async function saved(visitor: Visitor) {
      await visitor.page.getByText('Your pictures are changed.').waitFor();
      const address = (await avatarIn(visitor).locator('img').getAttribute('src')) ?? '';
      const response = await server.fetch(new URL(address).pathname);
      const image = sharp(Buffer.from(await response.arrayBuffer())).removeAlpha();
      const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
      const at = (x: number) => (data[3 * x]! > data[3 * x + 2]! ? 'red' : 'blue');
      return { width: info.width, height: info.height, left: at(2), right: at(info.width - 3) };
    }

    test('are cropped by keys, described, and removed', async () => {
      const frank = await join('frank');
      await frank.open('/settings');
      const avatar = avatarIn(frank);
      await avatar.locator('input[type="file"]').setInputFiles(await halves());
      const across = avatar.getByLabel('Left or right');
      await across.waitFor();
      expect(await avatar.getByLabel('Up or down').isDisabled()).toBe(true);
      await across.press('End');
      await avatar.getByLabel('Description').fill('Blue');
      await save(frank);
      expect(await saved(frank)).toEqual({ width: 400, height: 400, left: 'blue', right: 'blue' });
      expect(await avatar.getByLabel('Description').inputValue()).toBe('Blue');
      await avatar.getByLabel('Remove it').check();
      await save(frank);
      await avatar.locator('img[src*="/avatars/"]').waitFor();
      expect(await avatar.getByLabel('Description').inputValue()).toBe('');
      expect(frank.complaints).toEqual([]);
    });

    test('without a script the middle is taken; what is no picture is refused', async () => {
      const grace = await join('grace', { javaScriptEnabled: false });
      await grace.open('/settings');
      await avatarIn(grace)
        .locator('input[type="file"]')
        .setInputFiles(await halves());
      await save(grace);
      expect(await saved(grace)).toEqual({ width: 400, height: 400, left: 'red', right: 'blue' });
      await avatarIn(grace).locator('input[type="file"]').setInputFiles(noPicture);
      await avatarIn(grace).getByLabel('Description').fill('Kept');
      await save(grace);
      await grace.page.getByText('This file is no picture that can be read.').waitFor();
      expect(await avatarIn(grace).getByLabel('Description').inputValue()).toBe('Kept');
    });
  });
});
