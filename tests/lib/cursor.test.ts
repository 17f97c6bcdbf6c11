import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CursorScope, createCursors, MAX_CURSOR_LENGTH } from '../../lib/cursor.ts';

const cursors = createCursors('s'.repeat(32));
const scope: CursorScope = { request: ['search', 'web', null, 'en', 10], revision: 'a' };
const invalid = expect.objectContaining({ code: 'VALIDATION_ERROR' });
const changed = expect.objectContaining({ code: 'CONFLICT' });

const scopes = fc.record({
  request: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 6 }),
  revision: fc.string(),
});
const positions = fc.integer({ min: 0, max: 2 ** 32 - 1 });

test('a cursor leads back to its position, and is short', async () => {
  await fc.assert(
    fc.asyncProperty(scopes, positions, async (own, position) => {
      const cursor = await cursors.issue(own, position);
      expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
      expect(await (await cursors.open(cursor)).positionIn(own)).toBe(position);
    }),
  );
});

test('another request or another revision is a conflict', async () => {
  await fc.assert(
    fc.asyncProperty(scopes, scopes, positions, async (own, other, position) => {
      fc.pre(JSON.stringify([own.request, own.revision]) !== JSON.stringify([other.request, other.revision]));
      const open = await cursors.open(await cursors.issue(own, position));
      await expect(open.positionIn(other)).rejects.toEqual(changed);
    }),
  );
});

test('a cursor changed anywhere is refused', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const cursor = await cursors.issue(scope, 40);
  for (let at = 0; at < cursor.length; at += 1) {
    for (const letter of alphabet) {
      if (letter === cursor[at]) continue;
      const tampered = cursor.slice(0, at) + letter + cursor.slice(at + 1);
      await expect(cursors.open(tampered)).rejects.toEqual(invalid);
    }
  }
});

describe('what nobody issued is refused', () => {
  test.each([
    ['nothing', ''],
    ['a word', 'next'],
    ['padding', 'AAAA===='],
    ['other alphabets', '+/+/'],
    ['not base64', 'A'],
    ['Unicode', '\u{1f600}'.repeat(25)],
    ['as many letters', 'A'.repeat(50)],
    ['the longest', 'A'.repeat(MAX_CURSOR_LENGTH)],
  ])('%s', async (_, cursor) => {
    await expect(cursors.open(cursor)).rejects.toEqual(invalid);
  });

  test('random text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: MAX_CURSOR_LENGTH, unit: 'binary' }), async (text) => {
        await expect(cursors.open(text)).rejects.toEqual(invalid);
      }),
    );
  });

  test('a cursor under another secret', async () => {
    const cursor = await createCursors('t'.repeat(32)).issue(scope, 10);
    await expect(cursors.open(cursor)).rejects.toEqual(invalid);
  });

  test('a part of one, or two of them', async () => {
    const cursor = await cursors.issue(scope, 10);
    for (const text of [cursor.slice(0, -1), cursor.slice(1), cursor + cursor, `${cursor}A`]) {
      await expect(cursors.open(text)).rejects.toEqual(invalid);
    }
  });
});
