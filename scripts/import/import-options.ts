/** The command line of `npm run import`. */
import { parseArgs } from 'node:util';
import { isDate } from '../../lib/dates.ts';
import { idFrom } from '../../lib/id-from.ts';
import { IMPORT_SOURCES, type ImportSource } from '../../lib/visits/imported-data.ts';

export const USAGE = `npm run import -- --from SOURCE FILE… --site ID [--dry-run]    SOURCE: ${IMPORT_SOURCES.join(', ')}
npm run import -- --undo --site ID [--import ID] [--dry-run]   takes the last import out again, or that one
npm run import -- --list --site ID                             what was imported

FILE        a CSV file, a folder of them, or a ZIP archive
--from-day, --to-day DATE   takes no other days (2026-11-21, inclusive)
--url https://…             the service; default: that of npm run dev
VENDOR_API_TOKEN            of the environment: an API token that may change the site; default: that of npm run dev`;

export interface ImportOptions {
  siteId: string;
  /** Undefined: the service of `npm run dev`. */
  url: string | undefined;
  dryRun: boolean;
  action:
    | { kind: 'list' }
    | { kind: 'undo'; importId: string | undefined }
    | {
        kind: 'import';
        source: ImportSource;
        paths: string[];
        fromDay: string | undefined;
        toDay: string | undefined;
      };
}

/** An error in the command line; the reader gets `USAGE` with it. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** @throws UsageError */
export function readImportOptions(args: string[]): ImportOptions {
  const { values, positionals } = parse(args);
  const siteId = readUuid('--site', values.site);
  if (siteId === undefined) throw new UsageError('--site takes the id of a site.');
  return {
    siteId,
    url: readUrl(values.url),
    dryRun: values['dry-run'],
    action: readAction(values, positionals),
  };
}

type Values = ReturnType<typeof parse>['values'];

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        site: { type: 'string' },
        url: { type: 'string' },
        import: { type: 'string' },
        'from-day': { type: 'string' },
        'to-day': { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        undo: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options are wrong.');
  }
}

function readAction(values: Values, paths: string[]): ImportOptions['action'] {
  if (values.undo || values.list) {
    const isMore = paths.length > 0 || values.from !== undefined || (values.undo && values.list);
    if (isMore) throw new UsageError('--undo and --list stand alone: they take no SOURCE and no FILE.');
    return values.undo ? { kind: 'undo', importId: readUuid('--import', values.import) } : { kind: 'list' };
  }
  const source = IMPORT_SOURCES.find((name) => name === values.from);
  if (source === undefined) throw new UsageError(`--from takes one of ${IMPORT_SOURCES.join(', ')}.`);
  if (paths.length === 0) throw new UsageError('Name the FILE to import.');
  const [fromDay, toDay] = [readDay('--from-day', values['from-day']), readDay('--to-day', values['to-day'])];
  if (fromDay !== undefined && toDay !== undefined && fromDay > toDay)
    throw new UsageError('--from-day must not be after --to-day.');
  return { kind: 'import', source, paths, fromDay, toDay };
}

function readUuid(option: string, value: string | undefined): string | undefined {
  if (value !== undefined && idFrom(value) === undefined) throw new UsageError(`${option} takes an id.`);
  return value;
}

/** A token isn't sent in the clear, except on this machine. */
function readUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal))
    throw new UsageError('--url takes an address that begins with https://');
  return url.origin;
}

function readDay(option: string, value: string | undefined): string | undefined {
  if (value !== undefined && !isDate(value)) throw new UsageError(`${option} takes a date like 2026-11-21.`);
  return value;
}
