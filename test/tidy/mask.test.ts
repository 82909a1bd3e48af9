import { expect, test } from 'vitest';
import { maskText } from './mask.ts';

/** Blank runs are shortened, so that the tables below can be read. */
const shorten = (text: string): string => text.replaceAll(/ +/g, ' ').trim();

test.each([
  ['a line comment', 'one(); // await\ntwo();', 'one(); \ntwo();'],
  ['a block comment', 'one(/* await */ two);', 'one( two);'],
  ['a string', `one('await // "', "it's");`, `one(' ', " ");`],
  ['an escaped quote', `one('it\\'s await', two);`, `one(' ', two);`],
  ['a template', 'one(`await @{two} await`);', 'one(` @{two} `);'],
  ['a template in a template', 'one(`a @{two(`b @{three} c`)} d`);', 'one(` @{two(` @{three} `)} `);'],
  ['braces in a template', 'one(`a @{[{ two: {} }]} b`, three);', 'one(` @{[{ two: {} }]} `, three);'],
  ['a regular expression', 'one(/[/"]await\\//g, two);', 'one(/ /g, two);'],
  ['a regular expression after return', "return /'/.test(two);", 'return / /.test(two);'],
  ['a division', "one = two / three; four('await') / 5;", "one = two / three; four(' ') / 5;"],
  ['a comment mark in a string', "one('http://two'); three();", "one(' '); three();"],
])('bare code without %s', (_name, text, bare) => {
  const asTemplate = (written: string): string => written.replaceAll('@{', '${');
  expect(shorten(maskText(asTemplate(text)).bare)).toBe(asTemplate(bare));
});

test('code keeps strings, comments keep nothing else, and every place stays where it was', () => {
  const text = `import 'one'; // two 'three'\n/* four */ five(\`six\`);\n`;
  const { code, bare, comments } = maskText(text);
  expect(shorten(code)).toBe("import 'one'; \n five(`six`);");
  expect(shorten(comments)).toBe("// two 'three'\n/* four */");
  for (const masked of [code, bare, comments]) {
    expect(masked).toHaveLength(text.length);
    expect(masked.indexOf('\n')).toBe(text.indexOf('\n'));
  }
});

test('a string that is never closed ends at the end of its line', () => {
  expect(shorten(maskText("one('two\nthree();").bare)).toBe("one(' \nthree();");
});
