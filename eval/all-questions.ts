import { ASKED_BEFORE } from './asked-before.ts';
import { HELD_BACK } from './held-back.ts';
import { QUESTIONS, type Question, UNANSWERABLE } from './questions.ts';

/** All eighty. */
export const ALL_QUESTIONS: readonly Question[] = [
  ...QUESTIONS,
  ...UNANSWERABLE,
  ...ASKED_BEFORE,
  ...HELD_BACK,
];
