/** What went wrong in a request to the provider, with what the operator does next. */
export class ProviderError extends Error {
  /** Whether the same request may succeed later: a time-out, a lost connection, 429 or 5xx. */
  readonly passing: boolean;
  /** 0: there was no answer. */
  readonly status: number;
  /** The provider's own number of the fault, if it named one. */
  readonly code: number | undefined;

  constructor(
    message: string,
    { status, code, cause }: { status: number; code?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause });
    this.name = 'ProviderError';
    this.status = status;
    this.code = code;
    this.passing = status === 0 || status === 429 || status >= 500;
  }
}

const PERMISSIONS =
  'The token may not do this. Make one at https://dash.cloudflare.com/profile/api-tokens with the permissions Workers Scripts: Edit, ' +
  'Queues: Edit, Account Settings: Read, and for a host of yours Workers Routes: Edit, Zone: Read and DNS: Edit of its zone.';

/** What to do about an answer of this status. */
export function adviceOf(status: number): string {
  if (status === 401)
    return 'Cloudflare doesn’t know this token. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN to one that is valid.';
  if (status === 403) return PERMISSIONS;
  if (status === 0 || status === 429 || status >= 500)
    return 'That passes: run the same command again, and it goes on where it stopped. https://www.cloudflarestatus.com says if it lasts.';
  return 'Run the same command again. If it stays so, https://dash.cloudflare.com shows what is there.';
}
