import type { Next } from 'hono';
import { DomainError, type ErrorDetail } from '../../lib/errors.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { noteError, type ToldError } from '../../lib/telemetry/note-error.ts';
import { contextOf, type KnownRequest } from './resources.ts';

/**
 * Notes for the environment's members what a sender with a known key was told of a signal, after the answer, and at most once in some
 * seconds: a sender that is broken costs little. Our own faults aren't its: they are in the log.
 */
export const noteErrors = (signal: ToldError['signal']) =>
  async function noteErrors(c: KnownRequest, next: Next): Promise<void> {
    await next();
    if (c.res.status >= 400 && c.res.status < 500 && c.error instanceof DomainError)
      note(c, { signal, status: c.res.status, message: sentenceOf(c.error) });
  };

/** The same of what was answered 200, though not all was taken as it came. */
export function note(c: KnownRequest, told: ToldError): void {
  const ctx = contextOf(c);
  if (c.var.resources.mayNote(`${ctx.actor.environmentKey} ${told.signal}`))
    afterwards(c, 'receiver', noteError(ctx, told));
}

type Told = { message: string; details?: readonly ErrorDetail[] | undefined };

/** What an error tells, with the rules that were broken. */
export const sentenceOf = ({ message, details = [] }: Told): string =>
  [message, ...details.map(({ path, message: rule }) => `${path} ${rule}.`)].join(' ');
