import type { Format } from './format.ts';

export interface Part {
  data: readonly object[];
  /** Whether there are items after these. */
  more: boolean;
}

/** Reads so many items from an offset. */
export type ReadPart = (part: { limit: number; offset: number }) => Promise<Part>;

/**
 * How many items are in memory at once: at most 5 MiB of the longest paths. Each part costs the report anew, so they are
 * as large as an isolate bears with ease.
 */
export const PART_ITEMS = 5000;

/**
 * The text of all items, a part at a time: the next one is read when this one was taken. `first` has been read already,
 * so that what is wrong with the request is known before the answer begins.
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
