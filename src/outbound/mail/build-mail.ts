/** A mail as it is sent (RFC 5322): headers, plain text and HTML. */
import { htmlMail, type MailFrame, type MailText, plainMail } from './mail-text.ts';
import type { BuiltMail } from './ports.ts';

export interface MailHeaders {
  readonly name: string;
  /** The same at each attempt: a mail server that gets it twice may tell. */
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: string;
  readonly to: string;
}

/** Loaded with the first mail. */
const library = () => import('nodemailer/lib/mail-composer');

/**
 * Texts and addresses cannot add headers: the composer encodes or folds whatever they contain. Rejects for nothing that
 * `MailText` can be.
 */
export async function buildMail(
  { name, messageId, at, from, to }: MailHeaders,
  text: MailText,
  frame: MailFrame,
): Promise<BuiltMail> {
  const { default: MailComposer } = await library();
  const { list, server } = frame;
  const host = server.replace(/:\d+$/, '');
  const conversation = text.threadId === undefined ? undefined : `<thread-${text.threadId}@${host}>`;
  const composer = new MailComposer({
    from: { name: frame.server, address: from },
    to: { name: '', address: to },
    subject: text.subject,
    messageId,
    date: new Date(at),
    text: plainMail(text, frame),
    html: htmlMail(text, frame),
    // What is in no mail: programs show together what refers to the same (RFC 5322 section 3.6.4).
    inReplyTo: conversation,
    references: conversation,
    headers: {
      // Programs that answer mail leave it alone (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Content-Language': frame.words.language.code,
      ...(list !== undefined && {
        // A name for filters (RFC 2919).
        'List-ID': `<${list.topic}.${frame.name}.${host}>`,
        // One click, without a page (RFC 8058).
        'List-Unsubscribe': `<${list.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  return { name, from, to, content: await composer.compile().build() };
}
