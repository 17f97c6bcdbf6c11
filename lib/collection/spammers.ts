import type { PublicLists } from './lists/public-lists.ts';
import { SPAM_REFERRERS } from './lists/spam-referrers.ts';

/**
 * Whether a host is a spammer's or below one, by our list and a public one. It asks a set once for each part of the host, so its time
 * doesn't grow with the lists.
 */
export function createSpammers({ spam }: Pick<PublicLists, 'spam'>): (host: string) => boolean {
  const spammers = new Set(SPAM_REFERRERS.trim().split(/\s+/));
  for (const [ending, hosts] of Object.entries(spam)) {
    for (const host of hosts.split(' ')) spammers.add(`${host}.${ending}`);
  }
  return (host) => {
    for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
      if (spammers.has(rest)) return true;
    }
    return false;
  };
}
