/** The answers of a release's own code, and those of this checkout about the same data. */
import { expect } from 'vitest';
import { askAgain } from './answers.ts';
import { readBefore } from './releases.ts';
import type { Service } from './service.ts';

/** Of a range that isn't over, as periods are, later releases compare as much time of the range before. */
const CHANGES = /Change$/;
const COMPARED = ['previous', 'comparison'];
const isCompared = (path: string): boolean => /period=.*compare=/.test(path);
/** 0 without a consented visit in earlier releases, null in later ones. */
const OF_CONSENTED = ['bounceRate', 'avgDuration'];
/** Of backends, later releases know since when from what is kept, and their ranges end with the present. */
const OF_BACKENDS = ['since', 'to'];
const isOfBackend = (path: string): boolean => path.startsWith('/api/v1/telemetry/');

/** What releases may say in other ways. Cursors differ between versions, so only their presence is compared. */
const comparable = (answer: unknown, path: string): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) => {
    if (CHANGES.test(key) || (isCompared(path) && COMPARED.includes(key))) return undefined;
    if (isOfBackend(path) && OF_BACKENDS.includes(key)) return undefined;
    if (OF_CONSENTED.includes(key)) return value ?? 0;
    return key === 'nextCursor' && value !== null ? 'a cursor' : value;
  });

/** A file, with the columns that it had before: later releases may add some at the end. Values have no commas. */
function withColumnsOf(before: unknown, file: unknown): unknown {
  if (typeof before !== 'string' || typeof file !== 'string') return file;
  const count = before.split('\r\n', 1)[0]?.split(',').length;
  return file
    .split('\r\n')
    .map((line) => line.split(',').slice(0, count).join(','))
    .join('\r\n');
}

interface Answer {
  data: unknown;
  meta: { approximate?: unknown };
}
const withoutFigures = ({ meta: { approximate: _, ...meta } }: Answer): unknown => ({ meta });

/**
 * Answers of a release that were wrong, and that later releases correct. 0.1.0: `filter_page=!` kept visits that saw the page and another
 * one, and counted some of their page views alone; a server's event outside of any visit had the source `Direct`.
 */
const CORRECTED: Readonly<Record<string, RegExp>> = {
  '0.1.0': /analytics\/((?!engagement|vitals).*filter_page=!|(goals\/report|events).*filter_source=)/,
};

/** Asks everything that the release's own code was asked, at the same time, and expects the same answers. */
export async function expectSameAnswers(service: Service, version: string): Promise<void> {
  const corrected = CORRECTED[version];
  const before = await readBefore(version);
  service.at(before.now);
  const after = await askAgain(service, before.filled, Object.keys(before.answers));
  for (const [path, answer] of Object.entries(before.answers)) {
    const expected = corrected?.test(path) ? withoutFigures(answer as Answer) : answer;
    expect
      .soft(comparable(withColumnsOf(answer, after[path]), path), path)
      .toMatchObject(comparable(expected, path) as object);
  }
}
