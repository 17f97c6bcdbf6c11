import Bowser from 'bowser';
import { MAX_USER_AGENT_LENGTH } from './bot.ts';
import type { ClientHints } from './client-hints.ts';

export const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'other'] as const;

export interface Device {
  device: (typeof DEVICES)[number];
  browser?: string;
  os?: string;
}

/** Common names, where the parser's differ. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'Microsoft Edge': 'Edge',
  'Samsung Internet for Android': 'Samsung Internet',
  'NAVER Whale Browser': 'Whale',
  'UC Browser': 'UC',
  'Yandex Browser': 'Yandex',
  'QQ Browser': 'QQ',
  'QQ Browser Lite': 'QQ',
  'Sogou Browser': 'Sogou',
};

/** Brands of client hints. Others mean nothing: every browser names `Chromium` too, and one made-up brand (GREASE). */
const BRANDS: Readonly<Record<string, string>> = {
  'Google Chrome': 'Chrome',
  HeadlessChrome: 'Chrome',
  'Microsoft Edge': 'Edge',
  'Microsoft Edge WebView2': 'Edge',
  Brave: 'Brave',
  Opera: 'Opera',
  'Opera GX': 'Opera GX',
  'Opera Mini': 'Opera Mini',
  OperaMobile: 'Opera',
  Vivaldi: 'Vivaldi',
  'Samsung Internet': 'Samsung Internet',
  YaBrowser: 'Yandex',
  Yowser: 'Yandex',
  Whale: 'Whale',
  DuckDuckGo: 'DuckDuckGo',
  'Avast Secure Browser': 'Avast Secure Browser',
  'AVG Secure Browser': 'AVG Secure Browser',
  'Norton Private Browser': 'Norton Private Browser',
  'CCleaner Browser': 'CCleaner Browser',
  'Amazon Silk': 'Amazon Silk',
};

const PLATFORMS: Readonly<Record<string, string>> = {
  Windows: 'Windows',
  macOS: 'macOS',
  Linux: 'Linux',
  Android: 'Android',
  'Chrome OS': 'Chrome OS',
  'Chromium OS': 'Chrome OS',
  iOS: 'iOS',
};
const DESKTOPS = new Set(['Windows', 'macOS', 'Linux', 'Chrome OS']);

/** For an unknown browser the parser returns a part of the user agent itself, which must not be stored. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/**
 * The kind of device and the names (without versions) of browser and operating system. Client hints come first if there are any:
 * nothing else distinguishes Brave from Chrome. Never throws.
 */
export function parseDevice(userAgent: string, hints: ClientHints = { brands: [] }): Device {
  const known = userAgent.slice(0, MAX_USER_AGENT_LENGTH).trim();
  if (known === '') return { device: 'other' };
  const { browser, os, platform } = Bowser.parse(known);
  const system = own(PLATFORMS, hints.platform) ?? (SYSTEMS.has(os.name ?? '') ? os.name : undefined);
  const parsed: Device = { device: classOf(platform.type, system, hints) };
  const name =
    hinted(hints.brands) ??
    (browser.name !== undefined && BROWSERS.has(browser.name)
      ? (SHORT_NAMES[browser.name] ?? browser.name)
      : undefined);
  if (name !== undefined) parsed.browser = name;
  if (system !== undefined) parsed.os = system;
  return parsed;
}

/** The most specific brand: browsers built on Chrome may name Chrome too. */
function hinted(brands: readonly string[]): string | undefined {
  const names = brands.flatMap((brand) => own(BRANDS, brand) ?? []);
  return names.find((name) => name !== 'Chrome') ?? names[0];
}

const own = (record: Readonly<Record<string, string>>, key: string | undefined): string | undefined =>
  key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** Only the user agent names televisions and tablets; a tablet that isn't named sends no `mobile`. */
function classOf(
  type: string | undefined,
  system: string | undefined,
  { mobile, platform }: ClientHints,
): Device['device'] {
  if (type === 'tv' || type === 'tablet') return type;
  if (mobile === true) return 'mobile';
  if (mobile === false && platform === 'Android') return 'tablet';
  if (type === 'desktop' || type === 'mobile') return type;
  return (mobile === false && DESKTOPS.has(system ?? '')) || system === 'Chrome OS' ? 'desktop' : 'other';
}
