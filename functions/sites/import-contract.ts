import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  AddImportPiece,
  BeginImport,
  FinishImport,
  Import,
  ImportDetail,
  ImportRoom,
  OneImport,
} from '../../lib/imports/schemas.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { IMPORTS, MANAGEMENT } from './limits.ts';

const shared = { tag: 'Imports', auth: 'member', limit: MANAGEMENT } as const;
const path = '/api/v1/sites/:siteId/imports';
const ImportAnswer = v.object({ data: Import });

/** Routes that import days which another tool counted, for the OpenAPI document. */
export const importRoutes = {
  listImports: {
    ...shared,
    method: 'GET',
    path,
    input: OneSite,
    summary: 'A site’s imports, newest first, and which days are free',
    responses: { 200: { description: 'The imports.', schema: v.object({ data: ImportRoom }) } },
    errors: ['NOT_FOUND'],
  },
  getImport: {
    ...shared,
    method: 'GET',
    path: `${path}/:importId`,
    input: OneImport,
    summary: 'An import with its days',
    responses: { 200: { description: 'The import.', schema: v.object({ data: ImportDetail }) } },
    errors: ['NOT_FOUND'],
  },
  beginImport: {
    ...shared,
    audit: 'import.begin',
    method: 'POST',
    path,
    input: BeginImport,
    summary: 'Begin an import, or continue it',
    description:
      'Days that another tool counted come in pieces, and reports see them when the import is finished. If an import with the same ' +
      'content is under way, it is answered: `pieces` says how far it came. Another one under way is thrown away. `npm run import` ' +
      'reads exports of other tools and sends them. A site has at most 100 imports.',
    responses: { 200: { description: 'The import.', schema: ImportAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  addImportPiece: {
    ...shared,
    limit: IMPORTS,
    audit: 'import.add',
    method: 'POST',
    path: `${path}/:importId/pieces`,
    input: AddImportPiece,
    summary: 'Send a piece of an import',
    description:
      'Pieces have numbers from 1 and come in order: totals of days first, then the values of those days. A piece that came before ' +
      'changes nothing. At most 2000 rows a piece, and a million an import.',
    responses: { 204: { description: 'The piece is stored.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  finishImport: {
    ...shared,
    audit: 'import.add',
    method: 'POST',
    path: `${path}/:importId/finish`,
    input: FinishImport,
    summary: 'Finish an import',
    description: 'Reports see it from then on. `pieces` is how many it has. Doing it again changes nothing.',
    responses: { 200: { description: 'The import.', schema: ImportAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  undoImport: {
    ...shared,
    audit: 'import.undo',
    method: 'DELETE',
    path: `${path}/:importId`,
    input: OneImport,
    summary: 'Undo an import',
    description: 'Subtracts exactly what it added. Also ends one that isn’t finished.',
    responses: { 204: { description: 'Undone.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const importComponents = { Import, ImportDetail, ImportRoom };
