/** Messages to the operator of the application: on the error stream, each sentence once. */

const said = new Set<string>();
const MAX_SAID = 100;

/** Prints the sentence, unless it was printed before. `about` tells sentences apart that differ in numbers only. Never throws. */
export function sayOnce(sentence: string, about: string = sentence): void {
  if (said.has(about) || said.size >= MAX_SAID) return;
  said.add(about);
  try {
    process.stderr.write(`@vendor/sdk-node: ${sentence}\n`);
  } catch {
    // Without an error stream no message can be shown.
  }
}
