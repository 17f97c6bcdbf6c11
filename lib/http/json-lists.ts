import { streamText } from './stream-text.ts';

/** Long lists of an object, by name. Their items arrive one after the other. */
export type Lists = Readonly<Record<string, AsyncIterable<unknown>>>;

/**
 * Streams `{"data": {...head, ...lists}}` as a body. A list that throws ends the body early, so that the incomplete text isn't valid JSON;
 * `report` gets the cause.
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
