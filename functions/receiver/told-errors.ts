import type { Next } from 'hono';
import { DomainError, type ErrorDetail } from '../../lib/errors.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { noteError, type ToldError } from '../../lib/telemetry/note-error.ts';
import { contextOf, type KnownRequest } from './resources.ts';

/**
 * Stores which error a sender with a known key got, so that the environment's members see it. Runs after the answer, at most once per some
 * seconds, so that a broken sender costs little. The service's own faults are only logged.
 */
export const noteErrors = (signal: ToldError['signal']) =>
  async function noteErrors(c: KnownRequest, next: Next): Promise<void> {
    await next();
    if (c.res.status >= 400 && c.res.status < 500 && c.error instanceof DomainError)
      note(c, { signal, status: c.res.status, message: sentenceOf(c.error) });
  };

/** Stores a warning that a sender got with status 200, because not everything was accepted as it was sent. */
export function note(c: KnownRequest, told: ToldError): void {
  const ctx = contextOf(c);
  if (c.var.resources.mayNote(`${ctx.actor.environmentKey} ${told.signal}`))
    afterwards(c, 'receiver', noteError(ctx, told));
}

type Told = { message: string; details?: readonly ErrorDetail[] | undefined };

/** The text of an error, with the broken rules. */
export const sentenceOf = ({ message, details = [] }: Told): string =>
  [message, ...details.map(({ path, message: rule }) => `${path} ${rule}.`)].join(' ');
