/** Devices and browsers of the demo site's visitors, with the weights of a small European shop. */
import type { TrackMessage } from '../../lib/collection/track-message.ts';
import type { FieldOf } from '../../lib/visits/dimensions.ts';

type Weighted<T> = readonly (readonly [T, number])[];

export interface Machine extends Required<Pick<TrackMessage, Exclude<FieldOf<'profile'>, 'language'>>> {
  screen: string;
}

const machine = (device: Machine['device'], browser: string, os: string, screen: string): Machine => ({
  device,
  browser,
  os,
  screen,
});

export const MACHINES: Weighted<Machine> = [
  [machine('mobile', 'Safari', 'iOS', '390x844'), 25],
  [machine('mobile', 'Chrome', 'Android', '412x915'), 20],
  [machine('mobile', 'Samsung Internet', 'Android', '360x780'), 4],
  [machine('mobile', 'Firefox', 'Android', '412x892'), 2],
  [machine('desktop', 'Chrome', 'Windows', '1920x1080'), 18],
  [machine('desktop', 'Edge', 'Windows', '1536x864'), 8],
  [machine('desktop', 'Safari', 'macOS', '1440x900'), 8],
  [machine('desktop', 'Chrome', 'macOS', '1728x1117'), 5],
  [machine('desktop', 'Firefox', 'Linux', '1920x1080'), 3],
  [machine('desktop', 'Firefox', 'Windows', '1920x1080'), 3],
  [machine('tablet', 'Safari', 'iOS', '820x1180'), 4],
];
