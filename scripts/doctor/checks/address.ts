/** The service can be reached, over TLS, and its answers have the headers that protect its pages. */
import { connect } from 'node:tls';
import { type Check, type Finding, isLoopback, type Patient } from '../check.ts';

const TIMEOUT_MS = 10_000;
const DAY_MS = 86_400_000;
const EARLIEST_END_DAYS = 14;
const HEADERS = {
  'content-security-policy': /./,
  'x-content-type-options': /^nosniff$/,
  'strict-transport-security': /max-age=\d{7,}/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
} as const;

export const address: Check = {
  title: 'Address, TLS and headers',
  async run(patient) {
    const { url, contentUrl } = patient;
    const findings = (
      await Promise.all([url, contentUrl].map((one) => (one === undefined ? [] : checkOne(patient, one))))
    ).flat();
    return { findings, well: `${[url, contentUrl].filter(Boolean).join(' and ')} answer` };
  },
};

async function checkOne({ fetch, now }: Patient, url: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  let headers: Headers;
  try {
    const response = await fetch(`${url}/`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    headers = response.headers;
    if (response.status >= 500)
      findings.push({
        fault: `${url}/ answers ${response.status}.`,
        mend: 'npx wrangler tail vendor-gateway (or vendor-dashboard), and open the page: the log names what is missing',
      });
  } catch (error) {
    const { message, cause } = error as Error;
    return [
      {
        fault: `${url} can't be reached (${cause instanceof Error ? cause.message : message}).`,
        mend: isLoopback(url)
          ? 'npm run dev'
          : 'npm run setup   (it goes on where it stopped; a new address may need some minutes)',
      },
    ];
  }
  if (!isLoopback(url)) findings.push(...(await checkTls(url, now())));
  const missing = Object.entries(HEADERS).filter(([name, value]) => !value.test(headers.get(name) ?? ''));
  if (missing.length > 0)
    findings.push({
      fault: `Answers of ${url} lack ${missing.map(([name]) => name).join(', ')}: something between you and the service takes them away.`,
      mend: 'look at Rules → Transform Rules of the zone at https://dash.cloudflare.com, and at your proxy (docs/proxy.md)',
    });
  return findings;
}

async function checkTls(url: string, now: number): Promise<Finding[]> {
  if (!url.startsWith('https:'))
    return [{ fault: `${url} isn't encrypted.`, mend: 'use its https:// address everywhere' }];
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || 443, servername: hostname }, () => {
      const ends = Date.parse(socket.getPeerCertificate().valid_to);
      socket.end();
      const days = Math.floor((ends - now) / DAY_MS);
      resolve(
        days >= EARLIEST_END_DAYS
          ? []
          : [
              {
                fault: `The certificate of ${hostname} ends in ${days} days.`,
                mend: 'look at SSL/TLS → Edge Certificates of the zone at https://dash.cloudflare.com',
              },
            ],
      );
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', (error) =>
      resolve([
        {
          fault: `TLS of ${hostname} fails (${error.message}).`,
          mend: 'look at SSL/TLS of the zone at https://dash.cloudflare.com',
        },
      ]),
    );
  });
}
