import fc from 'fast-check';
import { requestOf } from '../../security/example-request.ts';
import { hostileText } from '../../security/hostile-values.ts';
import type { Attacker, Attempt } from '../attempt.ts';
import { LISTS } from '../targets.ts';

const encode = (text: string) => Buffer.from(text).toString('base64url');
const madeUp = fc.oneof(
  hostileText.map((text) => text.toWellFormed()),
  fc.json().map(encode),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.constantFrom('', '.', 'e30', 'bnVsbA', 'A'.repeat(5000)),
);

/** A real cursor with one character changed, cut off, doubled, or unchanged at another route. */
const changed = (cursor: string) =>
  fc.tuple(fc.nat(cursor.length), fc.constantFrom('change', 'cut', 'double', 'keep')).map(([at, how]) => {
    if (how === 'cut') return cursor.slice(0, at);
    if (how === 'double') return cursor + cursor;
    return how === 'keep'
      ? cursor
      : `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`;
  });

/** Also requests every list with `limit=1`, so that the answer has a cursor. */
export const hostileCursors = ({ own, cursors }: Attacker): fc.Arbitrary<Attempt> => {
  const given = cursors.slice(-200);
  const cursor = given.length === 0 ? madeUp : fc.oneof(madeUp, fc.constantFrom(...given).chain(changed));
  return fc
    .tuple(fc.constantFrom(...LISTS), fc.option(cursor, { nil: undefined, freq: 4 }))
    .map(([target, text]) => {
      const example = target.route.examples.find(({ status }) => status < 300);
      const [documented, init] = requestOf(target.route, example ?? { summary: '', status: 400 }, own);
      const [path = '', query = ''] = documented.split('?');
      const parameters = new URLSearchParams(query);
      parameters.set('limit', '1');
      if (text !== undefined) parameters.set('cursor', text);
      return { ...target, path: `${path}?${parameters}`, init };
    });
};
