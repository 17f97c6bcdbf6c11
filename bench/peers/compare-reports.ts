import type { Stack } from '../../dev/stack.ts';
import { addMember } from '../../tests/security/tenant.ts';
import { median } from '../median.ts';
import { printTable, times, whole } from '../print-table.ts';
import { type PeerQuestion, peerQuestions } from './peer-questions.ts';
import type { Umami } from './start-umami.ts';

const ROUNDS = 7;
/** Limits count by person. */
const PEOPLE = 10;

interface Asked {
  stack: Stack;
  umami: Umami;
  siteId: string;
  days: number;
  /** The start of the last day, epoch milliseconds. */
  today: number;
}

/** Asks both by turns. Returns the page views of the month. Throws if both don't have as many. */
export async function compareReports({ stack, umami, siteId, days, today }: Asked): Promise<number> {
  const ask = await asker(stack, siteId);
  const questions = peerQuestions(siteId, { today, days });
  const pageviews = await samePageviews(ask, umami, questions);
  const rows = [];
  for (const { name, ours, umami: theirs } of questions) {
    const took: Record<'ours' | 'umami', number[]> = { ours: [], umami: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const [own, other] = [await timeOf(() => ask(ours)), await timeOf(() => umami.get(theirs))];
      // The first round is a warm-up.
      if (round > 0) {
        took.ours.push(own);
        took.umami.push(other);
      }
    }
    const [own, other] = [median(took.ours), median(took.umami)];
    console.error(`  ${name}: ${own.toFixed(1)} and ${other.toFixed(1)} ms`);
    rows.push({
      what: name,
      figure: `${own.toFixed(1)} ms`,
      baseline: `Umami ${whole(other)} ms`,
      ratio: times(other / own, other / own < 10 ? 1 : 0),
    });
  }
  printTable(
    `Answers over HTTP, ${days} days of ${whole(pageviews)} page views; medians of ${ROUNDS} by turns`,
    rows,
  );
  return pageviews;
}

type Ask = (path: string) => Promise<unknown>;

async function asker({ sql, fetch }: Stack, siteId: string): Promise<Ask> {
  const [site] = await sql`select project_id as "projectId" from sites where id = ${siteId}`;
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, () => addMember(sql, site?.projectId, 'viewer')),
  );
  let asked = 0;
  return async (path) => {
    const token = people[asked++ % PEOPLE]?.token;
    const response = await fetch(path, { headers: { Authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
}

async function timeOf(ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const answer = await ask();
  const took = performance.now() - begun;
  const rows = (answer as { data?: unknown }).data ?? answer;
  if (Array.isArray(rows) && rows.length === 0) throw new Error('an answer shows nothing');
  return took;
}

async function samePageviews(ask: Ask, umami: Umami, [overview]: PeerQuestion[]): Promise<number> {
  const ours = (await ask(overview?.ours ?? '')) as { data: { pageviews: number } };
  const theirs = (await umami.get(overview?.umami ?? '')) as { pageviews: number };
  const [own, other] = [ours.data.pageviews, Number(theirs.pageviews)];
  if (own !== other) throw new Error(`not the same month: ${own} page views and ${other}`);
  return own;
}
