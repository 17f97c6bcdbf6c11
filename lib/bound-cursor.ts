/**
 * Cursors that continue only the request that they came from: a mark of the request, then a position. They hold no secret and grant no
 * access, so they aren't authenticated, as those of `cursor.ts` are.
 */
import { otherRequest, refuseCursor } from './errors.ts';
import { hashInput } from './input-hash.ts';

const MARK_CHARS = 12;
/** Characters that a cursor has beside its position. */
export const BOUND_CHARS = MARK_CHARS + 1;
const CURSOR = new RegExp(`^([0-9a-f]{${MARK_CHARS}})\\.(.+)$`);

/** `request`: all parameters but `cursor` and `limit`, which may change from page to page. */
const markOf = async (request: object): Promise<string> => (await hashInput(request)).slice(0, MARK_CHARS);

export const bindCursor = async (position: string, request: object): Promise<string> =>
  `${await markOf(request)}.${position}`;

/** Returns the position. Throws `VALIDATION_ERROR` for anything else than a cursor, and `CONFLICT` for a cursor of another request. */
export async function openCursor(cursor: string, request: object): Promise<string> {
  const [, mark, position = ''] = CURSOR.exec(cursor) ?? refuseCursor();
  if (mark !== (await markOf(request))) throw otherRequest();
  return position;
}
