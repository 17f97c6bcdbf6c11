import { ASKED_BEFORE } from './asked-before.ts';
import { ASKED_OF_BACKENDS } from './asked-of-backends.ts';
import { HELD_BACK } from './held-back.ts';
import { QUESTIONS, type Question, UNANSWERABLE } from './questions.ts';

/** All of them. */
export const ALL_QUESTIONS: readonly Question[] = [
  ...QUESTIONS,
  ...UNANSWERABLE,
  ...ASKED_BEFORE,
  ...ASKED_OF_BACKENDS,
  ...HELD_BACK,
];
