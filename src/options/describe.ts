/** The options in words, derived from the table: for `--help`, for the documentation, and as an example file. */
import { flagOf } from './layers.ts';
import { type AnyOption, allOptions } from './table.ts';

export interface OptionsDescription {
  /** Plain text for `--help`. */
  readonly help: string;
  /** A Markdown table. */
  readonly markdown: string;
  /** A configuration file with every option, explained in a comment key, and its default unless that is computed. */
  readonly example: string;
}

export function describeOptions(): OptionsDescription {
  return { help: helpText(), markdown: markdownTable(), example: exampleFile() };
}

function helpText(): string {
  const paragraphs = allOptions.map((option) =>
    [
      `  ${flagOf(option)}=…  ${option.environment}  "${option.name}"`,
      `      ${option.sentence}`,
      `      ${firstUpper(option.schema.description ?? '')}. Default: ${defaultText(option)}${unitText(option)}.`,
    ].join('\n'),
  );
  return [
    'Options, each as an argument of the server (--port=4000 or --port 4000), as an environment variable and in a configuration file:',
    ...paragraphs,
    'Arguments win over the environment, then come config/local.json, config/<profile>.json\n(MURMURATION_PROFILE, --profile), config/default.json and the defaults. An empty variable counts as unset.',
  ].join('\n\n');
}

function markdownTable(): string {
  const rows = allOptions.map((option) => {
    const meaning = `${option.sentence} ${firstUpper(option.schema.description ?? '')}.`;
    const cells = [
      code(option.environment),
      code(option.name),
      `${code(defaultText(option))}${unitText(option)}`,
      meaning,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['| Variable | Name in a file | Default | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function exampleFile(): string {
  const entries = allOptions.flatMap((option): [string, unknown][] => {
    const isPlain = option.defaultText === undefined && option.default !== undefined;
    if (isPlain)
      return [
        [`// ${option.name}`, option.sentence],
        [option.name, option.default],
      ];
    return [[`// ${option.name}`, `${option.sentence} Default: ${defaultText(option)}.`]];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

function defaultText({ default: value, defaultText: text }: AnyOption): string {
  if (text !== undefined) return text;
  if (value === undefined) return 'unset';
  return typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);
}

function unitText({ unit }: AnyOption): string {
  return unit === undefined ? '' : ` ${unit}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function firstUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
