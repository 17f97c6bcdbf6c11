import type {
  Figures,
  ImportedData,
  ImportedDay,
  ImportedDimension,
  ImportSource,
  ValueRow,
} from '../visits/imported-data.ts';
import { MAX_FIGURE, MAX_IMPORT_ROWS } from './import-limits.ts';

const MAX_TEXTS = 2 ** 21;

/** The days to import, as dates. Days outside are skipped. */
export interface DayWindow {
  /** Inclusive; null: no first day. */
  from: string | null;
  /** Exclusive. */
  end: string;
}

interface DimensionTally {
  texts: Map<string, number>;
  /** Maps day and text to an index in the lists below. */
  indexes: Map<number, number>;
  visitors: number[];
  visits: number[];
  hits: number[];
}

/** Figures break a rule while they are added up. The caller adds the location in the export. */
export class TallyError extends Error {
  override name = 'TallyError';
}

/** Adds up an export's figures by day and value. */
export class Tally {
  readonly #window: DayWindow;
  readonly #days: string[] = [];
  readonly #dayIndexes = new Map<string, number>();
  readonly #totals = new Map<string, Figures>();
  readonly #dimensions = new Map<ImportedDimension, DimensionTally>();
  readonly #passed = new Set<string>();
  #rows = 0;

  constructor(window: DayWindow) {
    this.#window = window;
  }

  /** Days of the export outside the window. */
  get passedDays(): ReadonlySet<string> {
    return this.#passed;
  }

  /** Whether the day is in the window; remembers the days that aren't. */
  takes(day: string): boolean {
    const { from, end } = this.#window;
    if (day < end && (from === null || day >= from)) return true;
    this.#passed.add(day);
    return false;
  }

  /** Sets a day's totals. */
  setTotals(day: string, figures: Figures): void {
    if (!this.takes(day)) return;
    if (this.#totals.has(day)) throw new TallyError('the day was there before');
    this.#totals.set(day, figures);
  }

  /** Records that the export has this list, even an empty one. */
  openDimension(dimension: ImportedDimension): void {
    this.#of(dimension);
  }

  /** Adds figures to a value of a day. */
  add(dimension: ImportedDimension, day: string, value: string, { visitors, visits, hits }: Figures): void {
    if (!this.takes(day)) return;
    const of = this.#of(dimension);
    const key = this.#dayIndex(day) * MAX_TEXTS + textIndex(of, value);
    const index = of.indexes.get(key);
    if (index === undefined) {
      this.#countRow();
      of.indexes.set(key, of.visits.length);
      of.visitors.push(visitors);
      of.visits.push(visits);
      of.hits.push(hits);
      return;
    }
    of.visitors[index] = plus(of.visitors[index], visitors);
    of.visits[index] = plus(of.visits[index], visits);
    of.hits[index] = plus(of.hits[index], hits);
  }

  /** The first day that has values but no totals; undefined if there is none. */
  findDayWithoutTotals(): string | undefined {
    return this.#days.find((day) => !this.#totals.has(day));
  }

  /** The data to import. Every day with values must have totals. */
  toData(source: ImportSource): ImportedData {
    const days: ImportedDay[] = [...this.#totals]
      .map(([day, figures]) => ({ day, ...figures }))
      .sort((a, b) => (a.day < b.day ? -1 : 1));
    return {
      source,
      days,
      dimensions: [...this.#dimensions.keys()],
      rows: this.#rows + days.length,
      values: () => this.#values(),
    };
  }

  *#values(): Iterable<readonly [ImportedDimension, ValueRow]> {
    const order = [...this.#days.entries()].sort(([, a], [, b]) => (a < b ? -1 : 1));
    const rankOfDay = new Map(order.map(([index], rank) => [index, rank]));
    for (const [dimension, of] of this.#dimensions) {
      const texts = [...of.texts.keys()];
      const rankOf = ([key]: [number, number]) => rankOfDay.get(Math.floor(key / MAX_TEXTS)) ?? 0;
      for (const [key, index] of [...of.indexes].sort((a, b) => rankOf(a) - rankOf(b) || a[0] - b[0])) {
        const [day = '', text = ''] = [this.#days[Math.floor(key / MAX_TEXTS)], texts[key % MAX_TEXTS]];
        yield [dimension, [day, text, of.visitors[index] ?? 0, of.visits[index] ?? 0, of.hits[index] ?? 0]];
      }
    }
  }

  #of(dimension: ImportedDimension): DimensionTally {
    const known = this.#dimensions.get(dimension);
    if (known !== undefined) return known;
    const fresh = { texts: new Map(), indexes: new Map(), visitors: [], visits: [], hits: [] };
    this.#dimensions.set(dimension, fresh);
    return fresh;
  }

  #dayIndex(day: string): number {
    const known = this.#dayIndexes.get(day);
    if (known !== undefined) return known;
    this.#dayIndexes.set(day, this.#days.length);
    return this.#days.push(day) - 1;
  }

  #countRow(): void {
    this.#rows += 1;
    if (this.#rows > MAX_IMPORT_ROWS)
      throw new TallyError(
        `comes to more than ${MAX_IMPORT_ROWS} rows: import it in parts, by --from-day and --to-day`,
      );
  }
}

function textIndex({ texts }: DimensionTally, value: string): number {
  const known = texts.get(value);
  if (known !== undefined) return known;
  if (texts.size >= MAX_TEXTS)
    throw new TallyError(`has more than ${MAX_TEXTS} values: import it in parts, by --from-day and --to-day`);
  texts.set(value, texts.size);
  return texts.size - 1;
}

function plus(sum = 0, more = 0): number {
  if (sum + more > MAX_FIGURE) throw new TallyError(`adds up to more than ${MAX_FIGURE}`);
  return sum + more;
}
