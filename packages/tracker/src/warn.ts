const said: Record<string, boolean> = {};

/** Tells the page's author, each text once. */
export const warn = (text: string): void => {
  // biome-ignore lint/suspicious/noConsole: a message to the page's author
  if (!said[text]) console.warn(text);
  said[text] = true;
};
