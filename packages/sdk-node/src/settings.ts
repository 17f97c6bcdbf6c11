/** What the SDK does, out of options and environment variables. Options come before `VENDOR_…`, and those before `OTEL_…`. */
import type { StartOptions } from '../index.d.ts';
import { readPageOrigins } from './pages/page-origins.ts';
import { sayOnce } from './say.ts';

const REVEALED = ['queryStrings', 'clientAddresses', 'userAgents', 'errorMessages'] as const;
/** What is left out unless it is asked for. */
export type Revealed = (typeof REVEALED)[number];

export interface Settings {
  /** Without a slash at its end. */
  endpoint: string;
  apiKey: string;
  serviceName: string;
  reveal: Record<Revealed, boolean>;
  shutdownMs: number;
  /** Pages of these origins learn which trace answered them. */
  pageOrigins: ReadonlySet<string>;
}

/** Not started: why, or `undefined` if that is what the operator wants. */
export interface Inactive {
  reason: string | undefined;
}

const DEFAULT_SHUTDOWN_MS = 2000;
const MAX_SHUTDOWN_MS = 60_000;
/** What an HTTP header may have. */
const VISIBLE_ASCII = /^[!-~]+$/;

/** Never throws. */
export function readSettings(options: StartOptions, env: NodeJS.ProcessEnv): Settings | Inactive {
  if (isTrue(env.OTEL_SDK_DISABLED)) return { reason: undefined };
  const endpoint = textOf(options.endpoint ?? env.VENDOR_ENDPOINT);
  const apiKey = textOf(options.apiKey ?? env.VENDOR_API_KEY);
  const serviceName = textOf(options.serviceName ?? env.VENDOR_SERVICE_NAME ?? env.OTEL_SERVICE_NAME);
  const missing = [
    !endpoint && 'VENDOR_ENDPOINT',
    !apiKey && 'VENDOR_API_KEY',
    !serviceName && 'VENDOR_SERVICE_NAME',
  ].filter((name) => name !== false);
  if (missing.length > 0)
    return {
      reason: `nothing is sent: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not set.`,
    };
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    return { reason: 'nothing is sent: VENDOR_ENDPOINT must be an address such as https://vendor.example.' };
  if (!VISIBLE_ASCII.test(apiKey))
    return { reason: 'nothing is sent: VENDOR_API_KEY has characters that a key never has.' };
  return {
    endpoint: url.href.replace(/\/+$/, ''),
    apiKey,
    serviceName,
    reveal: readReveal(options.reveal, env.VENDOR_REVEAL),
    shutdownMs: readMs(options.shutdownMs),
    pageOrigins: readPageOrigins(options.pageOrigins ?? env.VENDOR_PAGE_ORIGINS),
  };
}

/** `options.reveal` if it is given, else the names in `VENDOR_REVEAL`, with commas between them. What is no such name is said. */
function readReveal(options: StartOptions['reveal'], text = ''): Settings['reveal'] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.filter((name) => !REVEALED.some((one) => one === name));
  if (unknown.length > 0)
    sayOnce(
      `VENDOR_REVEAL has "${unknown.join(',').slice(0, 100)}", which it doesn't know; it knows ${REVEALED.join(', ')}.`,
    );
  const isRevealed = (name: Revealed): boolean => (options ? options[name] === true : names.includes(name));
  return {
    queryStrings: isRevealed('queryStrings'),
    clientAddresses: isRevealed('clientAddresses'),
    userAgents: isRevealed('userAgents'),
    errorMessages: isRevealed('errorMessages'),
  };
}

const isTrue = (value: string | undefined): boolean => value?.trim().toLowerCase() === 'true';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const readMs = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, MAX_SHUTDOWN_MS) : DEFAULT_SHUTDOWN_MS;
