import { site } from './script-tag.ts';

const said: Record<string, boolean> = {};

/** Tells the page's author, each text once. */
export const warn = (text: string): void => {
  // biome-ignore lint/suspicious/noConsole: the page's author is told
  if (!said[text]) console.warn(text);
  said[text] = true;
};

export const sayUnknown = (): void =>
  warn('Vendor: no site is called ' + site + '. Copy the tag from the settings of the site.');
