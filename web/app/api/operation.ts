/** A detail of a refused input: where in it, and the rule. */
export interface ErrorDetail {
  path: string;
  message: string;
  /** The rule in the page’s language, if the view that sent the input knows it. */
  shown?: string;
}

/** What the service answered instead of data; `OFFLINE` if nothing came back. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly details: readonly ErrorDetail[];
  /** Seconds to wait, if the service said how long. */
  readonly retryAfter: number | undefined;

  constructor(
    code: string,
    message: string,
    {
      status = 0,
      details = [],
      retryAfter,
    }: { status?: number; details?: ErrorDetail[]; retryAfter?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** `token` opens a share with a password; other requests take the session's cookie. */
export type Operation<Input, Output> = (
  input: Input,
  signal?: AbortSignal,
  token?: string,
) => Promise<Output>;

/**
 * A request of the service with the session's cookie. Names in the path are taken from the input; what is left of it is the query of a GET
 * and a DELETE, else the body. Throws ApiError.
 */
export function operation<Input extends object, Output>(
  method: string,
  path: string,
): Operation<Input, Output> {
  return async (input, signal, token) => {
    const rest = Object.fromEntries(Object.entries(input));
    const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest[name];
      delete rest[name];
      return encodeURIComponent(String(value));
    });
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const response = await fetch(hasBody ? filledPath : filledPath + queryOf(rest), {
      method,
      headers: {
        ...(hasBody && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
      ...(hasBody && { body: JSON.stringify(rest) }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new ApiError('OFFLINE', 'There is no connection to the service.');
    });
    if (!response.ok) throw await errorOf(response);
    // 202 may come without a body, as 204 does.
    const hasJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
    return (hasJson ? await response.json() : undefined) as Output;
  };
}

/** `?a=1&b=x,y`; empty without parameters. Undefined ones are left out. */
export function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const { error, message, details } = (body ?? {}) as {
    error?: string;
    message?: string;
    details?: ErrorDetail[];
  };
  const wait = Number(response.headers.get('Retry-After'));
  return new ApiError(error ?? 'INTERNAL_ERROR', message ?? response.statusText, {
    status: response.status,
    ...(details && { details }),
    ...(wait > 0 && { retryAfter: wait }),
  });
}
