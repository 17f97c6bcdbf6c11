import type { AuditedContext } from '../../../lib/audit.ts';
import {
  addImportPiece,
  beginImport,
  finishImport,
  getImport,
  listImports,
  undoImport,
} from '../../../lib/imports/imports.ts';
import type { ImportTarget } from '../../../lib/imports/send-import.ts';

/** The verbs that the routes call. */
export const targetOf = (ctx: AuditedContext, siteId: string): ImportTarget => ({
  list: () => listImports(ctx, { siteId }),
  get: (importId) => getImport(ctx, { siteId, importId }),
  begin: (begin) => beginImport(ctx, { siteId, ...begin }),
  add: (importId, piece) => addImportPiece(ctx, { siteId, importId, ...piece }),
  finish: (importId, pieces) => finishImport(ctx, { siteId, importId, pieces }),
  undo: (importId) => undoImport(ctx, { siteId, importId }),
});
