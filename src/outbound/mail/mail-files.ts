/** Mail as files, where there is no SMTP server: for the operator, and for development. The oldest make room. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mailLimits } from './limits.ts';
import type { BuiltMail, MailResult, MailTransport } from './ports.ts';

const folderMode = 0o700;
const fileMode = 0o600;
const ending = '.eml';
const incomplete = '.part';

export class MailFiles implements MailTransport {
  readonly name: string;
  private readonly folder: string;
  /** Mails are written one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.folder = folder;
    this.name = folder;
  }

  /** A mail that is written again has the same name: it is there once. */
  send(mail: BuiltMail): Promise<MailResult> {
    const result = this.last.then(() => this.write(mail));
    this.last = result;
    return result;
  }

  close(): void {
    // Nothing is open between two mails.
  }

  private async write({ name, content }: BuiltMail): Promise<MailResult> {
    const file = join(this.folder, `${name}${ending}`);
    try {
      await mkdir(this.folder, { recursive: true, mode: folderMode });
      await writeFile(`${file}${incomplete}`, content, { mode: fileMode });
      await rename(`${file}${incomplete}`, file);
      await this.makeRoom();
      return { kind: 'sent', response: file };
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return { kind: 'unanswered', stage: 'content', detail };
    }
  }

  /** Names begin with the time. */
  private async makeRoom(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => name.endsWith(ending)).sort();
    const surplus = names.slice(0, Math.max(0, names.length - mailLimits.filesMax));
    await Promise.all(surplus.map((name) => rm(join(this.folder, name), { force: true })));
  }
}
