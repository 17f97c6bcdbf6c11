import { tellBy } from '../tell-by.ts';

export const imports = {
  tool: 'Exported by',
  files: 'Files of the export',
  filesNotes: {
    plausible: 'The ZIP archive of the export, or its CSV files.',
    umami: 'The ZIP archive of the export, or website_event.csv.',
    'ga4-csv': 'CSV files of reports by date in English: one with the totals, and one for each list.',
  },
  fromDay: 'First day (optional)',
  toDay: 'Last day (optional)',
  check: 'Check the files',
  reading: 'Reading the files',
  sending: 'Sending',
  stay: 'Keep this page open. If it is closed, choose the same files again: the import goes on where it stopped.',
  ready: 'The files are in order. Nothing is imported yet.',
  period: 'Days',
  days: (count: string, from: string, to: string) => `${count}, ${from} to ${to}`,
  visits: 'Visits',
  pageViews: 'Page views',
  visitors: 'Visitors, added up by day',
  rows: 'Rows to send',
  passed: 'Skipped days',
  passedNote: (before: string) =>
    `Only days before ${before} are imported, and of those what you chose and the privacy policy keeps.`,
  leftOut: 'Left out',
  send: 'Import',
  done: (rows: string) => `Imported: ${rows} rows. The reports have them now.`,
  faulty: 'The files can’t be imported. Nothing was sent.',
  more: 'There may be more faults: reading stopped here.',
  location: (file: string, line: number | undefined, column: string | undefined) =>
    [file, line && `line ${line}`, column && `column “${column}”`].filter(Boolean).join(', '),
  tell: tellBy([
    [/by --from-day and --to-day$/, 'by first and last day'],
    [
      /, within the options and the site's policy$/,
      ', within the days that you chose and the privacy policy',
    ],
  ]),
};
