/** A report by mail: text, and HTML without remote content. Paths, sources and names in it were written by strangers. */
import type { Language } from '../languages.ts';
import type { Mail } from '../mail.ts';
import { button, escapeHtml, FONT, footerLink, heading, mailPage, paragraph } from './mail-page.ts';
import { tame } from './message-text.ts';
import type { ReportFigures } from './report-figures.ts';
import { REPORT_WORDS, type ReportWords } from './report-words.ts';
import { unsubscribeHeaders } from './write-message-mail.ts';

export interface ReportMailOptions {
  site: string;
  /** Days of the site's zone, inclusive. */
  from: string;
  to: string;
  figures: ReportFigures;
  language: Language;
  url: string;
  unsubscribeUrl: string;
  id: string;
}

interface Figure {
  label: string;
  value: string;
  change: string;
  rises: boolean | null;
}

interface List {
  title: string;
  rows: { name: string; count: string }[];
}

export function writeReportMail(options: ReportMailOptions): Omit<Mail, 'to'> {
  const { figures, language, url, unsubscribeUrl, id } = options;
  const words = REPORT_WORDS[language];
  const number = new Intl.NumberFormat(words.locale);
  const title = words.title(tame(options.site));
  const range = rangeOf(options.from, options.to, words);
  const head = [range, ...(figures.segment === null ? [] : [words.segment(tame(figures.segment))])];
  const shown = figures.observed ? figuresOf(figures, words) : [];
  const hasChange = shown.some(({ rises }) => rises !== null);
  const rowsOf = (rows: ReportFigures['pages']) =>
    rows.map(({ name, count }) => ({ name: tame(name), count: number.format(count) }));
  const lists: List[] = figures.observed
    ? [
        { title: words.pages, rows: rowsOf(figures.pages) },
        { title: words.sources, rows: rowsOf(figures.sources) },
        ...(figures.goals.length > 0
          ? [
              {
                title: words.goals,
                rows: figures.goals.map(({ name, count, apart }) => ({
                  name: `${tame(name)}${apart > 0 ? ` (${words.apart(number.format(apart))})` : ''}`,
                  count: number.format(count),
                })),
              },
            ]
          : []),
      ]
    : [];
  const notes = [
    ...(figures.observed ? [] : [words.nothing]),
    ...(figures.dropped > 0 ? [words.dropped(number.format(figures.dropped))] : []),
  ];
  return {
    subject: `${title}, ${range}`,
    id,
    headers: unsubscribeHeaders(unsubscribeUrl),
    text: [
      [title, ...head].join('\n'),
      shown
        .map(({ label, value, change }) => `${label}: ${value}${change === '' ? '' : ` (${change})`}`)
        .join('\n'),
      hasChange ? words.against : '',
      ...lists.map(({ title: name, rows }) =>
        [
          name,
          ...(rows.length > 0 ? rows.map((row) => `  ${row.count}  ${row.name}`) : [`  ${words.noRows}`]),
        ].join('\n'),
      ),
      notes.join('\n'),
      `${words.open}: ${url}`,
      ['-- ', words.why, `${words.unsubscribe}: ${unsubscribeUrl}`, ''].join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    html: mailPage({
      language,
      title,
      body: [
        heading(title),
        ...head.map(paragraph),
        figuresTable(shown),
        ...(hasChange ? [note(words.against)] : []),
        ...lists.map((list) => listTable(list, words)),
        ...notes.map(paragraph),
        button(words.open, url),
      ].join('\n'),
      footer: `${paragraph(words.why)}${footerLink(words.unsubscribe, unsubscribeUrl)}`,
    }),
  };
}

/** Days with what they have in common said once: 16–22 November 2026. */
const rangeOf = (from: string, to: string, { locale }: ReportWords): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).formatRange(Date.parse(from), Date.parse(to));

function figuresOf(figures: ReportFigures, words: ReportWords): Figure[] {
  const number = new Intl.NumberFormat(words.locale);
  const percent = new Intl.NumberFormat(words.locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  });
  const rate = new Intl.NumberFormat(words.locale, { style: 'percent', maximumFractionDigits: 1 });
  const figure = (label: string, value: number, change: number | null): Figure => ({
    label,
    value: number.format(value),
    change: change === null ? words.noChange : percent.format(change / 100),
    rises: change === null || change === 0 ? null : change > 0,
  });
  return [
    figure(words.visitors, figures.visitors, figures.visitorsChange),
    figure(words.visits, figures.visits, figures.visitsChange),
    figure(words.pageviews, figures.pageviews, figures.pageviewsChange),
    {
      label: words.bounceRate,
      value: figures.bounceRate === null ? '–' : rate.format(figures.bounceRate / 100),
      change: '',
      rises: null,
    },
  ];
}

const note = (text: string): string =>
  `<p class="soft" style="${FONT}margin:-12px 0 20px;font-size:13px;color:#5c6573">${escapeHtml(text)}</p>`;

/** One figure a row, which fits 320 px too. */
function figuresTable(figures: readonly Figure[]): string {
  if (figures.length === 0) return '';
  const rows = figures.map(
    ({ label, value, change, rises }) => `<tr>
<td class="text line" style="${FONT}padding:8px 0;border-bottom:1px solid #dfe2e7;color:#1b1f26">${escapeHtml(label)}</td>
<td class="text line" align="right" style="${FONT}padding:8px 0;border-bottom:1px solid #dfe2e7;color:#1b1f26;font-size:18px;font-weight:600;white-space:nowrap">${escapeHtml(value)}</td>
<td class="${rises === null ? 'soft' : rises ? 'up' : 'down'} line" align="right" style="${FONT}padding:8px 0 8px 12px;border-bottom:1px solid #dfe2e7;font-size:14px;white-space:nowrap;color:${rises === null ? '#5c6573' : rises ? '#1a6b35' : '#a3271f'}">${escapeHtml(change)}</td>
</tr>`,
  );
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 20px">${rows.join('')}</table>`;
}

function listTable({ title, rows }: List, words: ReportWords): string {
  const body = rows.map(
    ({ name, count }) => `<tr>
<td class="text" style="${FONT}padding:4px 0;color:#1b1f26;font-size:15px;word-break:break-word">${escapeHtml(name)}</td>
<td class="text" align="right" valign="top" style="${FONT}padding:4px 0 4px 16px;color:#1b1f26;font-size:15px;white-space:nowrap">${escapeHtml(count)}</td>
</tr>`,
  );
  return `<h2 class="text" style="${FONT}font-size:15px;margin:20px 0 4px;color:#1b1f26">${escapeHtml(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 12px">${body.length > 0 ? body.join('') : `<tr><td class="soft" style="${FONT}color:#5c6573">${escapeHtml(words.noRows)}</td></tr>`}</table>`;
}
