/** The deployment answers at its addresses. */
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { ServiceHealth } from '../../../lib/http/service-health.ts';
import type { SetupRun, Step } from '../step.ts';

const PATIENCE_MS = 4 * 60_000;
const PAUSE_MS = 2_000;
const REQUEST_MS = 15_000;

export const awaitService: Step = {
  title: 'Wait until it answers',
  plan: () => [
    'Asks /api/health until all functions and the database are of one version, for at most 4 minutes.',
  ],
  async run(run) {
    await wait(run, `${run.publicUrl}/api/health`, (text) => {
      const health = v.safeParse(v.pipe(v.string(), v.parseJson(), ServiceHealth), text);
      if (!health.success) return 'it is not the answer of this service';
      const ill = health.output.data.functions.filter(({ status }) => status !== 'ok');
      return ill.length === 0 ? undefined : ill.map(({ name, status }) => `${name} is ${status}`).join(', ');
    });
    await wait(run, `${run.contentUrl}/`, () => undefined);
  },
};

/** `faultOf` says what is wrong with the body of an answer. */
async function wait({ fetch, tell }: SetupRun, url: string, faultOf: (text: string) => string | undefined) {
  const until = performance.now() + PATIENCE_MS;
  for (let reported = ''; ; ) {
    const fault = await ask(fetch, url, faultOf);
    if (fault === undefined) return tell(`${url} answers`);
    if (performance.now() > until)
      throw new Error(
        `${url} doesn't answer as it should (${fault}). Everything is deployed; new addresses may take some minutes more. Run setup again, ` +
          'or npm run doctor, which says what is wrong.',
      );
    if (fault !== reported) tell(`${url}: not yet (${fault})`);
    reported = fault;
    await setTimeout(PAUSE_MS);
  }
}

async function ask(
  fetch: SetupRun['fetch'],
  url: string,
  faultOf: (text: string) => string | undefined,
): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) });
    const text = await response.text();
    const fault = faultOf(text);
    return response.ok ? fault : (fault ?? `status ${response.status}`);
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}
