import { streamText } from './stream-text.ts';

/** An object's parts that are long: lists, by name, whose items become known one after the other. */
export type Lists = Readonly<Record<string, AsyncIterable<unknown>>>;

/**
 * `{"data": {...head, ...lists}}` as a body that is written while it is read. A list that throws breaks it off, so that what
 * came is no JSON and can't be taken for the whole; `report` is told why.
 */
export function jsonLists(
  head: object,
  lists: Lists,
  report: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  return streamText(partsOf(head, lists), report);
}

async function* partsOf(head: object, lists: Lists): AsyncGenerator<string, void, undefined> {
  yield `{"data":${JSON.stringify(head).slice(0, -1)}`;
  for (const [name, list] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for await (const item of list) {
      yield separator + JSON.stringify(item);
      separator = ',';
    }
    yield ']';
  }
  yield '}}';
}
