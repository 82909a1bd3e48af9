/** Shared by the pages of signing in and authorizing: reading a form, showing one, showing an error. */

import type { Failure } from '../../runtime/errors.ts';
import type { Services } from '../../services/services.ts';
import type { Answer } from '../http/answers.ts';
import type { RawContext } from '../http/context.ts';
import { statusOf } from '../http/failures.ts';
import { parseBody } from '../http/parameters/body.ts';
import { type ParameterTree, RepeatedValues, UploadedFile } from '../http/parameters/tree.ts';
import { parseUrlEncoded } from '../http/parameters/urlencoded.ts';
import type { IncomingRequest } from '../http/request.ts';
import { failureSentence } from '../pages/failure-sentence.ts';
import { type Html, type HtmlPart, html, pageAnswer } from '../pages/page.ts';
import { wordsFor } from '../pages/words-for.ts';

/** Texts by name. Values that are not text, or empty, are undefined; of repeated ones the last counts. */
export class Fields {
  private readonly tree: ParameterTree;

  constructor(tree: ParameterTree) {
    this.tree = tree;
  }

  get(name: string): string | undefined {
    const value = this.tree[name];
    const one: unknown = value instanceof RepeatedValues ? value.at(-1) : value;
    return typeof one === 'string' && one !== '' ? one : undefined;
  }

  /** All values of a repeated name. */
  all(name: string): string[] {
    return this.values(name).filter((one) => typeof one === 'string' && one !== '') as string[];
  }

  files(name: string): UploadedFile[] {
    return this.values(name).filter((one) => one instanceof UploadedFile);
  }

  private values(name: string): readonly unknown[] {
    const value = this.tree[name];
    return value instanceof RepeatedValues ? [...value] : [value];
  }
}

/** Throws Failure badRequest. */
export function queryFields(query: string): Fields {
  return new Fields(parseUrlEncoded(query));
}

/** The fields of a submitted form. Throws Failure mediaTypeUnsupported, badRequest or malformedJson. */
export function formFields({ request, body, form }: Pick<RawContext<Services>, 'request' | 'body' | 'form'>): Fields {
  return new Fields(form ?? parseBody(request.header('content-type') ?? '', body));
}

/** Only paths of this server, so that a link to it cannot send users elsewhere. */
export function localPath(given: string | undefined): string {
  return given !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(given) && !given.includes('\\') ? given : '/';
}

export function hidden(name: string, value: string | undefined): Html | undefined {
  return value === undefined ? undefined : html`<input type="hidden" name="${name}" value="${value}">`;
}

export function alert(sentence: string | undefined): Html | undefined {
  return sentence === undefined ? undefined : html`<p role="alert">${sentence}</p>`;
}

export interface FormField {
  readonly name: string;
  /** What is asked for. */
  readonly label: HtmlPart;
  /** Shown before it is filled in. */
  readonly hint?: HtmlPart;
  /** Its problem, as a sentence. */
  readonly problem?: string | undefined;
  /** The input, with the given attributes, which refer to its hint and problem. */
  control(described: Html): Html;
}

/** A label, its input, and below it the hint and the problem. */
export function formField({ name, label, hint, problem, control }: FormField): Html {
  const ids = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(Boolean);
  const described = html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${problem !== undefined && html` aria-invalid="true"`}`;
  return html`<div class="field"><label>${label}
${control(described)}</label>
${hint !== undefined && html`<p class="fine" id="${name}-hint">${hint}</p>`}
${problem !== undefined && html`<p class="wrong" id="${name}-problem">${problem}</p>`}</div>`;
}

/** The page of a request that failed. */
export function failedPage(failure: Failure, request: IncomingRequest, services: Services): Answer {
  const words = wordsFor(services, request, undefined);
  return pageAnswer(
    {
      words,
      title: words.site.problem.other,
      body: html`<p>${failureSentence(words, failure)}</p>
<p><a href="/">${words.site.problem.goHome}</a></p>`,
    },
    { status: statusOf(failure) },
  );
}
