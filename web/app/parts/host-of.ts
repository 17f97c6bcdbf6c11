/** The host of an address that somebody pasted; other texts as they are. */
export const hostOf = (text: string): string =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).hostname : text.trim();
