/** Writes an event in words. Its `data` was decided by this service; names in it were written by people. */
import type { AlertMetric } from '../alerts/alert-fields.ts';
import type { Language } from '../languages.ts';
import type { MessageEvent } from './event-types.ts';
import type { AlertData } from './events.ts';
import { type MessageText, tame } from './message-text.ts';
import { MESSAGE_WORDS, type MessageWords } from './message-words.ts';

interface Named {
  id: string;
  name: string;
}

/** What the statements that decide put in (`EVENTS`). */
interface MessageData extends Partial<AlertData> {
  channel?: Named;
  import?: { source: string };
  outcome?: { type: string; value: { amount: string; currency: string } | null };
  from?: string | null;
  to?: string | null;
  reason?: string;
  failingSince?: string | null;
}

export interface Described {
  event: MessageEvent;
  data: object;
  language: Language;
  /** Without a final slash. */
  publicUrl: string;
  /** Of `channel.confirm`: the confirmed address of whoever asks, if there is one. */
  askedBy?: string | null;
}

export function describeMessage({
  event,
  data: stored,
  language,
  publicUrl,
  askedBy,
}: Described): MessageText {
  const words = MESSAGE_WORDS[language];
  const data = stored as MessageData;
  const link = linkOf(words, publicUrl, data.path);
  const site = tame(data.site?.name ?? '');
  const project = tame(data.project?.name ?? '');
  switch (event) {
    case 'alert.firing':
    case 'alert.over':
      return describeAlert(event, data as AlertData, words, publicUrl);
    case 'report.ready':
    case 'report.mail':
      return { subject: words.reportReady(site, data.from ?? '', data.to ?? ''), lines: [], ...link };
    case 'import.finished': {
      const { from, to } = data;
      return {
        subject: words.importFinished(site),
        lines: from && to ? [words.importRange(from, to)] : [],
        ...link,
      };
    }
    case 'site.first_visit':
      return { subject: words.firstVisit(site), lines: [words.firstVisitMore], ...link };
    case 'outcome.confirmed': {
      const { type = '', value = null } = data.outcome ?? {};
      const lines = value === null ? [] : [words.amount(`${value.amount} ${value.currency}`)];
      return { subject: words.outcome(tame(type), tame(data.environment?.name ?? '')), lines };
    }
    case 'channel.paused': {
      const why =
        data.reason === 'gone'
          ? words.pausedGone
          : words.pausedFailures(timeOf(data.failingSince ?? '', words));
      return {
        subject: words.paused(tame(data.channel?.name ?? ''), project),
        lines: [why, words.pausedNext],
        ...linkOf(words, publicUrl, `/projects/${data.project?.id}/channels`),
      };
    }
    case 'channel.test':
      return { subject: words.test(tame(data.channel?.name ?? '')), lines: [words.testMore] };
    case 'channel.confirm':
      return {
        subject: words.confirmSubject,
        lines: [words.confirmAsked(askedBy ?? null), words.confirmNext],
      };
  }
}

const linkOf = (
  words: MessageWords,
  publicUrl: string,
  path: string | undefined,
): Pick<MessageText, 'link'> =>
  path === undefined ? {} : { link: { label: words.open, url: publicUrl + path } };

function describeAlert(
  event: 'alert.firing' | 'alert.over',
  data: AlertData,
  words: MessageWords,
  publicUrl: string,
): MessageText {
  const number = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 2 });
  const figure = (value: number): string => number.format(value) + unitOf(data.unit);
  const where = tame((data.site ?? data.environment ?? data.project).name);
  const named = Object.hasOwn(words.metrics, data.metric)
    ? words.metrics[data.metric as AlertMetric]
    : data.metric;
  const metric = tame(data.subject === undefined ? named : `${named} (${data.subject})`);
  const { value, baseline, threshold, changed = [] } = data;
  const limit =
    data.compare === 'above' || data.compare === 'below'
      ? figure(threshold ?? 0)
      : number.format(threshold ?? 0);
  return {
    subject: (event === 'alert.firing' ? words.firing : words.over)(tame(data.alert.name), where),
    lines: [
      value === null ? words.noValue(metric) : words.value(metric, figure(value)),
      ...(typeof baseline === 'number' ? [words.baseline(figure(baseline))] : []),
      words.threshold[data.compare](limit, data.forMinutes),
      words.since(timeOf(data.since, words)),
      ...(changed.length > 0 ? [words.changed] : []),
      ...changed.map((one) => `${tame(one.value)} ${one.change > 0 ? '+' : ''}${number.format(one.change)}`),
    ],
    ...linkOf(words, publicUrl, data.path),
  };
}

const unitOf = (unit: AlertData['unit']): string => (unit === 'percent' ? ' %' : unit === 'ms' ? ' ms' : '');

function timeOf(instant: string, { locale }: MessageWords): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return '';
  return time.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
}
