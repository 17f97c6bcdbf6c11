/** Page views of a site with some traffic: many visitors, few kinds of browser, and some offices that share an address. */
import { randomInt, randomUUID } from 'node:crypto';
import { ADDRESSES, addressOf } from './load-address.ts';

/** Enough addresses that none comes near its limit, while each needs a booking in Redis. */
const OFFICES = 50;
const OFFICE_SHARE = 0.1;
const PAGES = 200;
const VERSIONS = 30;

const LANGUAGES = ['en-GB', 'de-DE', 'pt-PT', 'es-ES', 'en-US'];
const SCREENS = ['1920x1080', '390x844', '1440x900', '412x915'];
const REFERRERS = [
  '',
  '',
  'https://www.google.com/',
  'https://news.ycombinator.com/',
  'https://forum.example/t/12',
];
/** Visitors from Portugal are asked for consent and stay at tier 2; those from the United States are at tier 3. */
const COUNTRIES = ['PT', 'US'];

const CHROMIUM = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const USER_AGENTS: readonly ((version: number) => string)[] = [
  (n) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Chrome/${n}.0.0.0 Safari/537.36`,
  (n) =>
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROMIUM} Chrome/${n}.0.0.0 Safari/537.36 Edg/${n}.0.0.0`,
  (n) => `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROMIUM} Chrome/${n}.0.0.0 Safari/537.36`,
  (n) => `Mozilla/5.0 (Linux; Android 10; K) ${CHROMIUM} Chrome/${n}.0.0.0 Mobile Safari/537.36`,
  (n) => `Mozilla/5.0 (X11; Linux x86_64; rv:${n}.0) Gecko/20100101 Firefox/${n}.0`,
  (n) =>
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${n % 8} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${n % 8} Mobile/15E148 Safari/604.1`,
];

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;

export interface PageViewRequest {
  headers: Record<string, string>;
  body: string;
}

/** A tracking request with new ids, as the script sends it. */
export function makePageView(siteId: string): PageViewRequest {
  const country = pick(COUNTRIES);
  const view = {
    id: randomUUID(),
    type: 'pageview',
    pageId: randomUUID(),
    url: `https://example.com/articles/${randomInt(PAGES)}?utm_source=newsletter&session=${randomInt(1e9)}`,
    referrer: pick(REFERRERS),
    title: 'How to change strings',
    language: pick(LANGUAGES),
    screen: pick(SCREENS),
  };
  const visitor = country === 'US' ? { visitorId: randomUUID() } : {};
  return {
    headers: {
      'Content-Type': 'text/plain;charset=UTF-8',
      'User-Agent': pick(USER_AGENTS)(100 + randomInt(VERSIONS)),
      'X-Dev-Country': country,
      'X-Forwarded-For': pickAddress(),
    },
    body: JSON.stringify({ site: siteId, ...visitor, events: [view] }),
  };
}

function pickAddress(): string {
  const isOffice = Math.random() < OFFICE_SHARE;
  return isOffice ? `198.20.0.${randomInt(OFFICES)}` : addressOf(randomInt(ADDRESSES));
}
