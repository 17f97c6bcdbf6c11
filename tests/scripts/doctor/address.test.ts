/** What `npm run doctor` says of an address: its name, its certificate and the headers of its answers. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Patient } from '../../../scripts/doctor/check.ts';
import { address } from '../../../scripts/doctor/checks/address.ts';
import { KEY, OF_ANOTHER, OF_LOCALHOST } from './certificates.ts';

const DAY_MS = 86_400_000;
const ENDS = Date.parse('2126-10-30T18:00:00Z');
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};
const trusted = getCACertificates('default');

let server: Server | undefined;
beforeEach(() => setDefaultCACertificates([...trusted, OF_LOCALHOST, OF_ANOTHER]));
afterEach(() => {
  setDefaultCACertificates(trusted);
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** Starts a server with this certificate, and returns what the doctor finds. */
async function examine(certificate: string, headers = HEADERS, now = Date.now) {
  server = createServer({ key: KEY, cert: certificate }, (_, response) => {
    response.writeHead(200, headers).end();
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return findingsOf(`https://localhost:${(server.address() as AddressInfo).port}`, now);
}

async function findingsOf(url: string, now = Date.now) {
  const patient = { url, contentUrl: undefined, fetch, now } as Partial<Patient> as Patient;
  return (await address.run(patient)).findings;
}

const ofZone = expect.stringMatching(/SSL\/TLS .* https:\/\/dash\.cloudflare\.com/);

test('a certificate that is right', async () => {
  expect(await examine(OF_LOCALHOST)).toEqual([]);
});

test('a certificate of another host', async () => {
  expect(await examine(OF_ANOTHER)).toEqual([
    { fault: 'The certificate of localhost is of another host (DNS:other.example).', mend: ofZone },
  ]);
});

test('a certificate that nobody trusts', async () => {
  setDefaultCACertificates(trusted);
  expect(await examine(OF_LOCALHOST)).toEqual([
    {
      fault: "The certificate of localhost isn't trusted (DEPTH_ZERO_SELF_SIGNED_CERT).",
      mend: ofZone,
    },
  ]);
});

test.each([
  [ENDS - 5 * DAY_MS, 'ends in 5 days'],
  [ENDS + 2 * DAY_MS, 'ended 2 days ago'],
])('at %s a certificate %s', async (now, fault) => {
  expect(await examine(OF_LOCALHOST, HEADERS, () => now)).toEqual([
    { fault: `The certificate of localhost ${fault}.`, mend: ofZone },
  ]);
});

test.each(Object.keys(HEADERS))('answers without %s', async (name) => {
  const { [name]: _, ...rest } = HEADERS;
  expect(await examine(OF_LOCALHOST, rest)).toEqual([
    {
      fault: expect.stringContaining(`lack ${name.toLowerCase()}:`),
      mend: expect.stringMatching(/Transform Rules .* https:\/\/dash\.cloudflare\.com/),
    },
  ]);
});

test('HSTS of a minute', async () => {
  const short = { ...HEADERS, 'Strict-Transport-Security': 'max-age=60' };
  expect(await examine(OF_LOCALHOST, short)).toEqual([
    expect.objectContaining({ fault: expect.stringContaining('lack strict-transport-security:') }),
  ]);
});

test('a name that doesn’t resolve', async () => {
  expect(await findingsOf('https://nowhere.invalid')).toEqual([
    {
      fault: expect.stringMatching(/^nowhere\.invalid doesn't resolve \((ENOTFOUND|EAI_AGAIN)\)\.$/),
      mend: expect.stringContaining('npm run setup'),
    },
  ]);
});

test('an address without encryption, that nobody has', async () => {
  const faults = (await findingsOf('http://nowhere.invalid')).map(({ fault }) => fault);
  expect(faults).toContain("http://nowhere.invalid isn't encrypted.");
});
