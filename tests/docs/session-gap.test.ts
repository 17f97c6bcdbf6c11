/** Documents name the session gap many times. The code has it once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SESSION_GAP_MINUTES } from '../../lib/visits/session-gap.ts';
import { ROOT } from '../../tooling/deployment.ts';

const DOCUMENTS = ['counting', 'events', 'glossary', 'tracker-protocol'];
const GAP = /(?:after|less than|within|until) (\d+) minutes/gi;

test('each document names the session gap of the code', async () => {
  const texts = await Promise.all(
    DOCUMENTS.map((name) => readFile(join(ROOT, 'docs', `${name}.md`), 'utf8')),
  );
  for (const [index, text] of texts.entries()) {
    const named = text
      .split('\n')
      .filter((line) => /visit|session|event/i.test(line))
      .flatMap((line) => [...line.matchAll(GAP)].map(([, minutes]) => Number(minutes)));
    expect([DOCUMENTS[index], new Set(named)]).toEqual([DOCUMENTS[index], new Set([SESSION_GAP_MINUTES])]);
  }
});
