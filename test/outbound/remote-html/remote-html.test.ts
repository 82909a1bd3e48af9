import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { describe, expect, test } from 'vitest';
import { htmlLimits } from '../../../src/outbound/remote-html/limits.ts';
import { createRemoteHtmlCleaner, type SanitizeBatch } from '../../../src/outbound/remote-html/remote-html.ts';
import { type RemoteHtmlDocument, sanitizeRemoteHtmlBatch } from '../../../src/outbound/remote-html/sanitize.task.ts';
import { until } from '../../support/until.ts';

/** A pool that answers when it is told to. */
function manualPool() {
  const batches: {
    documents: readonly RemoteHtmlDocument[];
    answer: (html?: string[]) => void;
    fail: (e: Error) => void;
  }[] = [];
  const sanitizeBatch: SanitizeBatch = (documents) =>
    new Promise((resolve, reject) => {
      const answer = (html = documents.map((document) => `safe ${document.html}`)) => resolve(html);
      batches.push({ documents, answer, fail: reject });
    });
  return { batches, clean: createRemoteHtmlCleaner(sanitizeBatch) };
}

describe('the fast way', () => {
  test('what is recognised comes back at once and unchanged, without the pool', () => {
    const { batches, clean } = manualPool();
    expect(clean('<p>abc</p>')).toBe('<p>abc</p>');
    expect(batches).toEqual([]);
  });

  test('what a profile field may hold depends on being one', async () => {
    const { batches, clean } = manualPool();
    const html = '<a href="https://alice.example" target="_blank" rel="nofollow noopener me">a</a>';
    expect(clean(html, { profileField: true })).toBe(html);
    const cleaned = clean(html);
    await until(() => batches.length === 1);
    expect(batches[0]!.documents).toEqual([{ html, profileField: false }]);
    batches[0]!.answer();
    expect(await cleaned).toBe(`safe ${html}`);
  });
});

describe('the way through the pool', () => {
  test('what comes in one go is one batch, and each gets its own answer', async () => {
    const { batches, clean } = manualPool();
    const cleaned = ['<b>alice', '<b>bob', '<b>carol'].map((html) => clean(html));
    await until(() => batches.length > 0);
    expect(batches.map((batch) => batch.documents.length)).toEqual([3]);
    batches[0]!.answer();
    expect(await Promise.all(cleaned)).toEqual(['safe <b>alice', 'safe <b>bob', 'safe <b>carol']);
  });

  test('batches are bounded in documents and in number; the rest waits its turn', async () => {
    const { batches, clean } = manualPool();
    const { batchDocumentsMax, batchesInFlightMax } = htmlLimits;
    const cleaned = Array.from({ length: batchDocumentsMax * 3 }, (_, number) => clean(`<b>${number}`));
    await until(() => batches.length === batchesInFlightMax);
    expect(batches.map((batch) => batch.documents.length)).toEqual([batchDocumentsMax, batchDocumentsMax]);
    batches[1]!.answer();
    await until(() => batches.length === 3);
    batches[0]!.answer();
    batches[2]!.answer();
    const all = await Promise.all(cleaned);
    expect(all[0]).toBe('safe <b>0');
    expect(all.at(-1)).toBe(`safe <b>${batchDocumentsMax * 3 - 1}`);
  });

  test('batches are bounded in characters, but one large document still goes', async () => {
    const { batches, clean } = manualPool();
    const large = `<b>${'a'.repeat(htmlLimits.batchCharactersMax)}`;
    const cleaned = [clean(large), clean('<b>small')];
    await until(() => batches.length === 2);
    expect(batches.map((batch) => batch.documents.length)).toEqual([1, 1]);
    for (const batch of batches) batch.answer();
    expect(await cleaned[1]).toBe('safe <b>small');
  });

  test('a document longer than what is read is cut before it travels', async () => {
    const { batches, clean } = manualPool();
    void clean(`<b>${'a'.repeat(htmlLimits.rawCharactersMax)}`);
    await until(() => batches.length === 1);
    expect(batches[0]!.documents[0]!.html.length).toBe(htmlLimits.rawCharactersMax);
  });

  test('too many waiting documents are refused as overload, and room comes back', async () => {
    const { batches, clean } = manualPool();
    const fit = Array.from({ length: htmlLimits.waitingDocumentsMax }, () => clean('<b>a'));
    await expect(clean('<b>one too many')).rejects.toMatchObject({ code: 'overloaded' });
    await until(() => batches.length > 0);
    const next = clean('<b>fits again');
    for (let index = 0; index < batches.length; index += 1) {
      batches[index]!.answer();
      await fit[index * htmlLimits.batchDocumentsMax];
    }
    await until(async () => {
      for (const batch of batches) batch.answer();
      return (await Promise.race([next, Promise.resolve(undefined)])) === 'safe <b>fits again';
    });
    expect((await Promise.all(fit)).length).toBe(htmlLimits.waitingDocumentsMax);
  });

  test('too many waiting characters are refused as overload', async () => {
    const { clean } = manualPool();
    const large = `<b>${'a'.repeat(htmlLimits.rawCharactersMax - 3)}`;
    for (let count = 0; count < htmlLimits.waitingCharactersMax / htmlLimits.rawCharactersMax; count += 1)
      void clean(large);
    await expect(clean('<b>')).rejects.toMatchObject({ code: 'overloaded' });
  });

  test('a batch that fails or comes back incomplete fails its documents and no others', async () => {
    const { batches, clean } = manualPool();
    const first = clean('<b>alice');
    await until(() => batches.length === 1);
    const second = clean('<b>bob');
    await until(() => batches.length === 2);
    batches[0]!.fail(new Error('worker gone'));
    batches[1]!.answer([]);
    await expect(first).rejects.toThrow('worker gone');
    await expect(second).rejects.toMatchObject({ code: 'internal' });
    const third = clean('<b>carol');
    await until(() => batches.length === 3);
    batches[2]!.answer();
    expect(await third).toBe('safe <b>carol');
  });
});

describe('the task', () => {
  test('sanitises each document in order', () => {
    const link = '<a href="https://alice.example" rel="me">a</a>';
    const results = sanitizeRemoteHtmlBatch([
      { html: '<p onclick="x">a', profileField: false },
      { html: link, profileField: true },
      { html: link, profileField: false },
    ]);
    expect(results[0]).toBe('<p>a</p>');
    expect(results[1]).toContain('noreferrer me"');
    expect(results[2]).toContain('noreferrer"');
  });

  test('runs in a real pool', async () => {
    const filename = fileURLToPath(new URL('../../../src/outbound/remote-html/sanitize.task.ts', import.meta.url));
    const pool = new Piscina({ filename, name: 'sanitizeRemoteHtmlBatch', maxThreads: 1 });
    try {
      const clean = createRemoteHtmlCleaner((batch) => pool.run(batch));
      expect(await Promise.all([clean('<h1>a</h1>'), clean('<script>b</script>c'), clean('<p>d</p>')])).toEqual([
        '<p><strong>a</strong></p>',
        'c',
        '<p>d</p>',
      ]);
    } finally {
      await pool.destroy();
    }
  });
});
