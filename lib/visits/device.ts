import Bowser from 'bowser';
import { MAX_USER_AGENT_LENGTH } from './bot.ts';
import type { TrackMessage } from './message.ts';

export interface Device {
  device: NonNullable<TrackMessage['device']>;
  browser?: string;
  os?: string;
}

/** Names as people say them, where the parser's differ. */
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

/** For what it doesn't know, the parser makes a name of the user agent itself, which must not be stored. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/** The kind of device and the names (no versions) of browser and operating system that a user agent tells. Never throws. */
export function parseDevice(userAgent: string): Device {
  const known = userAgent.slice(0, MAX_USER_AGENT_LENGTH).trim();
  if (known === '') return { device: 'other' };
  const { browser, os, platform } = Bowser.parse(known);
  const parsed: Device = { device: classOf(platform.type, os.name) };
  if (browser.name !== undefined && BROWSERS.has(browser.name)) {
    parsed.browser = SHORT_NAMES[browser.name] ?? browser.name;
  }
  if (os.name !== undefined && SYSTEMS.has(os.name)) parsed.os = os.name;
  return parsed;
}

function classOf(type: string | undefined, os: string | undefined): Device['device'] {
  switch (type) {
    case 'desktop':
    case 'mobile':
    case 'tablet':
    case 'tv':
      return type;
    default:
      return os === 'Chrome OS' ? 'desktop' : 'other';
  }
}
