/** Signals that a browser sends by itself. Only the exact value `1` counts. */
export interface Signals {
  gpc: boolean;
  dnt: boolean;
}

export const readSignals = (headers: Headers): Signals => ({
  gpc: headers.get('Sec-GPC') === '1',
  dnt: headers.get('DNT') === '1',
});
