/**
 * CSV exports of Google Analytics 4, from explorations or reports: comments (`# …`), an English header, and a row per day and value of
 * at most one dimension. The file without a dimension has the totals.
 */

import { CHANNELS } from '../../collection/channels.ts';
import { languageTag } from '../../collection/language-tag.ts';
import { isDate } from '../../dates.ts';
import type { Figures, ImportedDimension } from '../../visits/imported-data.ts';
import { countryNamed } from './country-names.ts';
import type { ExportFile } from './export-file.ts';
import { demand, demandTotals, type Reader, type ReaderInput, readRows, takesDay } from './export-reader.ts';
import { ImportProblem } from './import-problem.ts';
import { readCount, readCountry, readLabel, readPath } from './read-cells.ts';
import type { Row } from './read-table.ts';
import { channelOfSource, isUnset, shownBrowser, shownDevice, shownSource } from './shown-values.ts';

type Values = readonly (readonly [ImportedDimension, string | undefined])[];
type ReadValue = (row: Row, column: string) => Values;

interface ColumnRules {
  dimensions: readonly ImportedDimension[];
  read: ReadValue;
}

const MAX_LABEL = 128;
const DATE = 'Date';
/** The first of these columns that a file has holds its visitors. */
const USERS = ['Total users', 'Active users'] as const;
const EVENT_NAME = 'Event name';
/** Automatic events of GA4 that add nothing to the other figures. */
const AUTOMATIC = new Set(['page_view', 'session_start', 'first_visit', 'user_engagement']);

const labelOf = (row: Row, column: string): string | undefined => {
  const label = readLabel(row, column, MAX_LABEL);
  return label === undefined || isUnset(label) ? undefined : label;
};
const single = (dimension: ImportedDimension, read: (row: Row, column: string) => string | undefined) => ({
  dimensions: [dimension],
  read: (row: Row, column: string): Values => [[dimension, read(row, column)]],
});
/** `(direct)`, `(organic)`, `(referral)` mean that there is no campaign. */
const campaignOf = (row: Row, column: string): string | undefined => {
  const label = labelOf(row, column);
  return label?.startsWith('(') ? undefined : label;
};
const pathOf = (row: Row, column: string): string | undefined =>
  row.get(column) === '' || isUnset(row.get(column)) ? undefined : readPath(row, column);
const channels = new Map(CHANNELS.map((channel) => [channel.toLowerCase(), channel]));
const OTHER_CHANNELS: Readonly<Record<string, string>> = {
  'Cross-network': 'Campaign',
  'Paid Other': 'Campaign',
  'Mobile Push Notifications': 'Push',
};
const channelNamed = (row: Row, column: string): string => {
  const label = labelOf(row, column) ?? 'Unassigned';
  return channels.get(label.toLowerCase()) ?? OTHER_CHANNELS[label] ?? label;
};
const sourceAndMedium = (row: Row, column: string): Values => {
  const [label, medium] = (readLabel(row, column, 2 * MAX_LABEL) ?? '').split(' / ');
  const source = shownSource(label === '' || label === undefined || isUnset(label) ? undefined : label);
  const utmMedium = medium === undefined || medium === '(none)' || isUnset(medium) ? undefined : medium;
  return [
    ['source', source ?? 'Direct'],
    ['channel', source === undefined ? 'Direct' : channelOfSource({ source, utmMedium })],
  ];
};

const page = single('page', pathOf);
const channel = single('channel', channelNamed);
const COLUMNS: Readonly<Record<string, ColumnRules>> = {
  'Page path': page,
  'Page path and screen class': page,
  'Landing page': single('entry_page', pathOf),
  'Session source': single('source', (row, column) => shownSource(labelOf(row, column)) ?? 'Direct'),
  'Session source / medium': { dimensions: ['source', 'channel'], read: sourceAndMedium },
  'Session primary channel group (Default Channel Group)': channel,
  'Session default channel group': channel,
  'Session manual source': single('utm_source', campaignOf),
  'Session manual medium': single('utm_medium', campaignOf),
  'Session campaign': single('utm_campaign', campaignOf),
  'Session manual campaign name': single('utm_campaign', campaignOf),
  'Session manual term': single('utm_term', campaignOf),
  'Session manual ad content': single('utm_content', campaignOf),
  'Country ID': single('country', (row, column) =>
    isUnset(row.get(column)) ? 'Unknown' : (readCountry(row, column) ?? 'Unknown'),
  ),
  Country: single('country', countryNamed),
  City: single('city', labelOf),
  'Device category': single('device', (row, column) => shownDevice(labelOf(row, column))),
  Browser: single('browser', (row, column) => shownBrowser(labelOf(row, column))),
  'Language code': single('language', (row, column) => languageTag(labelOf(row, column)) ?? 'Unknown'),
  Hostname: single('hostname', labelOf),
  [EVENT_NAME]: single('event', (row, column) => {
    const name = labelOf(row, column);
    return name !== undefined && AUTOMATIC.has(name) ? undefined : name;
  }),
};

/** Finds the kind of a file from its header. */
interface Kind {
  dimension: string | undefined;
  users: string;
  visits: string;
  hits: string;
  /** Columns that must hold figures. Any other column would be a dimension that splits the rows. */
  others: readonly string[];
}

export const readGa4: Reader = async (input) => {
  const notes = new Set([
    'figures of engagement and revenue; bounces are measured for consented visits only',
  ]);
  let hasTotals = false;
  for (const file of input.files) {
    const { dimension } = await readReport(input, file);
    hasTotals ||= dimension === undefined;
    if (dimension === EVENT_NAME) notes.add(`the events ${[...AUTOMATIC].join(', ')}`);
  }
  if (!hasTotals)
    throw new ImportProblem(
      { file: 'the export' },
      `the totals are missing: a report by ${DATE} alone, with ${USERS.join(' or ')}, Sessions and Views`,
    );
  demandTotals(input, 'the report without a dimension');
  return [...notes];
};

async function readReport(input: ReaderInput, file: ExportFile): Promise<Kind> {
  let kind: Kind | undefined;
  const name = (header: readonly string[], problem: (rule: string) => ImportProblem) => {
    const names = header.map((column) => column.trim());
    kind = kindOf(names, problem);
    return names;
  };
  const { tally } = input;
  await readRows(input, file, { comments: true, allowRagged: true, name }, (row) => {
    if (kind === undefined || isGrandTotal(row, kind)) return;
    if (row.more.length > 0) throw row.problem('has more cells than the header');
    for (const column of kind.others)
      if (!/^[-\d.,%:]*$/.test(row.get(column)))
        throw row.problem(
          'is not known, and not a figure either: a report must have one dimension beside the date',
          column,
        );
    const day = readDay(row);
    const figures: Figures = {
      visitors: readCount(row, kind.users),
      visits: readCount(row, kind.visits),
      hits: readCount(row, kind.hits),
    };
    const values =
      kind.dimension === undefined ? [] : (COLUMNS[kind.dimension]?.read(row, kind.dimension) ?? []);
    if (!takesDay(input, row, day, DATE)) return;
    if (kind.dimension === undefined) tally.setTotals(day, figures);
    for (const [dimension, value] of values)
      if (value !== undefined) tally.add(dimension, day, value, figures);
  });
  if (kind === undefined) throw new Error('a table was read without its header');
  for (const dimension of COLUMNS[kind.dimension ?? '']?.dimensions ?? []) tally.openDimension(dimension);
  return kind;
}

function kindOf(header: readonly string[], problem: (rule: string) => ImportProblem): Kind {
  const found = header.filter((column) => Object.hasOwn(COLUMNS, column));
  if (found.length > 1) throw problem(`has more than one dimension: ${found.join(', ')}`);
  const [dimension] = found;
  const users = USERS.find((column) => header.includes(column));
  if (users === undefined) throw problem(`a column is missing: ${USERS.join(' or ')}`);
  const isEvents = dimension === EVENT_NAME;
  demand([DATE, ...(isEvents ? ['Event count'] : ['Sessions', 'Views'])], header, problem);
  const hits = isEvents ? 'Event count' : 'Views';
  // If sessions per event are missing, uses the number of users, which is a lower bound.
  const visits = isEvents && !header.includes('Sessions') ? users : 'Sessions';
  const known = new Set([DATE, dimension, users, visits, hits]);
  return { dimension, users, visits, hits, others: header.filter((column) => !known.has(column)) };
}

/** The row of totals in explorations: it has no date and one more cell that marks it. */
const isGrandTotal = (row: Row, { dimension }: Kind): boolean =>
  row.get(DATE) === '' &&
  (dimension === undefined || row.get(dimension) === '') &&
  row.more.length === 1 &&
  row.more[0] === 'Grand total';

/** A date such as `20261121` or `2026-11-21`. */
function readDay(row: Row): string {
  const text = row.get(DATE);
  const day = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (!isDate(day)) throw row.problem('must be a date like 20261121, of the years 2000 to 2099', DATE);
  return day;
}
