import type { Next } from 'hono';
import { DomainError, type ErrorDetail } from '../../lib/errors.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { noteError, type SenderError } from '../../lib/telemetry/note-error.ts';
import { contextOf, type KnownRequest } from './resources.ts';

/** Statuses after which a sender gives the whole request up. It sends again after 429. */
const GIVEN_UP = [400, 413, 415];

/**
 * Stores which error a sender with a known key got, and that its request was dropped, so that the environment's members see it. Runs
 * after the answer. The service's own faults are only logged.
 */
export const noteErrors = (signal: SenderError['signal']) =>
  async function noteErrors(c: KnownRequest, next: Next): Promise<void> {
    await next();
    const { status } = c.res;
    if (status < 400 || status >= 500 || !(c.error instanceof DomainError)) return;
    const dropped = GIVEN_UP.includes(status) ? { request: 1 } : status === 409 ? { conflict: 1 } : undefined;
    note(c, { signal, status, message: sentenceOf(c.error), dropped });
  };

/** Stores a warning that a sender got with status 200, because not everything was accepted as it was sent. */
export function note(c: KnownRequest, senderError: SenderError): void {
  const ctx = contextOf(c);
  const key = `${ctx.actor.environmentKey} ${senderError.signal}`;
  const noted = c.var.resources.noteLater(key, { ...senderError, atMs: ctx.now() }, (error) =>
    noteError(ctx, error),
  );
  afterwards(c, 'receiver', noted);
}

type ErrorText = { message: string; details?: readonly ErrorDetail[] | undefined };

/** The text of an error, with the broken rules. */
export const sentenceOf = ({ message, details = [] }: ErrorText): string =>
  [message, ...details.map(({ path, message: rule }) => `${path || 'It'} ${rule}.`)].join(' ');
