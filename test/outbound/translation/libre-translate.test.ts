/** The client of LibreTranslate against a server with its protocol: forms of its answers, errors, bounds. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LibreTranslate, translationLimits } from '../../../src/outbound/translation/libre-translate.ts';
import { startTranslator, type TestTranslator } from '../../support/libre-translate.ts';
import { outcomeOf } from '../../support/outcome.ts';

let server: TestTranslator;
let translator: LibreTranslate;

beforeEach(async () => {
  server = await startTranslator();
  translator = new LibreTranslate({ origin: server.origin, key: undefined });
});

afterEach(async () => {
  await translator.close();
  await server.close();
});

const birds = { texts: ['birds'], isHtml: false, source: undefined, target: 'en' } as const;
const answers = (body: unknown) => {
  server.fault = { status: 200, body: JSON.stringify(body) };
};

describe('languages', () => {
  test('are those that the server lists, each without itself', async () => {
    expect(await translator.languages()).toEqual(
      new Map([
        ['en', ['de']],
        ['de', ['en']],
      ]),
    );
  });

  test('of a server that lists no targets can each be translated into all others', async () => {
    server.languages = [{ code: 'en' }, { code: 'de' }, { code: 'fr' }];
    expect(await translator.languages()).toEqual(
      new Map([
        ['en', ['de', 'fr']],
        ['de', ['en', 'fr']],
        ['fr', ['en', 'de']],
      ]),
    );
  });
});

describe('texts', () => {
  test('are sent together and come back in their order, without a key where there is none', async () => {
    const texts = Array.from({ length: 9 }, (_, number) => `text ${number}`);
    const answer = await translator.translate({ texts, isHtml: true, source: 'de', target: 'en' });
    expect(answer).toEqual({ texts: texts.map((text) => `${text} (en)`), detectedSource: undefined });
    expect(server.asked).toEqual([{ q: texts, source: 'de', target: 'en', format: 'html' }]);
  });

  test.each([
    ['for each text', [{ language: 'fr', confidence: 90 }]],
    ['for all of them', { language: 'fr', confidence: 90 }],
  ])('tell their language where the server finds it %s', async (_how, detectedLanguage) => {
    answers({ translatedText: ['oiseaux'], detectedLanguage });
    expect(await translator.translate(birds)).toEqual({ texts: ['oiseaux'], detectedSource: 'fr' });
  });
});

describe('nothing is translated', () => {
  test.each([
    ['fewer texts', { translatedText: [] }],
    ['one text instead of a list', { translatedText: 'birds' }],
    ['texts that are none', { translatedText: [null] }],
    ['an error with status 200', { error: 'Invalid API key' }],
  ])('where the server answers %s', async (_what, body) => {
    answers(body);
    expect(await outcomeOf(translator.translate(birds))).toBe('remoteUnreachable');
  });

  test.each([301, 400, 403, 429, 500, 503])('where it answers with status %i', async (status) => {
    server.fault = { status, body: JSON.stringify({ translatedText: ['birds'] }) };
    expect(await outcomeOf(translator.translate(birds))).toBe('remoteUnreachable');
  });

  test('where it answers too late', async () => {
    server.isSilent = true;
    const hasty = new LibreTranslate({ origin: server.origin, key: undefined, timeoutMilliseconds: 20 });
    expect(await outcomeOf(hasty.translate(birds))).toBe('remoteUnreachable');
    expect(await outcomeOf(hasty.languages())).toBe('remoteUnreachable');
    await hasty.close();
  });

  test('where it is not there', async () => {
    await server.close();
    expect(await outcomeOf(translator.translate(birds))).toBe('remoteUnreachable');
  });

  test('while too much is asked already, until that is over', async () => {
    server.isSilent = true;
    const asked = Array.from({ length: translationLimits.requestsMax }, () => outcomeOf(translator.translate(birds)));
    expect(await outcomeOf(translator.translate(birds))).toBe('overloaded');
    await translator.close();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['remoteUnreachable']));
    expect(await outcomeOf(translator.translate(birds))).toBe('remoteUnreachable');
  });
});
