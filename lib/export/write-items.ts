import type { Format } from './format.ts';

export interface Part {
  data: readonly object[];
  /** Whether more items follow. */
  more: boolean;
}

/** Reads `limit` items from `offset`. */
export type ReadPart = (part: { limit: number; offset: number }) => Promise<Part>;

/**
 * Maximum items in memory: at most 5 MiB with the longest paths. Each part runs the report again, so parts are as large as an isolate can
 * easily hold.
 */
export const PART_ITEMS = 5000;

/**
 * Streams the text of all items, one part at a time. The next part is read when the consumer has taken the one before. `first` is read by
 * the caller, so that errors in the request are thrown before the answer begins.
 */
export async function* writeItems(format: Format, first: Part, read: ReadPart): AsyncGenerator<string> {
  let text = format.opening;
  let separator = '';
  let part = first;
  for (let offset = PART_ITEMS; ; offset += PART_ITEMS) {
    for (const item of part.data) {
      text += separator + format.item(item);
      separator = format.separator;
    }
    if (!part.more) break;
    yield text;
    text = '';
    part = await read({ limit: PART_ITEMS, offset });
  }
  yield text + format.closing;
}
