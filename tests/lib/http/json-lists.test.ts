import { expect, test } from 'vitest';
import { jsonLists } from '../../../lib/http/json-lists.ts';

async function* listOf(...items: unknown[]) {
  yield* items;
}

async function* broken(fault: Error) {
  yield 1;
  throw fault;
}

const ignore = () => {};

test('lists become one JSON object', async () => {
  const body = jsonLists(
    { id: 'a"b' },
    { none: listOf(), one: listOf({ a: 'é' }), two: listOf(1, null) },
    ignore,
  );
  expect(await new Response(body).json()).toEqual({
    data: { id: 'a"b', none: [], one: [{ a: 'é' }], two: [1, null] },
  });
});

test('a list that throws breaks the body off, and is reported', async () => {
  const fault = new Error('lost');
  const reported: unknown[] = [];
  const body = jsonLists({ id: 1 }, { list: broken(fault) }, (message) => reported.push(message));
  await expect(new Response(body).text()).rejects.toThrow('lost');
  expect(reported).toEqual([fault]);
});

test('a reader who leaves ends the reading', async () => {
  let ended = false;
  async function* endless() {
    try {
      while (true) yield 1;
    } finally {
      ended = true;
    }
  }
  const reader = jsonLists({ id: 1 }, { list: endless() }, ignore).getReader();
  for (let n = 0; n < 5; n++) await reader.read();
  await reader.cancel();
  expect(ended).toBe(true);
});
