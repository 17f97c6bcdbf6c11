/** What a visit must reach, as agents write it: `page /pricing` or `event signup`. */
import * as v from 'valibot';
import { invalid } from '../../lib/http/issues.ts';

/** Steps of a funnel. */
export const StepTexts = v.pipe(v.array(v.pipe(v.string(), v.maxLength(1100))), v.maxLength(20));

const TARGET = /^(page|event) (.+)$/s;

/** Throws `VALIDATION_ERROR` with the path of the argument. */
export function readTarget(text: string, path: string): { page: string } | { event: string } {
  const [, kind, name = ''] = TARGET.exec(text) ?? [];
  if (kind === undefined)
    throw invalid([{ path, message: 'must be like `page /pricing`, `page /docs/**` or `event signup`' }]);
  return kind === 'page' ? { page: name } : { event: name };
}

export const writeTarget = ({ page, event }: { page?: string | undefined; event?: string | undefined }) =>
  page === undefined ? `event ${event}` : `page ${page}`;

/** The path of a fault in the words of the arguments: of `steps.0.page` it is `steps.0`. */
export const targetPath =
  (inStead: readonly unknown[] = []) =>
  (keys: readonly unknown[]): readonly unknown[] => {
    const last = keys.at(-1);
    return last === 'page' || last === 'event' ? [...keys.slice(0, -1), ...inStead] : keys;
  };
