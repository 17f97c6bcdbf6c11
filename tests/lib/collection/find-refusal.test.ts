import { describe, expect, test } from 'vitest';
import { findRefusal, type Suspect } from '../../../lib/collection/find-refusal.ts';
import { HOSTING_NETWORKS } from '../../../lib/collection/lists/hosting-networks.ts';
import { SPAM_REFERRERS } from '../../../lib/collection/lists/spam-referrers.ts';
import { sampleEvents, sampleRequest } from './track-sample.ts';

const refusalOf = (changes: Partial<Suspect>, exceptions: number[] = []) =>
  findRefusal(
    { robot: false, headers: new Headers(), network: undefined, request: sampleRequest(), ...changes },
    new Set(exceptions),
  );

test('a person is not refused, nor whom the edge says nothing of', () => {
  expect(refusalOf({ network: 3243 })).toBeUndefined();
  expect(refusalOf({ network: undefined })).toBeUndefined();
});

test('a robot, and a page loaded ahead', () => {
  expect(refusalOf({ robot: true, network: 24940 })).toBe('bot');
  expect(refusalOf({ headers: new Headers({ 'Sec-Purpose': 'prefetch;prerender' }) })).toBe('bot');
});

describe('networks', () => {
  test.each([
    [16509, 'Amazon'],
    [396982, 'Google Cloud'],
    [8075, 'Microsoft'],
    [24940, 'Hetzner'],
    [16276, 'OVH'],
    [14061, 'DigitalOcean'],
  ])('%i, %s, rents out servers', (network) => expect(refusalOf({ network })).toBe('datacenter'));

  test.each([
    [13335, 'Cloudflare: WARP, Private Relay'],
    [36183, 'Akamai: Private Relay'],
    [20940, 'Akamai'],
    [54113, 'Fastly: Private Relay'],
    [714, 'Apple'],
    [15169, 'Google: its VPN'],
    [22616, 'Zscaler'],
    [55256, 'Netskope'],
    [36692, 'Cisco Umbrella'],
    [9009, 'M247: VPNs'],
    [212238, 'Datacamp: VPNs'],
    [60781, 'Leaseweb: VPNs'],
    [62371, 'Proton'],
    [209854, 'Surfshark'],
    [3243, 'MEO'],
    [7922, 'Comcast'],
  ])('%s, %s, carries people', (network) => expect(refusalOf({ network })).toBeUndefined());

  test('an exception carries people, and so does a browser in the cloud', () => {
    expect(refusalOf({ network: 16509 }, [16509])).toBeUndefined();
    const silk = 'Mozilla/5.0 (Linux; Android 11; KFTRWI) Chrome/138.0.7204.179 like Chrome Silk/138.8.1';
    expect(refusalOf({ network: 16509, headers: new Headers({ 'User-Agent': silk }) })).toBeUndefined();
  });

  test('each owner has one, and none is listed twice', () => {
    for (const networks of Object.values(HOSTING_NETWORKS)) expect(networks).not.toEqual([]);
    const all = Object.values(HOSTING_NETWORKS).flat();
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('referrers', () => {
  const [view, ...rest] = sampleEvents();
  const from = (referrer: string) => {
    if (view?.type !== 'pageview') throw new Error('sample');
    return refusalOf({ request: sampleRequest({ events: [...rest, { ...view, referrer }] }) });
  };
  test.each(['https://semalt.com/', 'http://www.semalt.com/crawler.php', 'https://a.b.darodar.com'])(
    '%s is spam',
    (referrer) => expect(from(referrer)).toBe('spam'),
  );
  test.each([
    '',
    'https://notsemalt.com/',
    'https://semalt.com.example/',
    'https://www.google.com/semalt.com',
  ])('%j is none', (referrer) => expect(from(referrer)).toBeUndefined());
  test('each of the list is a host as the URL parser gives it', () => {
    for (const host of SPAM_REFERRERS.trim().split(/\s+/)) {
      expect(URL.parse(`https://${host}/`)?.hostname).toBe(host);
      expect(from(`https://${host}/`)).toBe('spam');
    }
  });
});
