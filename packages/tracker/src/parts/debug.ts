/** `data-debug`: says in the console what is sent, what the service answers, and why something isn't sent. */
import { own } from '../own.ts';
import type { Debug } from '../part-types.ts';
import { dataset } from '../script-tag.ts';
import type { Answer } from '../wire.ts';

// biome-ignore lint/suspicious/noConsole: the attribute asks for it
const tell = (...what: unknown[]): void => console.info('Vendor:', ...what);

const WHY = {
  excluded: 'not sent: data-exclude has its page',
  ignored: 'nothing is sent: this browser has localStorage.vendorIgnore',
  dropped: 'not sent: the function of data-before-send gave no event back',
};

/** As it is before `association.js` watches it: what the tracker sends is none of the page's requests. */
const request = fetch;

/** Why nothing at all is sent, as far as it is known. */
let stop: string | undefined;

const describe = ({ maxTier, stop: reason, cap }: Answer): string => {
  if (reason === 'gpc') stop = 'nothing is sent: Global Privacy Control';
  else stop = maxTier === 0 ? 'nothing is sent before consent: the policy of the site' : undefined;
  return stop ?? `tier ${maxTier}${cap ? ', no more than 1: Do Not Track' : ''}`;
};

const post: Debug['post'] = async (url, init) => {
  const { events, ...visit } = JSON.parse((init.body as string | undefined) ?? '{}');
  if (events) for (const event of events) tell('sends', event, visit);
  else tell('asks for the policy');
  try {
    const response = await request(url, init);
    const { status } = response;
    const answer = status === 204 ? { maxTier: 0, stop: 'gpc' } : await response.clone().json();
    if (events) tell('the service answers', status, answer.data ?? answer);
    tell(describe(answer.policy ?? answer));
    return response;
  } catch (error) {
    tell('no answer; what was to be sent goes again later', error);
    throw error;
  }
};

/** Tells each call of the page, and what is known at the start. */
export const createDebug = (): Debug => {
  tell('site', dataset.site);
  if (navigator.globalPrivacyControl) tell((stop = 'nothing is sent: Global Privacy Control'));
  if (/1|y/.test(navigator.doNotTrack as string)) tell('no more than tier 1: Do Not Track');
  if (own('hidden')) tell('waits until the page is seen');
  const calls = self.vendor as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['page', 'track', 'consent']) {
    const call = calls[name];
    calls[name] = (...given) => {
      tell(name, ...given);
      if (stop) tell(stop);
      return call?.(...given);
    };
  }
  return { say: (why, event) => tell(WHY[why], event ?? ''), post };
};
