/**
 * Umami's export: `website_event.csv`, alone, in a folder or in a ZIP archive, with a row per event that includes its session
 * (umami.is/docs/cloud/export-data). The same table of a self-hosted Umami, joined with `session`, also works.
 */
import { findArrival } from '../../collection/find-arrival.ts';
import { channelOf } from '../../collection/find-channel.ts';
import { languageTag } from '../../collection/language-tag.ts';
import { cleanUrl } from '../../collection/page-address.ts';
import { withoutWww } from '../../collection/site-host.ts';
import { demand, type Reader, type ReaderInput, readRows, takesDay } from './export-reader.ts';
import { ImportProblem } from './import-problem.ts';
import { dayReader } from './local-day.ts';
import { readCountry, readLabel, readPath, readText } from './read-cells.ts';
import type { Row } from './read-table.ts';
import { shownBrowser, shownDevice, shownRegion } from './shown-values.ts';
import { type Hit, type HitValues, UmamiVisits } from './umami-visits.ts';

const FILE = 'website_event.csv';
const WANTED = ['website_id', 'session_id', 'visit_id', 'created_at', 'event_type', 'url_path'];
/** Columns that are read if they exist. */
const LABELS = ['event_name', 'hostname', 'browser', 'device', 'language', 'region', 'city'] as const;
const MAX_LABEL = 128;
const ID = /^[\w-]{1,64}$/;
/** Event types of later versions: links, pixels and performance. */
const OTHER_TYPES = new Set(['3', '4', '5']);

export const readUmami: Reader = async (input) => {
  const file =
    input.files.find(({ name }) => name === FILE) ?? (input.files.length === 1 ? input.files[0] : undefined);
  if (file === undefined) throw new ImportProblem({ file: 'the export' }, `${FILE} is missing`);
  const notes = new Set([
    'operating systems and durations, which are reported for consented visits only',
    'screens, titles, and what event_data.csv and session_data.csv hold',
  ]);
  const visits = new UmamiVisits();
  const dayOf = dayReader(input.timezone);
  let website: string | undefined;
  const name = (header: readonly string[], problem: (rule: string) => ImportProblem) => {
    demand(WANTED, header, problem);
    return header;
  };
  await readRows(input, file, { name }, (row) => {
    website ??= row.get('website_id');
    if (row.get('website_id') !== website)
      throw row.problem('must be the same website in all rows: export each website by itself', 'website_id');
    const type = row.get('event_type');
    if (OTHER_TYPES.has(type)) {
      notes.add('events of links, pixels and measurements');
      return;
    }
    if (type !== '1' && type !== '2') throw row.problem('must be 1 to 5 (3 to 5 are left out)', 'event_type');
    const hit = readHit(row, type, dayOf);
    if (!takesDay(input, row, hit.day, 'created_at')) return;
    visits.add(hit, () => valuesOf(row, hit, input));
  });
  for (const dimension of UmamiVisits.dimensions) input.tally.openDimension(dimension);
  await visits.addTo(input.tally, input.progress.pause);
  return [...notes];
};

function readHit(row: Row, type: '1' | '2', dayOf: (at: number) => string): Hit {
  const at = readInstant(row, 'created_at');
  const id = (column: string): string => {
    const text = row.get(column);
    if (!ID.test(text)) throw row.problem('must be an id', column);
    return text;
  };
  const isPage = type === '1';
  const event = isPage ? undefined : readLabel(row, 'event_name', MAX_LABEL);
  if (!isPage && event === undefined) throw row.problem('must be the name of an event', 'event_name');
  return {
    at,
    day: dayOf(at),
    session: id('session_id'),
    visit: id('visit_id'),
    text: event ?? readPath(row, 'url_path'),
    isPage,
  };
}

/** A time such as `2026-11-21 10:02:03`, in UTC, with or without a fraction and a zone. */
function readInstant(row: Row, column: string): number {
  const [, date, time] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: ?(?:Z|UTC|[+-]00(?::?00)?))?$/.exec(
      row.get(column),
    ) ?? [];
  const at = date?.startsWith('20') ? Date.parse(`${date}T${time?.slice(0, 12)}Z`) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== date)
    throw row.problem(
      'must be an instant of UTC like 2026-11-21 10:02:03, of the years 2000 to 2099',
      column,
    );
  return at;
}

/** The values that a visit gets from its first page view, as `track` would derive them from the same request. */
function valuesOf(row: Row, hit: Hit, { domain, domains }: ReaderInput): HitValues {
  const label = Object.fromEntries(LABELS.map((column) => [column, readLabel(row, column, MAX_LABEL)]));
  const host = label.hostname ?? domain;
  const country = readCountry(row, 'country');
  const { campaign = {} } =
    cleanUrl(`https://${domain}/?${readText(row, 'url_query').replace(/^\?/, '')}`) ?? {};
  const utm = (column: string) => readLabel(row, column, MAX_LABEL);
  const columns = {
    utmSource: utm('utm_source'),
    utmMedium: utm('utm_medium'),
    utmCampaign: utm('utm_campaign'),
    utmTerm: utm('utm_term'),
    utmContent: utm('utm_content'),
  };
  const known = {
    ...campaign,
    ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)),
  };
  const referrer = readText(row, 'referrer_domain');
  const arrival = findArrival(referrer === '' ? undefined : `https://${referrer}/`, known, [
    withoutWww(host),
    ...domains,
  ]);
  return {
    source: arrival.source ?? 'Direct',
    channel: channelOf(arrival, known) ?? 'Direct',
    utm_source: known.utmSource,
    utm_medium: known.utmMedium,
    utm_campaign: known.utmCampaign,
    utm_term: known.utmTerm,
    utm_content: known.utmContent,
    country: country ?? 'Unknown',
    region: shownRegion(label.region, country),
    city: label.city,
    device: shownDevice(label.device),
    browser: shownBrowser(label.browser),
    language: shownLanguage(label.language),
    hostname: host,
    ...(hit.isPage && { entry_page: hit.text }),
  };
}

/** An export has few languages, and parsing one takes as long as the rest of a row, so results are cached. */
const languages = new Map<string | undefined, string>();
const MAX_LANGUAGES = 10_000;

function shownLanguage(label: string | undefined): string {
  const known = languages.get(label);
  if (known !== undefined) return known;
  const tag = languageTag(label) ?? 'Unknown';
  if (languages.size < MAX_LANGUAGES) languages.set(label, tag);
  return tag;
}
