import type { ImportedDimension } from '../../visits/imported-data.ts';
import { type Tally, TallyError } from '../import-tally.ts';

/** A page view or a custom event. */
export interface Hit {
  /** Epoch milliseconds. */
  at: number;
  /** The day in the site's time zone. */
  day: string;
  session: string;
  visit: string;
  /** The path of a page view, or the name of an event. */
  text: string;
  isPage: boolean;
}

type VisitDimension = Exclude<ImportedDimension, 'page' | 'event' | 'exit_page'>;
export type HitValues = Partial<Record<VisitDimension, string | undefined>>;

interface Visit {
  session: string;
  /** The time of the first hit, at which the visit begins. */
  at: number;
  day: string;
  /** The time of the hit that has the visit's values: the first page view, or the first event if there is no page view. */
  describedAt: number;
  isDescribedByPage: boolean;
  values: HitValues;
  exitAt: number;
  exit: string | undefined;
  views: number;
  /** Number of hits by day and text. Keys are `<kind><day>\n<text>`, where kind is `p` or `e`. */
  counts: Map<string, number>;
}

/** Limits memory: about 2 KB per visit. */
const MAX_VISITS = 1_000_000;
const VISITS_BETWEEN_PAUSES = 256;

/**
 * Groups hits, given in any order, into visits and counts them like anonymous sessions (docs/counting.md): visit and visitor on the day
 * when the visit began, page views and events on their own day.
 */
export class UmamiVisits {
  static readonly dimensions: readonly ImportedDimension[] = [
    ...([
      'page',
      'entry_page',
      'exit_page',
      'event',
      'source',
      'channel',
      'utm_source',
      'utm_medium',
    ] as const),
    ...([
      'utm_campaign',
      'utm_term',
      'utm_content',
      'country',
      'region',
      'city',
      'device',
      'browser',
    ] as const),
    ...(['language', 'hostname'] as const),
  ];
  /** By session and visit. */
  readonly #visits = new Map<string, Visit>();
  /** Shares equal texts, since many visits have the same. */
  readonly #texts = new Map<string, string>();

  add(hit: Hit, tell: () => HitValues): void {
    const visit = this.#visitOf(hit);
    if (hit.at < visit.at) {
      visit.at = hit.at;
      visit.day = hit.day;
    }
    if (hit.isPage !== visit.isDescribedByPage ? hit.isPage : hit.at < visit.describedAt) {
      visit.describedAt = hit.at;
      visit.isDescribedByPage = hit.isPage;
      visit.values = this.#sharing(tell());
    }
    if (hit.isPage) {
      visit.views += 1;
      if (hit.at >= visit.exitAt) {
        visit.exitAt = hit.at;
        visit.exit = this.#shared(hit.text);
      }
    }
    const key = this.#shared(`${hit.isPage ? 'p' : 'e'}${hit.day}\n${hit.text}`);
    visit.counts.set(key, (visit.counts.get(key) ?? 0) + 1);
  }

  /** Adds all visits to the tally. A session is a visitor and counts once per day, and once per day and value. */
  async addTo(tally: Tally, pause?: () => Promise<void>): Promise<void> {
    const totals = new Map<string, { visitors: number; visits: number; hits: number }>();
    const totalOf = (day: string) => {
      const known = totals.get(day) ?? { visitors: 0, visits: 0, hits: 0 };
      totals.set(day, known);
      return known;
    };
    const bySession = [...this.#visits.values()].sort((a, b) =>
      a.session < b.session ? -1 : a.session > b.session ? 1 : 0,
    );
    let [session, seen] = ['', new Set<string>()];
    const once = (key: string): 0 | 1 => {
      if (seen.has(key)) return 0;
      seen.add(key);
      return 1;
    };
    const add = (dimension: ImportedDimension, day: string, value: string | undefined, hits: number) => {
      if (value === undefined) return;
      tally.add(dimension, day, value, { visitors: once(`${dimension} ${day} ${value}`), visits: 1, hits });
    };
    for (const [index, visit] of bySession.entries()) {
      if (index % VISITS_BETWEEN_PAUSES === 0) await pause?.();
      if (visit.session !== session) [session, seen] = [visit.session, new Set()];
      const { day, values, views, counts } = visit;
      const total = totalOf(day);
      total.visits += 1;
      total.visitors += once(day);
      for (const [dimension, value] of Object.entries(values))
        add(dimension as VisitDimension, day, value, views);
      add('exit_page', day, visit.exit, views);
      for (const [key, count] of counts) {
        const end = key.indexOf('\n');
        const [isPage, at, text] = [key[0] === 'p', key.slice(1, end), key.slice(end + 1)];
        add(isPage ? 'page' : 'event', at, text, count);
        if (isPage) totalOf(at).hits += count;
      }
    }
    for (const [day, figures] of totals) tally.setTotals(day, figures);
  }

  #visitOf({ session, visit: id, at, day }: Hit): Visit {
    const key = `${session} ${id}`;
    const known = this.#visits.get(key);
    if (known !== undefined) return known;
    if (this.#visits.size >= MAX_VISITS)
      throw new TallyError(
        `has more than ${MAX_VISITS} visits: import it in parts, by --from-day and --to-day`,
      );
    const visit: Visit = {
      session,
      at,
      day,
      describedAt: Number.POSITIVE_INFINITY,
      isDescribedByPage: false,
      values: {},
      exitAt: Number.NEGATIVE_INFINITY,
      exit: undefined,
      views: 0,
      counts: new Map(),
    };
    this.#visits.set(key, visit);
    return visit;
  }

  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }

  #sharing(values: HitValues): HitValues {
    return Object.fromEntries(
      Object.entries(values).flatMap(([dimension, value]) =>
        value === undefined ? [] : [[dimension, this.#shared(value)]],
      ),
    );
  }
}
