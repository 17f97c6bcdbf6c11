import { DomainError } from '../errors.ts';
import { type Answer, noAnswer } from './post-out.ts';
import type { SenderContext } from './sender-context.ts';

export const accepted: Answer = { status: 202, body: '', fault: null, allowsMore: false };

/** Sends a mail and says what came of it. Never throws. */
export async function sendOne(
  { sendMail }: SenderContext,
  mail: Parameters<NonNullable<SenderContext['sendMail']>>[0],
): Promise<Answer> {
  try {
    await sendMail?.(mail);
    return accepted;
  } catch (error) {
    const cause = error instanceof DomainError ? error.cause : error;
    return noAnswer(
      cause instanceof Error && cause.message.startsWith('The mail service')
        ? cause.message
        : 'The mail service is out of reach.',
    );
  }
}
