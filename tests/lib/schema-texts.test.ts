import { expect, test } from 'vitest';
import * as auth from '../../lib/accounts/auth/schemas.ts';
import * as accounts from '../../lib/accounts/schemas.ts';
import * as projects from '../../lib/projects/schemas.ts';
import * as shares from '../../lib/shares/schemas.ts';

/** All descriptions and messages of a schema and of everything in it. */
function textsOf(part: unknown, seen = new Set<unknown>()): unknown[] {
  if (typeof part !== 'object' || part === null || seen.has(part)) return [];
  seen.add(part);
  return Object.entries(part).flatMap(([field, value]) =>
    typeof value === 'string' && (field === 'description' || field === 'message')
      ? [value]
      : textsOf(value, seen),
  );
}

test.each(Object.entries({ auth, accounts, projects, shares }))(
  'what the schemas of %s say to people is there',
  (_, schemas) => {
    const texts = textsOf(Object.values(schemas));
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => !/\w\w/.test(String(text)))).toEqual([]);
  },
);
