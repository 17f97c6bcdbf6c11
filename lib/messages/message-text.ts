/** A message in words: what mails and chats are made of. */

export interface MessageText {
  subject: string;
  lines: string[];
  /** Absent: there is nothing to open. */
  link?: { label: string; url: string };
}

/** Characters that break lines, hide text or turn its direction. Names and paths are written by strangers. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
const MAX_TEXT = 200;

/** Somebody's text as a part of a sentence of ours. */
export const tame = (text: string): string => text.replaceAll(HIDDEN, ' ').trim().slice(0, MAX_TEXT);
