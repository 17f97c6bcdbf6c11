import type {
  Figures,
  ImportedData,
  ImportedDay,
  ImportedDimension,
  ImportPart,
  ImportSource,
} from './imported-data.ts';

/** Maximum of PostgreSQL's integer, the type in the rollups. */
const MAX_FIGURE = 2_147_483_647;
/** Bounds memory: about 200 bytes per row. */
const MAX_ROWS = 5_000_000;
const MAX_TEXTS = 2 ** 21;
/** A part ends with the day that reaches this number of rows. */
const PART_ROWS = 20_000;

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
  places: Map<number, number>;
  visitors: number[];
  visits: number[];
  hits: number[];
}

/** Figures break a rule while they are added up. The caller adds the place in the export. */
export class TallyError extends Error {
  override name = 'TallyError';
}

/** Adds up an export's figures by day and value. */
export class Tally {
  readonly #window: DayWindow;
  readonly #days: string[] = [];
  readonly #dayPlaces = new Map<string, number>();
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
    const key = this.#dayPlace(day) * MAX_TEXTS + textPlace(of, value);
    const place = of.places.get(key);
    if (place === undefined) {
      this.#countRow();
      of.places.set(key, of.visits.length);
      of.visitors.push(visitors);
      of.visits.push(visits);
      of.hits.push(hits);
      return;
    }
    of.visitors[place] = plus(of.visitors[place], visitors);
    of.visits[place] = plus(of.visits[place], visits);
    of.hits[place] = plus(of.hits[place], hits);
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
      parts: () => this.#parts(days),
    };
  }

  *#parts(days: readonly ImportedDay[]): Iterable<ImportPart> {
    const order = new Map(days.map(({ day }, index) => [day, index + 1]));
    const placeOfDay = this.#days.map((day) => order.get(day) ?? 0);
    for (const [dimension, of] of this.#dimensions) {
      const texts = [...of.texts.keys()];
      for (const rows of byDays([...of.places])) yield toPart(dimension, of, rows, texts, placeOfDay);
    }
  }

  #of(dimension: ImportedDimension): DimensionTally {
    const known = this.#dimensions.get(dimension);
    if (known !== undefined) return known;
    const fresh = { texts: new Map(), places: new Map(), visitors: [], visits: [], hits: [] };
    this.#dimensions.set(dimension, fresh);
    return fresh;
  }

  #dayPlace(day: string): number {
    const known = this.#dayPlaces.get(day);
    if (known !== undefined) return known;
    this.#dayPlaces.set(day, this.#days.length);
    return this.#days.push(day) - 1;
  }

  #countRow(): void {
    this.#rows += 1;
    if (this.#rows > MAX_ROWS)
      throw new TallyError(
        `comes to more than ${MAX_ROWS} rows: import it in parts, by --from-day and --to-day`,
      );
  }
}

function textPlace({ texts }: DimensionTally, value: string): number {
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

/** Cuts rows into parts of whole days; sorts them by key. */
function* byDays(rows: [number, number][]): Iterable<[number, number][]> {
  const dayOf = (row: [number, number] | undefined) => Math.floor((row?.[0] ?? -1) / MAX_TEXTS);
  rows.sort(([a], [b]) => a - b);
  let start = 0;
  for (let end = 1; end <= rows.length; end += 1) {
    const isWhole = dayOf(rows[end - 1]) !== dayOf(rows[end]);
    if (end < rows.length && (!isWhole || end - start < PART_ROWS)) continue;
    yield rows.slice(start, end);
    start = end;
  }
}

/** Makes a part with only the texts that its rows need. */
function toPart(
  dimension: ImportedDimension,
  of: DimensionTally,
  rows: readonly (readonly [number, number])[],
  allTexts: readonly string[],
  placeOfDay: readonly number[],
): ImportPart {
  const texts: string[] = [];
  const placeOfText = new Map<number, number>();
  const part = {
    dayPlaces: [] as number[],
    textPlaces: [] as number[],
    visitors: [] as number[],
    visits: [] as number[],
    hits: [] as number[],
  };
  for (const [key, place] of rows) {
    const text = key % MAX_TEXTS;
    const known = placeOfText.get(text) ?? texts.push(allTexts[text] ?? '');
    placeOfText.set(text, known);
    part.dayPlaces.push(placeOfDay[Math.floor(key / MAX_TEXTS)] ?? 0);
    part.textPlaces.push(known);
    part.visitors.push(of.visitors[place] ?? 0);
    part.visits.push(of.visits[place] ?? 0);
    part.hits.push(of.hits[place] ?? 0);
  }
  return { dimension, texts, ...part };
}
