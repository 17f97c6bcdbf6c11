/** What may be sent of this visitor. Each value is compared as a whole, and an unknown one means the most private. */
import type { Policy } from './wire.ts';

/** Global Privacy Control of the browser: nothing is sent, whatever the visitor says. */
export const hasGpc = (): boolean => !/^(undefined|false)$/.test('' + navigator.globalPrivacyControl);

/** Do Not Track of the browser: it counts even if the server doesn't see the header. */
export const hasDnt = (): boolean => !/^(undefined|null|unspecified|no|0)$/.test('' + navigator.doNotTrack);

/** Whether nothing may be sent, whatever the visitor says later. */
export const isStop = ({ stop }: Policy): boolean => stop !== undefined && stop !== 'policy';

/** Whether nothing may be kept in the browser. */
export const isCapped = ({ cap }: Policy): boolean => cap !== undefined || hasDnt();

/** 0: nothing is sent. */
export const tierOf = (policy: Policy): number => {
  if (policy.stop !== undefined || ![1, 2, 3].includes(policy.maxTier)) return 0;
  return isCapped(policy) ? 1 : policy.maxTier;
};
