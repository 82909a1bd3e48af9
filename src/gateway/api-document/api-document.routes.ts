/** GET /api/openapi.json and its page, /api/docs. Both are built once, at the first request. */

import type { Services } from '../../services/services.ts';
import { software } from '../../services/software.ts';
import { bytes, jsonContentType } from '../http/answers.ts';
import { failedPage, pageHandler } from '../pages/page-handler.ts';
import { type RawRoute, rawRoute } from '../route.ts';
import { type ApiDocument, apiDocument, type DocumentedEndpoint } from './api-document.ts';
import { guideRoutes } from './guides.routes.ts';
import { referencePage } from './reference-page.ts';

export function apiDocumentRoutes(endpoints: readonly DocumentedEndpoint[]): RawRoute<Services>[] {
  let made: ApiDocument | undefined;
  const documentOf = ({ addresses, languages }: Services): ApiDocument => {
    made ??= apiDocument({
      endpoints,
      title: 'Murmuration API',
      version: software.version,
      origin: addresses.origin,
      words: languages.source,
    });
    return made;
  };
  let encoded: Buffer | undefined;
  return [
    ...guideRoutes,
    rawRoute({
      method: 'GET',
      path: '/api/openapi.json',
      rateLimit: 'api',
      handler({ services }) {
        encoded ??= Buffer.from(JSON.stringify(documentOf(services)));
        return bytes(encoded, { contentType: jsonContentType, isKept: true });
      },
    }),
    rawRoute({
      method: 'GET',
      path: '/api/docs',
      failed: failedPage,
      handler: pageHandler((visit) => referencePage(visit, documentOf(visit.services))),
    }),
  ];
}
