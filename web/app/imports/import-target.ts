import type { ImportTarget } from '../../../lib/imports/send-import.ts';
import { ApiError } from '../api/operation.ts';
import {
  addImportPiece,
  beginImport,
  finishImport,
  getImport,
  listImports,
  undoImport,
} from '../api/operations.generated.ts';
import { isPassing } from '../api/queries.ts';

const ATTEMPTS = 8;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_S = 120;

/** A site's imports with the session. What was limited, lost or out of reach is sent again: pieces count once. */
export function importTarget(siteId: string, signal: AbortSignal): ImportTarget {
  const retried = async <Output>(act: () => Promise<Output>): Promise<Output> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof ApiError) || !isPassing(error) || attempt === ATTEMPTS) throw error;
        await wait(
          error.retryAfter === undefined
            ? FIRST_WAIT_MS * 2 ** (attempt - 1)
            : Math.min(error.retryAfter, MAX_WAIT_S) * 1000,
          signal,
        );
      }
    }
  };
  return {
    list: () => retried(async () => (await listImports({ siteId }, signal)).data),
    get: (importId) => retried(async () => (await getImport({ siteId, importId }, signal)).data),
    begin: (begin) => retried(async () => (await beginImport({ siteId, ...begin }, signal)).data),
    add: (importId, { number, days, dimension, values }) => {
      const rows = { ...(days && { days }), ...(dimension && { dimension }), ...(values && { values }) };
      return retried(() => addImportPiece({ siteId, importId, number, ...rows }, signal));
    },
    finish: (importId, pieces) =>
      retried(async () => (await finishImport({ siteId, importId, pieces }, signal)).data),
    undo: (importId) => retried(() => undoImport({ siteId, importId }, signal)),
  };
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
