/** Signals of the browser: they count even if the server doesn't see their headers. */

/** A value is compared as a whole, and an unknown one means that the signal is on. */
const isOn = (signal: unknown): boolean =>
  !/^(undefined|null|false|0|no|unspecified)$/.test(signal as string);

/** Global Privacy Control: nothing is sent, whatever the visitor says. */
export const hasGpc = (): boolean => isOn(navigator.globalPrivacyControl);

/** Do Not Track. */
export const hasDnt = (): boolean => isOn(navigator.doNotTrack);
