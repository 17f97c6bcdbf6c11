/** The simplest definition of a visit: sort a visitor's events, and cut where 30 minutes pass without an event. */

import type { TrackMessage } from '../../lib/collection/track-message.ts';
import { type Dimension, fieldOf } from '../../lib/visits/dimensions.ts';
import { byName, OWN_DOMAIN } from './dimensions.ts';

type StoredEvent = TrackMessage['events'][number];
export type RawEvent = StoredEvent & Omit<TrackMessage, 'events' | 'version'>;

export interface OracleVisit {
  tier: number;
  visitorId: string | null;
  startedAt: number;
  endedAt: number;
  continued: boolean;
  /** The page on which consent was given, if the visit begins with that. */
  consentPage: string | null;
  counted: boolean;
  /** True for the first visit in which the visitor was seen. */
  newcomer: boolean;
  engagedMs: number | null;
  pages: { at: number; text: string }[];
  /** Of the page views that have some, as JSON. */
  pageProps: { at: number; data: string }[];
  /** `data`: the event's properties, its revenue, that it is no interaction, and that it is a repeat, as JSON, or null. */
  events: { at: number; text: string; data: string | null }[];
  /** Page loads that reported vitals, in order of time: `values` are tenths of milliseconds, and ten thousandths of `cls`. */
  loads: { at: number; path: string; values: (number | null)[] }[];
  /** The value of each dimension, or null. */
  values: Record<Dimension, string | null>;
}

/** How many bytes of properties a visit keeps, as JSON text with a blank after each colon and comma. */
const KEPT_PROPERTY_BYTES = 32_768;
/** Instead of properties beyond the visit's limit. */
const CUT = { cut: 'visit' };
const SESSION_GAP_MS = 30 * 60 * 1000;
const REPEAT_GAP_MS = 24 * 60 * 60 * 1000;

/** The events of all messages, each id once. */
export function distinctEvents(messages: readonly TrackMessage[]): RawEvent[] {
  const seen = new Map<string, RawEvent>();
  for (const { version: _, events, ...about } of messages)
    for (const event of events) if (!seen.has(event.id)) seen.set(event.id, { ...about, ...event });
  return [...seen.values()];
}

const byTimeThenId = (a: RawEvent, b: RawEvent) => a.at - b.at || (a.id < b.id ? -1 : 1);

export function visitsOf(
  events: readonly RawEvent[],
  keptPropertyBytes = KEPT_PROPERTY_BYTES,
): OracleVisit[] {
  const visits: OracleVisit[] = [];
  const visitors = new Map<string, RawEvent[]>();
  const repeats = repeatsOf(events);
  for (const event of events) {
    if (event.type === 'dropped') continue;
    if (event.tier === 1) {
      if (event.type === 'pageview' || event.type === 'event')
        visits.push(visitOf([event], undefined, repeats.has(event.id)));
      continue;
    }
    const key = `${event.tier} ${event.visitorId}`;
    visitors.set(key, [...(visitors.get(key) ?? []), event]);
  }
  for (const ofVisitor of visitors.values()) {
    const first = visits.length;
    let session: RawEvent[] = [];
    for (const event of ofVisitor.sort(byTimeThenId)) {
      const last = session.at(-1);
      if (last !== undefined && event.at - last.at >= SESSION_GAP_MS) {
        visits.push(visitOf(session, keptPropertyBytes));
        session = [];
      }
      session.push(event);
    }
    visits.push(visitOf(session, keptPropertyBytes));
    const newcomer = visits.slice(first).find(isSeen);
    if (newcomer !== undefined) newcomer.newcomer = true;
  }
  return visits;
}

/** Ids of the custom events at tier 1 whose page sent the same less than a day before. A `pageId` of these stands for page and name. */
function repeatsOf(events: readonly RawEvent[]): Set<string> {
  const repeats = new Set<string>();
  const latest = new Map<string, number>();
  for (const event of events.toSorted(byTimeThenId)) {
    if (event.type !== 'event' || event.tier !== 1 || event.pageId === undefined) continue;
    const before = latest.get(event.pageId);
    if (before !== undefined && event.at - before < REPEAT_GAP_MS) repeats.add(event.id);
    latest.set(event.pageId, event.at);
  }
  return repeats;
}

function visitOf(
  session: RawEvent[],
  keptPropertyBytes = Number.POSITIVE_INFINITY,
  isRepeat = false,
): OracleVisit {
  const [first] = session;
  const last = session.at(-1);
  if (first === undefined || last === undefined) throw new Error('a visit has events');
  const entry = session.find(({ type }) => type === 'pageview') ?? first;
  const isEntry = entry.type === 'pageview' && entry.entry;
  const pages = session.flatMap((e) => (e.type === 'pageview' ? [{ at: e.at, text: e.path }] : []));
  let propertyBytes = 0;
  const events = session.flatMap((e) => {
    if (e.type !== 'event') return [];
    propertyBytes += bytesOf(e.props);
    return [{ at: e.at, text: e.name, data: dataOf(e, propertyBytes > keptPropertyBytes, isRepeat) }];
  });
  let pagePropertyBytes = 0;
  const pageProps = session.flatMap((e) => {
    if (e.type !== 'pageview' || e.props === undefined) return [];
    pagePropertyBytes += bytesOf(e.props);
    return [{ at: e.at, data: canonical(pagePropertyBytes > keptPropertyBytes ? CUT : { props: e.props }) }];
  });
  const engagements = session.flatMap((e) => (e.type === 'engagement' ? [Math.round(e.seconds * 1000)] : []));
  const continued = session.some((e) => e.continued || e.type === 'consent');
  const consent = session.find((e) => e.type === 'consent' && e.at === first.at);
  return {
    tier: first.tier,
    visitorId: first.visitorId ?? null,
    startedAt: first.at,
    endedAt: last.at,
    continued,
    consentPage: consent?.type === 'consent' ? consent.path : null,
    counted: first.tier === 1 ? isEntry : !continued && session.some(showsSomebody),
    newcomer: false,
    engagedMs: engagements.length === 0 ? null : engagements.reduce((sum, ms) => sum + ms, 0),
    pages,
    pageProps,
    events,
    loads: session.flatMap(loadsIn),
    values: valuesOf(entry),
  };
}

/** The vitals that an event brought, as visits keep them. */
export function loadsIn(event: RawEvent): OracleVisit['loads'] {
  if (event.type !== 'vitals' || event.tier !== 3) return [];
  const { at, path, lcp, inp, cls, fcp, ttfb } = event;
  const units = [
    [lcp, 10],
    [inp, 10],
    [cls, 10_000],
    [fcp, 10],
    [ttfb, 10],
  ] as const;
  const values = units.map(([value, unit]) => (value === undefined ? null : Math.round(value * unit)));
  return values.every((value) => value === null) ? [] : [{ at, path, values }];
}

/** The values that the entry gives to the visit. Direct visits and the site's own domain aren't stored. */
function valuesOf(entry: RawEvent): OracleVisit['values'] {
  const fields: Record<string, unknown> = { ...entry };
  const isDefault = (name: string, value: unknown) =>
    (name === 'channel' && value === 'Direct') || (name === 'hostname' && value === OWN_DOMAIN);
  return byName((name) => {
    const value = fields[fieldOf(name)];
    return typeof value !== 'string' || isDefault(name, value) ? null : value;
  });
}

/** Whether the event shows that somebody was on the site. A custom event from a server doesn't. */
const showsSomebody = (event: RawEvent): boolean =>
  event.type === 'pageview' || (event.type === 'event' && event.entry !== false);

/** JSON with sorted keys, so that it can be compared. Properties beyond the visit's limit are replaced by a mark. */
function dataOf(
  { props, revenue, interactive }: Extract<RawEvent, { type: 'event' }>,
  isOver: boolean,
  isRepeat: boolean,
): string | null {
  if (props === undefined && revenue === undefined && interactive === undefined && !isRepeat) return null;
  return canonical({
    ...(props && (isOver ? CUT : { props })),
    ...(revenue && { revenue }),
    ...(interactive === false && { interactive }),
    ...(isRepeat && { repeated: true }),
  });
}

function bytesOf(props: Record<string, unknown> | undefined): number {
  if (props === undefined) return 0;
  const members = Object.entries(props).map((member) =>
    member.map((part) => JSON.stringify(part)).join(': '),
  );
  return Buffer.byteLength(`{${members.join(', ')}}`);
}

export const isCut = ({ data }: { data: string | null }): boolean => data?.includes('"cut":') === true;

export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export const hasHits = (visit: OracleVisit): boolean =>
  visit.pages.length + visit.events.length > 0 || visit.consentPage !== null;
/** Whether somebody was on the site. */
export const isSeen = (visit: OracleVisit): boolean =>
  visit.counted || visit.pages.length > 0 || (visit.continued && hasHits(visit));
const isInteraction = ({ data }: OracleVisit['events'][number]): boolean =>
  data === null || JSON.parse(data).interactive !== false;
export const isBounce = (visit: OracleVisit): boolean =>
  visit.pages.length <= 1 && !visit.events.some(isInteraction);
