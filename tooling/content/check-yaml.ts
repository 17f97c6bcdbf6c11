import * as v from 'valibot';
import { ruleOf } from '../../lib/rules.ts';
import type { Report } from './fault.ts';
import type { YamlDocument } from './yaml-document.ts';

/** Validates a document. Reports each broken rule; returns undefined if there are any. */
export function checkYaml<Output>(
  schema: v.GenericSchema<unknown, Output>,
  { value, locate }: YamlDocument,
  report: Report,
): Output | undefined {
  const { issues, output } = parseAll(schema, value);
  for (const issue of issues) {
    const path = (issue.path ?? []).map(({ key }) => key);
    report({ ...locate(path), rule: issue.message });
  }
  return issues.length === 0 ? output : undefined;
}

/** All issues. A strict object reports only its first unknown field, so each unknown field is removed and the rest is validated again. */
function parseAll<Output>(schema: v.GenericSchema<unknown, Output>, value: unknown) {
  const unknown: v.BaseIssue<unknown>[] = [];
  for (;;) {
    const {
      success,
      output,
      issues = [],
    } = v.safeParse(schema, value, { message: ruleOf, abortPipeEarly: true });
    const found = issues.filter(({ expected }) => expected === 'never');
    if (found.length === 0) return { issues: [...unknown, ...issues], output: success ? output : undefined };
    unknown.push(...found);
    for (const { path } of found) {
      const field = path?.at(-1);
      if (field?.type === 'object') Reflect.deleteProperty(field.input, String(field.key));
    }
  }
}
