/**
 * Events of a tracking request that breaks a rule. Each event is checked alone: the fields that may be stored are kept, and an event
 * without any such field is refused (docs/tracker-protocol.md#events-that-break-a-rule).
 */
import * as v from 'valibot';
import { ruleOf, showPath } from '../rules.ts';
import { isCampaignField } from './page-address.ts';
import { tidyText } from './tidy-text.ts';
import { PROPERTY_LIMITS } from './track-message.ts';
import { MAX_NAME_LENGTH, MAX_TITLE_LENGTH, MAX_URL_LENGTH, Revenue, TrackEvent } from './track-request.ts';

export interface Repaired {
  events: TrackEvent[];
  /** Ids of the refused events. An event without a valid one has a new one. */
  invalid: string[];
  /** What was changed, left out and refused, as sentences for the page's author. They name fields and rules, and hold no value. */
  warnings: string[];
}

type Fields = Record<string, unknown>;
type Say = (keys: readonly unknown[], what: string) => void;

const MAX_WARNINGS = 20;
const MAX_DECIMALS = 4;
/** Names that reach an object's prototype if code copies them carelessly. */
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const isUuid = v.pipe(v.string(), v.uuid());

/** Never throws. `newId` makes a UUID. */
export function repairEvents(given: readonly unknown[], newId: () => string): Repaired {
  const warnings = new Set<string>();
  const say: Say = (keys, what) => {
    if (warnings.size < MAX_WARNINGS) warnings.add(`Vendor: ${showPath(keys)} ${what}`);
  };
  const events: TrackEvent[] = [];
  const invalid: string[] = [];
  for (const item of given) {
    if (!isFields(item)) {
      say(['event'], 'must be an object; the event was dropped.');
      invalid.push(newId());
      continue;
    }
    const event = repair(item, say);
    const result = v.safeParse(TrackEvent, event, { message: ruleOf, abortPipeEarly: true });
    if (result.success) events.push(result.output);
    else {
      const [issue] = result.issues;
      say(issue.path?.map(({ key }) => key) ?? ['event'], `${issue.message}; the event was dropped.`);
      invalid.push(v.is(isUuid, item.id) ? item.id : newId());
    }
  }
  return { events, invalid: [...new Set(invalid)], warnings: [...warnings] };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function repair(event: Fields, say: Say): Fields {
  const repaired = withoutUnknown(event, say);
  const { type, url, name, props, revenue, interactive } = repaired;
  if (typeof url === 'string') repaired.url = shortenAddress(url);
  if (props !== undefined) repaired.props = repairProps(props, say);
  if (revenue !== undefined) repaired.revenue = repairRevenue(revenue, say);
  if (type === 'event' && name !== '') repaired.name = cutText(name, MAX_NAME_LENGTH, ['name'], say);
  if (interactive !== undefined && typeof interactive !== 'boolean') {
    say(['interactive'], 'must be true or false; it was left out.');
    delete repaired.interactive;
  }
  if (type === 'pageview') repairView(repaired);
  return repaired;
}

/** A copy with the fields of its type. An event of no type that there is stays as it is, and is refused. */
function withoutUnknown(event: Fields, say: Say): Fields {
  const known = TrackEvent.options.find(({ entries }) => entries.type.literal === event.type)?.entries;
  return Object.fromEntries(
    Object.entries(event).filter(([key]) => {
      if (known === undefined || Object.hasOwn(known, key)) return true;
      say([key], 'is not a known field; it was left out.');
      return false;
    }),
  );
}

/** What the browser says of itself and the page's author can't help: repaired without a word. */
function repairView(view: Fields): void {
  const { title, language, screen, referrer } = view;
  if (typeof title === 'string') view.title = tidyText(title, MAX_TITLE_LENGTH);
  else delete view.title;
  const { entries } = TrackEvent.options[0];
  if (!v.is(entries.language, language)) delete view.language;
  if (!v.is(entries.screen, screen)) delete view.screen;
  if (v.is(entries.referrer, referrer)) return;
  view.referrer = typeof referrer === 'string' ? URL.parse(referrer)?.origin : undefined;
  if (!v.is(entries.referrer, view.referrer)) delete view.referrer;
}

/** Of the query of an address that is too long only the campaign is kept, and the fragment if there is room. */
function shortenAddress(url: string): string {
  if (url.length <= MAX_URL_LENGTH) return url;
  const [, page = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(url) ?? [];
  const pairs = query.split('&').filter((pair) => isCampaignField(pair.split('=', 1)[0] ?? ''));
  const short = `${page}?${pairs.join('&')}`;
  return [short + fragment, short].find(({ length }) => length <= MAX_URL_LENGTH) ?? page;
}

/** Text within a limit; anything else as it is. */
function cutText(value: unknown, max: number, keys: readonly unknown[], say: Say): unknown {
  if (typeof value !== 'string' || (value.length <= max && isStorable(value))) return value;
  say(
    keys,
    value.length > max
      ? `was cut to ${max} characters.`
      : 'had characters that can’t be stored; they were left out.',
  );
  return tidyText(value, max) ?? '';
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

function repairProps(props: unknown, say: Say): Fields | undefined {
  if (!isFields(props)) {
    say(['props'], 'must be an object; they were left out.');
    return undefined;
  }
  const { entries, keyLength, textLength } = PROPERTY_LIMITS;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(props)) {
    const keys = ['props', key];
    if (kept.length === entries) {
      say(['props'], `have at most ${entries} fields; the others were left out.`);
      break;
    }
    if (key.length > keyLength || !isStorable(key) || FORBIDDEN.has(key))
      say(keys, `needs another name, of at most ${keyLength} characters; it was left out.`);
    else if (typeof value === 'string') kept.push([key, cutText(value, textLength, keys, say)]);
    else if (typeof value === 'boolean' || Number.isFinite(value)) kept.push([key, value]);
    else say(keys, 'must be text, a number, true or false; it was left out.');
  }
  return Object.fromEntries(kept);
}

/** An amount may be a number, a currency in small letters, and both one text: `12.34 EUR`. */
function repairRevenue(revenue: unknown, say: Say): unknown {
  const parts = typeof revenue === 'string' ? splitRevenue(revenue) : revenue;
  if (isFields(parts)) {
    const { amount, currency } = parts;
    const repaired = {
      ...parts,
      amount: decimalOf(amount),
      currency: typeof currency === 'string' ? currency.trim().toUpperCase() : currency,
    };
    if (v.is(Revenue, repaired)) return repaired;
  }
  say(['revenue'], 'must be an amount, not negative, and a currency of ISO 4217; it was left out.');
  return undefined;
}

/** `1.50 EUR`. A longer text, like `1 EUR 50`, has no clear meaning. */
function splitRevenue(text: string): Fields {
  const [amount, currency, ...rest] = text.trim().split(/\s+/);
  return rest.length === 0 ? { amount, currency } : {};
}

/** A decimal number as text with at most four decimals; anything else as it is. */
function decimalOf(amount: unknown): unknown {
  if (typeof amount === 'number') return withoutZeros(amount.toFixed(MAX_DECIMALS));
  if (typeof amount !== 'string') return amount;
  const text = amount.trim();
  return /^\d{1,12}\.\d{5,40}$/.test(text) ? withoutZeros(Number(text).toFixed(MAX_DECIMALS)) : text;
}

const withoutZeros = (decimal: string): string =>
  decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
