/** What a visit is, said as plainly as possible: sort a visitor's events, cut where 30 minutes pass without one. */
import { type Dimension, fieldOf } from '../../lib/analytics/dimensions.ts';
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import { byName, OWN_DOMAIN } from './dimensions.ts';

type StoredEvent = TrackMessage['events'][number];
export type RawEvent = StoredEvent & Omit<TrackMessage, 'events' | 'version'>;

export interface OracleVisit {
  tier: number;
  visitorId: string | null;
  startedAt: number;
  endedAt: number;
  continued: boolean;
  counted: boolean;
  /** The first on which the visitor was seen. */
  newcomer: boolean;
  engagedMs: number | null;
  pages: { at: number; text: string }[];
  /** `data` is what the event brought, as JSON; null for nothing. */
  events: { at: number; text: string; data: string | null }[];
  /** By dimension, what is known of the visit; null for nothing. */
  values: Record<Dimension, string | null>;
}

const SESSION_GAP_MS = 30 * 60 * 1000;

/** The events of all messages, each id once. */
export function distinctEvents(messages: readonly TrackMessage[]): RawEvent[] {
  const seen = new Map<string, RawEvent>();
  for (const { version: _, events, ...about } of messages)
    for (const event of events) if (!seen.has(event.id)) seen.set(event.id, { ...about, ...event });
  return [...seen.values()];
}

const byTimeThenId = (a: RawEvent, b: RawEvent) => a.at - b.at || (a.id < b.id ? -1 : 1);

export function visitsOf(events: readonly RawEvent[]): OracleVisit[] {
  const visits: OracleVisit[] = [];
  const visitors = new Map<string, RawEvent[]>();
  for (const event of events) {
    if (event.type === 'dropped') continue;
    if (event.tier === 1) {
      if (event.type === 'pageview' || event.type === 'event') visits.push(visitOf([event]));
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
        visits.push(visitOf(session));
        session = [];
      }
      session.push(event);
    }
    visits.push(visitOf(session));
    const newcomer = visits.slice(first).find(isSeen);
    if (newcomer !== undefined) newcomer.newcomer = true;
  }
  return visits;
}

function visitOf(session: RawEvent[]): OracleVisit {
  const [first] = session;
  const last = session.at(-1);
  if (first === undefined || last === undefined) throw new Error('a visit has events');
  const entry = session.find(({ type }) => type === 'pageview') ?? first;
  const isEntry = entry.type === 'pageview' && entry.entry;
  const pages = session.flatMap((e) => (e.type === 'pageview' ? [{ at: e.at, text: e.path }] : []));
  const events = session.flatMap((e) =>
    e.type === 'event' ? [{ at: e.at, text: e.name, data: dataOf(e.props, e.revenue) }] : [],
  );
  const engagements = session.flatMap((e) => (e.type === 'engagement' ? [Math.round(e.seconds * 1000)] : []));
  const continued = session.some((e) => e.continued);
  return {
    tier: first.tier,
    visitorId: first.visitorId ?? null,
    startedAt: first.at,
    endedAt: last.at,
    continued,
    counted: first.tier === 1 ? isEntry : !continued && session.some(showsSomebody),
    newcomer: false,
    engagedMs: engagements.length === 0 ? null : engagements.reduce((sum, ms) => sum + ms, 0),
    pages,
    events,
    values: valuesOf(entry),
  };
}

/** What the entry tells of the visit; direct visits and the site's own domain aren't stored. */
function valuesOf(entry: RawEvent): OracleVisit['values'] {
  const told: Record<string, unknown> = { ...entry };
  const isDefault = (name: string, value: unknown) =>
    (name === 'channel' && value === 'Direct') || (name === 'hostname' && value === OWN_DOMAIN);
  return byName((name) => {
    const value = told[fieldOf(name)];
    return typeof value !== 'string' || isDefault(name, value) ? null : value;
  });
}

/** A custom event that a server sent shows nobody on the site. */
const showsSomebody = (event: RawEvent): boolean =>
  event.type === 'pageview' || (event.type === 'event' && event.entry !== false);

/** With its keys in order, as JSON that can be compared. */
function dataOf(props: Record<string, unknown> | undefined, revenue: object | undefined): string | null {
  if (props === undefined && revenue === undefined) return null;
  return canonical({ ...(props && { props }), ...(revenue && { revenue }) });
}

export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export const hasHits = (visit: OracleVisit): boolean => visit.pages.length + visit.events.length > 0;
/** Whether somebody was on the site. */
export const isSeen = (visit: OracleVisit): boolean =>
  visit.counted || visit.pages.length > 0 || (visit.continued && hasHits(visit));
export const isBounce = (visit: OracleVisit): boolean => visit.pages.length <= 1 && visit.events.length === 0;
