import type { Failure } from './ask.ts';
import { data } from './page.ts';

const { language, words } = data;

/** What the service adds for readers who don't see `Retry-After`. */
const WAIT = / Wait \d+ seconds? before the next try\.$/;

/** The failure as a sentence for people. The service's own message is the fallback. */
export function sentenceOf({ status, message, retryAfter }: Failure): string {
  if (status === 429) return words.tooMany.replace('{when}', whenIn(retryAfter));
  if (status === 403 && location.origin !== new URL(data.address).origin)
    return words.elsewhere.replace('{address}', data.address);
  return words.sentences[message.replace(WAIT, '')] ?? (message || words.unreachable);
}

/** Translates a rule such as `must have at least 10 characters` into the page's language. */
export function ruleOf(message: string): string {
  const [number = ''] = /\d+/.exec(message) ?? [];
  const known = words.rules[message] ?? words.rules[message.replace(number || '#', '#')];
  return known?.replace('#', number) ?? message;
}

function whenIn(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(language);
  return seconds > 90 ? format.format(Math.ceil(seconds / 60), 'minute') : format.format(seconds, 'second');
}
