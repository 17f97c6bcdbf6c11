export { OutcomeError } from './outcomes/outcome-error.ts';
export { start } from './start.ts';
