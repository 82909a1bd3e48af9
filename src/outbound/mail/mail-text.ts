/** What a mail says, and its two forms: plain text and HTML. The HTML asks for nothing from elsewhere and needs no styles. */
import type { Id } from '../../runtime/ids.ts';
import { type Html, html } from '../../services/words/html.ts';
import type { Words } from '../../services/words/languages.ts';

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Words of somebody: of a report, a warning, a sign-up. */
  readonly quoted?: string | undefined;
  /** Things that it is about, below what is quoted. */
  readonly listed?: { readonly title: string; readonly items: readonly MailItem[] };
  /** The button. */
  readonly action?: { readonly label: string; readonly address: string } | undefined;
  /** Below the button. */
  readonly remarks?: readonly string[];
  /** The conversation that it belongs to: mail programs show its mails together. */
  readonly threadId?: Id | undefined;
}

export interface MailItem {
  readonly text: string;
  /** Where it is; absent for what is gone. */
  readonly address?: string;
}

/** What stands around it. */
export interface MailFrame {
  readonly words: Words;
  /** `alice`. */
  readonly name: string;
  /** `@alice@social.example`. */
  readonly handle: string;
  /** The domain of this server. */
  readonly server: string;
  /** For somebody who has subscribed to the account, and is not its owner. */
  readonly isForSubscriber?: boolean;
  /** For what may be switched off: its topic, and where that is done. */
  readonly list?: { readonly topic: string; readonly unsubscribe: string } | undefined;
}

export function plainMail({ paragraphs, quoted, listed, action, remarks = [] }: MailText, frame: MailFrame): string {
  const { words, name, list, isForSubscriber } = frame;
  const { mails } = words;
  return [
    ...(isForSubscriber === true ? [] : [mails.greeting({ name })]),
    ...paragraphs,
    ...(quoted === undefined ? [] : [quoted.replaceAll(/^/gm, '> ')]),
    ...(listed === undefined ? [] : [plainList(listed)]),
    ...(action === undefined ? [] : [`${action.label}:\n${action.address}`]),
    ...remarks,
    `-- \n${footerOf(frame)}`,
    ...(list === undefined ? [] : [`${mails.unsubscribe}:\n${list.unsubscribe}`]),
  ].join('\n\n');
}

function plainList({ title, items }: NonNullable<MailText['listed']>): string {
  const lines = items.map(({ text, address }) => (address === undefined ? `- ${text}` : `- ${text}\n  ${address}`));
  return [title, ...lines].join('\n');
}

function footerOf({ words, server, handle: account, isForSubscriber }: MailFrame): string {
  if (isForSubscriber === true) return words.mails.subscribing.footer({ server, account });
  return words.mails.footer({ server, account });
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5";
const button =
  'display:inline-block;padding:10px 20px;border-radius:8px;background:#4a3fd1;color:#ffffff;text-decoration:none;font-weight:600';
const small = 'font-size:13px;color:#6b6b76';

function htmlItem({ text, address }: MailItem): Html {
  return html`<li dir="auto" style="margin:0 0 12px;white-space:pre-wrap">${address === undefined ? text : html`<a href="${address}">${text}</a>`}</li>`;
}

/** Texts of people are shown in the direction of their writing. */
export function htmlMail(
  { subject, paragraphs, quoted, listed, action, remarks = [] }: MailText,
  frame: MailFrame,
): string {
  const { words, name, list, isForSubscriber } = frame;
  const { language, mails } = words;
  const paragraph = (text: string): Html => html`<p dir="auto" style="margin:0 0 16px">${text}</p>`;
  const { markup } = html`<!doctype html>
<html lang="${language.code}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px;${font}">
<div style="max-width:560px;margin:0 auto">
<h1 dir="auto" style="margin:0 0 24px;font-size:22px;line-height:1.3">${subject}</h1>
${isForSubscriber !== true && paragraph(mails.greeting({ name }))}
${paragraphs.map(paragraph)}
${
  quoted !== undefined &&
  html`<blockquote dir="auto" style="margin:0 0 16px;padding:8px 16px;border-inline-start:4px solid #b9b3f5;white-space:pre-wrap">${quoted}</blockquote>`
}
${
  listed !== undefined &&
  html`${paragraph(listed.title)}
<ul style="margin:0 0 16px;padding-inline-start:24px">${listed.items.map(htmlItem)}</ul>`
}
${
  action !== undefined &&
  html`<p style="margin:24px 0"><a href="${action.address}" style="${button}">${action.label}</a></p>
<p style="margin:0 0 16px;word-break:break-all;${small}"><a href="${action.address}" dir="ltr" style="color:inherit">${action.address}</a></p>`
}
${remarks.map(paragraph)}
<p dir="auto" style="margin:32px 0 0;padding-top:16px;border-top:1px solid #d5d5dc;${small}">${footerOf(frame)}</p>
${
  list !== undefined &&
  html`<p style="margin:8px 0 0;${small}"><a href="${list.unsubscribe}" style="color:inherit">${mails.unsubscribe}</a></p>`
}
</div>
</body>
</html>
`;
  return markup;
}
