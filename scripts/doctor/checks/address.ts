/** The service can be reached, over TLS, and its answers have the headers that protect its pages. */
import { checkServerIdentity, connect, type PeerCertificate } from 'node:tls';
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
  const findings = await checkTls(url, now());
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
    // A certificate that nobody accepts is the reason, and is reported already.
    return findings.length > 0 ? findings : [unreached(url, error as Error)];
  }
  const missing = Object.entries(HEADERS).filter(([name, value]) => !value.test(headers.get(name) ?? ''));
  if (missing.length > 0)
    findings.push({
      fault: `Answers of ${url} lack ${missing.map(([name]) => name).join(', ')}: something between you and the service takes them away.`,
      mend: 'look at Rules → Transform Rules of the zone at https://dash.cloudflare.com, and at your proxy (docs/proxy.md)',
    });
  return findings;
}

function unreached(url: string, { message, cause }: Error): Finding {
  if (cause instanceof Error && 'code' in cause && ['ENOTFOUND', 'EAI_AGAIN'].includes(String(cause.code)))
    return {
      fault: `${new URL(url).hostname} doesn't resolve (${String(cause.code)}).`,
      mend: 'npm run setup   (it makes the DNS record of a host in your zone; a new one may need some minutes)',
    };
  return {
    fault: `${url} can't be reached (${cause instanceof Error ? cause.message : message}).`,
    mend: isLoopback(url)
      ? 'npm run dev'
      : 'npm run setup   (it goes on where it stopped; a new address may need some minutes)',
  };
}

/** Nothing if no certificate is shown: then the address can't be reached, which another check reports. */
async function checkTls(url: string, now: number): Promise<Finding[]> {
  if (!url.startsWith('https:'))
    return isLoopback(url)
      ? []
      : [
          {
            fault: `${url} isn't encrypted.`,
            mend: 'npm run doctor -- https://…, and use this address everywhere',
          },
        ];
  const { hostname, port } = new URL(url);
  const shown = await readCertificate(hostname, Number(port) || 443);
  if (shown === undefined) return [];
  const { certificate, distrust } = shown;
  const fault = faultOf(hostname, certificate, now) ?? (distrust && `isn't trusted (${distrust})`);
  return fault === undefined
    ? []
    : [
        {
          fault: `The certificate of ${hostname} ${fault}.`,
          mend: 'look at SSL/TLS → Edge Certificates of the zone at https://dash.cloudflare.com',
        },
      ];
}

function faultOf(hostname: string, certificate: PeerCertificate, now: number): string | undefined {
  const days = Math.floor((Date.parse(certificate.valid_to) - now) / DAY_MS);
  if (days < 0) return `ended ${-days} days ago`;
  if (checkServerIdentity(hostname, certificate) !== undefined)
    return `is of another host (${certificate.subjectaltname ?? certificate.subject.CN})`;
  return days < EARLIEST_END_DAYS ? `ends in ${days} days` : undefined;
}

interface Shown {
  certificate: PeerCertificate;
  /** Why this machine doesn't trust it. */
  distrust: string | undefined;
}

/** The certificate that the host shows, whatever it is worth. Nothing but the handshake is done with it. */
const readCertificate = (hostname: string, port: number): Promise<Shown | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: hostname, port, servername: hostname, rejectUnauthorized: false }, () => {
      const certificate = socket.getPeerCertificate();
      const { authorizationError } = socket;
      socket.end();
      resolve({ certificate, distrust: authorizationError ? String(authorizationError) : undefined });
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', () => resolve(undefined));
  });
