/**
 * Plausible's export, which is also its import format (plausible.io/docs/csv-import): a ZIP archive or a folder with files
 * `imported_<what>_<from>_<to>.csv`, which have figures by day.
 */
import type { Figures, ImportedDimension } from '../../visits/imported-data.ts';
import type { ExportFile } from './export-file.ts';
import { demand, demandTotals, type Reader, type ReaderInput, readRows, takesDay } from './export-reader.ts';
import { ImportProblem } from './import-problem.ts';
import { readCount, readCountry, readDate, readLabel, readPath } from './read-cells.ts';
import type { Row } from './read-table.ts';
import { channelOfSource, shownBrowser, shownDevice, shownRegion, shownSource } from './shown-values.ts';

type Values = readonly (readonly [ImportedDimension, string | undefined])[];

interface TableRules {
  /** Columns that are read, besides `date`. */
  columns: readonly string[];
  dimensions: readonly ImportedDimension[];
  /** Cells by column name. */
  figures: { visits: string; hits: string };
  values: (row: Row, input: ReaderInput) => Values;
}

const MAX_LABEL = 128;
const SESSIONS = { visits: 'visits', hits: 'pageviews' };

const TABLES: Record<string, TableRules> = {
  imported_pages: {
    columns: ['page'],
    dimensions: ['page'],
    figures: SESSIONS,
    values: (row) => [['page', readPath(row, 'page')]],
  },
  imported_entry_pages: {
    columns: ['entry_page'],
    dimensions: ['entry_page'],
    figures: { visits: 'entrances', hits: 'pageviews' },
    values: (row) => [['entry_page', optionalPath(row, 'entry_page')]],
  },
  imported_exit_pages: {
    columns: ['exit_page'],
    dimensions: ['exit_page'],
    figures: { visits: 'exits', hits: 'pageviews' },
    values: (row) => [['exit_page', optionalPath(row, 'exit_page')]],
  },
  imported_sources: {
    columns: ['source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
    dimensions: ['source', 'channel', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
    figures: SESSIONS,
    values: (row) => valuesOfSource(row),
  },
  imported_locations: {
    columns: ['country', 'region'],
    dimensions: ['country', 'region'],
    figures: SESSIONS,
    values: (row) => {
      const country = readCountry(row, 'country');
      return [
        ['country', country ?? 'Unknown'],
        ['region', shownRegion(readLabel(row, 'region', MAX_LABEL), country)],
      ];
    },
  },
  imported_devices: {
    columns: ['device'],
    dimensions: ['device'],
    figures: SESSIONS,
    values: (row) => [['device', shownDevice(readLabel(row, 'device', MAX_LABEL))]],
  },
  imported_browsers: {
    columns: ['browser'],
    dimensions: ['browser'],
    figures: SESSIONS,
    values: (row) => [['browser', shownBrowser(readLabel(row, 'browser', MAX_LABEL))]],
  },
  imported_custom_events: {
    columns: ['name'],
    dimensions: ['event'],
    // The number of visits per event is unknown; uses the number of visitors, which is a lower bound.
    figures: { visits: 'visitors', hits: 'events' },
    values: (row) => [['event', readLabel(row, 'name', MAX_LABEL)]],
  },
};

/** Known files that are not imported, with the reason. */
const LEFT_OUT: Record<string, string> = {
  imported_operating_systems: 'operating systems, which are reported for consented visits only',
  imported_custom_props: 'properties of custom events, which are read from visits',
};
const TOTALS = 'imported_visitors';

export const readPlausible: Reader = async (input) => {
  const notes = new Set<string>(['bounces and durations, which are measured for consented visits only']);
  const tables = input.files.map((file) => ({ file, table: tableOf(file) }));
  if (tables.every(({ table }) => table !== TOTALS))
    throw new ImportProblem(
      { file: 'the export' },
      `${TOTALS}_….csv is missing, which has the totals by day`,
    );
  for (const { file, table } of tables) {
    const rules = TABLES[table ?? ''];
    if (table === TOTALS) await readTotals(input, file);
    else if (rules !== undefined) await readValues(input, file, rules);
    else notes.add(LEFT_OUT[table ?? ''] ?? 'files that are none of its tables');
    if (table === 'imported_locations') notes.add('cities, which are told by numbers');
  }
  demandTotals(input, TOTALS);
  return [...notes];
};

const tableOf = (file: ExportFile): string | undefined =>
  /^(imported_[a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/.exec(file.name)?.[1];

function readTotals(input: ReaderInput, file: ExportFile): Promise<void> {
  const wanted = ['date', 'visitors', 'visits', 'pageviews'];
  return readRows(input, file, { name: demanding(wanted) }, (row) => {
    const day = readDate(row, 'date');
    const figures = {
      visitors: readCount(row, 'visitors'),
      visits: readCount(row, 'visits'),
      hits: readCount(row, 'pageviews'),
    };
    if (takesDay(input, row, day, 'date')) input.tally.setTotals(day, figures);
  });
}

async function readValues(input: ReaderInput, file: ExportFile, rules: TableRules): Promise<void> {
  const { tally } = input;
  const { columns, figures, values, dimensions } = rules;
  for (const dimension of dimensions) tally.openDimension(dimension);
  const wanted = new Set(['date', ...columns, 'visitors', figures.visits, figures.hits]);
  await readRows(input, file, { name: demanding([...wanted]) }, (row) => {
    const day = readDate(row, 'date');
    const counted: Figures = {
      visitors: readCount(row, 'visitors'),
      visits: readCount(row, figures.visits),
      hits: readCount(row, figures.hits),
    };
    const labels = values(row, input);
    if (!takesDay(input, row, day, 'date')) return;
    for (const [dimension, value] of labels)
      if (value !== undefined) tally.add(dimension, day, value, counted);
  });
}

const demanding =
  (wanted: readonly string[]) =>
  (header: readonly string[], problem: (rule: string) => ImportProblem): readonly string[] => {
    demand(wanted, header, problem);
    return header;
  };

/** A visit with only events has no page. */
const optionalPath = (row: Row, column: string): string | undefined =>
  row.get(column) === '' ? undefined : readPath(row, column);

function valuesOfSource(row: Row): Values {
  const label = (column: string) => readLabel(row, column, MAX_LABEL);
  const [utmSource, utmMedium, utmCampaign] = [
    label('utm_source'),
    label('utm_medium'),
    label('utm_campaign'),
  ];
  const source = shownSource(label('source'));
  return [
    ['source', source ?? 'Direct'],
    ['channel', channelOfSource({ source, referrer: label('referrer'), utmSource, utmMedium, utmCampaign })],
    ['utm_source', utmSource],
    ['utm_medium', utmMedium],
    ['utm_campaign', utmCampaign],
    ['utm_term', label('utm_term')],
    ['utm_content', label('utm_content')],
  ];
}
