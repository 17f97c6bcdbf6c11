import { expect, test } from 'vitest';
import * as auth from '../../lib/accounts/auth/schemas.ts';
import * as accounts from '../../lib/accounts/schemas.ts';
import * as behaviour from '../../lib/analytics/answers/behaviour-schemas.ts';
import * as goals from '../../lib/analytics/answers/goal-schemas.ts';
import * as measures from '../../lib/analytics/answers/measure-schemas.ts';
import * as answers from '../../lib/analytics/answers/schemas.ts';
import * as inputs from '../../lib/analytics/reading/report-inputs.ts';
import * as server from '../../lib/collection/server-request.ts';
import * as track from '../../lib/collection/track-request.ts';
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

test.each(
  Object.entries({
    auth,
    accounts,
    answers,
    behaviour,
    goals,
    inputs,
    measures,
    projects,
    server,
    shares,
    track,
  }),
)('what the schemas of %s say to people is there', (_, schemas) => {
  const texts = textsOf(Object.values(schemas));
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => !/\w\w/.test(String(text)))).toEqual([]);
});
