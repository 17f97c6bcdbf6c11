/** Messages that could not be stored, for an operator: what there is, storing it after all, and giving it up. */
import * as v from 'valibot';
import type { Ports } from '../context.ts';
import { flatten } from './fold-batch.ts';
import { blamesData, MAX_AGE_MS, MAX_AHEAD_MS, whereMalformed } from './ingest-messages.ts';
import { TrackMessage } from './track-message.ts';

const BATCH_SIZE = 100;
const DAY_MS = 86_400_000;

/** Which ones: all of these conditions hold; none is all letters. */
export interface DeadLetterChoice {
  ids?: readonly number[] | undefined;
  siteId?: string | undefined;
}

export interface DeadLetterGroup {
  siteId: string | null;
  reason: string;
  letters: number;
  oldest: Date;
  newest: Date;
}

export interface DeadLetterLine {
  id: number;
  siteId: string | null;
  reason: string;
  failedAt: Date;
}

/** How many there are by site and reason, at most 100 groups, and the `limit` newest. Reads them all. */
export async function listDeadLetters(
  { sql }: Pick<Ports, 'sql'>,
  { limit }: { limit: number },
): Promise<{ groups: DeadLetterGroup[]; newest: DeadLetterLine[] }> {
  const [groups, newest] = await sql.transaction([
    sql`
      select site_id as "siteId", reason, count(*)::integer as letters, min(failed_at) as oldest, max(failed_at) as newest
      from dead_letters group by 1, 2 order by 3 desc, 1, 2 limit 100`,
    sql`
      select id::integer, site_id as "siteId", reason, failed_at as "failedAt"
      from dead_letters order by id desc limit ${limit}`,
  ]);
  return { groups: groups as DeadLetterGroup[], newest: newest as DeadLetterLine[] };
}

export interface ReplayInput extends DeadLetterChoice {
  /** Also those that came over 48 hours late: nobody knows whether they were stored before, so they may count twice. */
  late?: boolean | undefined;
  /** The last id of the batch before. */
  after?: number | undefined;
}

export interface Replayed {
  /** Letters that are stored now, and gone. */
  letters: number;
  /** Events that are stored now, and those that had been stored already. */
  stored: number;
  repeated: number;
  /** Letters with engagement or vitals of days that are summed up: reports by page leave these out (docs/upgrades.md#dead-letters). */
  unmeasured: number;
  /** Letters that stay, and why. */
  kept: { id: number; reason: string }[];
  /** Where the next batch begins; null: there is none. */
  next: number | null;
}

/**
 * Stores the next 100 letters, oldest first. A letter goes in the statement that stores its events, so that it counts once, whoever
 * else replays and wherever a replay ends.
 *
 * @throws what asks for another try: the database is out of reach
 */
export async function replayDeadLetters(ctx: Ports, input: ReplayInput): Promise<Replayed> {
  const found = (await ctx.sql`
    select id::integer, failed_at as "failedAt", message from dead_letters
    where id > ${input.after ?? 0} and (${input.siteId ?? null}::uuid is null or site_id = ${input.siteId ?? null}::uuid)
      and (${input.ids ?? null}::bigint[] is null or id = any(${input.ids ?? null}::bigint[]))
    order by id limit ${BATCH_SIZE}`) as { id: number; failedAt: Date; message: string }[];
  const replayed: Replayed = {
    ...{ letters: 0, stored: 0, repeated: 0, unmeasured: 0, kept: [] },
    next: found.length < BATCH_SIZE ? null : (found.at(-1)?.id ?? null),
  };
  const byDay = new Map<number, Letter[]>();
  for (const { id, failedAt, message } of found) {
    const letter = read(id, message);
    const fault =
      'fault' in letter ? letter.fault : untimely(letter, failedAt, ctx.now(), input.late ?? false);
    if (fault !== undefined) replayed.kept.push({ id, reason: fault });
    else if ('message' in letter) byDay.set(letter.day, [...(byDay.get(letter.day) ?? []), letter]);
  }
  for (const letters of byDay.values()) await storeOrHalve(ctx, letters, replayed);
  return replayed;
}

/** Gives letters up. Answers how many there were. */
export async function dismissDeadLetters(
  { sql }: Pick<Ports, 'sql'>,
  { ids, siteId }: DeadLetterChoice,
): Promise<number> {
  const rows = await sql`
    delete from dead_letters
    where (${siteId ?? null}::uuid is null or site_id = ${siteId ?? null}::uuid)
      and (${ids ?? null}::bigint[] is null or id = any(${ids ?? null}::bigint[]))
    returning id`;
  return rows.length;
}

interface Letter {
  id: number;
  message: TrackMessage;
  /** When its events happened: the first, the last, and the beginning of the first one's UTC day. */
  from: number;
  to: number;
  day: number;
}

function read(id: number, text: string): Letter | { fault: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { fault: 'malformed: message' };
  }
  const parsed = v.safeParse(TrackMessage, body);
  if (!parsed.success) return { fault: `malformed: ${whereMalformed(parsed.issues)}` };
  const times = parsed.output.events.map(({ at }) => at);
  const from = Math.min(...times);
  return { id, message: parsed.output, from, to: Math.max(...times), day: from - (from % DAY_MS) };
}

/** Whoever buried a letter in time saw that its events weren't stored. */
function untimely({ from, to }: Letter, failedAt: Date, now: number, late: boolean): string | undefined {
  if (to > now + MAX_AHEAD_MS) return 'ahead of time';
  if (!late && from < failedAt.getTime() - MAX_AGE_MS)
    return 'came over 48 hours late: may be stored already';
  return undefined;
}

/** All of a day at once; where the database refuses the data, each half by itself. */
async function storeOrHalve(ctx: Ports, letters: readonly Letter[], replayed: Replayed): Promise<void> {
  try {
    const { taken, stored, repeated, measured_from: measuredFrom } = await store(ctx, letters);
    replayed.letters += taken.length;
    replayed.stored += stored;
    replayed.repeated += repeated;
    replayed.unmeasured += letters.filter(
      ({ id, message }) => taken.includes(id) && hasMeasuresBefore(message, measuredFrom.getTime()),
    ).length;
  } catch (error) {
    if (!blamesData(error)) throw error;
    const [first] = letters;
    if (letters.length === 1 && first !== undefined) {
      replayed.kept.push({ id: first.id, reason: `refused by the database: ${error.code}` });
      return;
    }
    const middle = Math.ceil(letters.length / 2);
    await storeOrHalve(ctx, letters.slice(0, middle), replayed);
    await storeOrHalve(ctx, letters.slice(middle), replayed);
  }
}

const hasMeasuresBefore = ({ tier, events }: TrackMessage, instant: number): boolean =>
  tier === 3 && events.some(({ type, at }) => (type === 'engagement' || type === 'vitals') && at < instant);

/** Events are looked for among those of the 4 days before the fold's instant. */
async function store(
  { sql, now }: Ports,
  letters: readonly Letter[],
): Promise<{ taken: number[]; stored: number; repeated: number; measured_from: Date }> {
  const instant = new Date(Math.min(now(), (letters[0]?.day ?? 0) + 3 * DAY_MS)).toISOString();
  const events = letters.flatMap(({ id, message }) =>
    flatten(message).map((event) => ({ letter: id, event })),
  );
  const rows = await sql`
    with taken as (
      delete from dead_letters where id = any(${letters.map(({ id }) => id)}::bigint[]) returning id
    )
    select stored, repeated, array(select id::integer from taken) as taken, greatest(raw_events_from() + interval '7 hours', 'epoch') as measured_from
    from ingest_events(coalesce((
      select jsonb_agg(item -> 'event') from jsonb_array_elements(${JSON.stringify(events)}::jsonb) as item
      where (item ->> 'letter')::bigint in (select id from taken)), '[]'), ${instant}::timestamptz)`;
  return rows[0] as { taken: number[]; stored: number; repeated: number; measured_from: Date };
}
