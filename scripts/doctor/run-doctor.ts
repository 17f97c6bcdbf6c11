/** Runs every check, and tells each fault with what mends it. */

import { readDeployment } from '../../tooling/deployment.ts';
import { makePlan } from '../deploy/make-plan.ts';
import type { Check, Finding, Outcome, Patient } from './check.ts';
import { address } from './checks/address.ts';
import { arrivals } from './checks/arrivals.ts';
import { clock } from './checks/clock.ts';
import { crons } from './checks/crons.ts';
import { guides } from './checks/guides.ts';
import { queues } from './checks/queues.ts';
import { secrets } from './checks/secrets.ts';
import { reachStores } from './checks/stores.ts';
import { versions } from './checks/versions.ts';

export interface Report {
  findings: Finding[];
  /** How many checks could not be made. */
  notChecked: number;
}

export async function runDoctor(patient: Patient, tell: (line: string) => void): Promise<Report> {
  let found: ReturnType<typeof makePlan> | undefined;
  const plan = () => {
    const url = { host: undefined, url: patient.url };
    found ??= makePlan({ main: url, content: { host: undefined, url: patient.contentUrl ?? patient.url } });
    return found;
  };
  const checks: Check[] = [
    ...[address, versions, clock, secrets(plan), queues(plan)],
    ...[crons(readDeployment()), guides, arrivals],
  ];
  const report: Report = { findings: [], notChecked: 0 };
  const note = (title: string, outcome: Outcome): void => {
    show(title, outcome, tell);
    report.findings.push(...outcome.findings);
    if (outcome.notChecked !== undefined) report.notChecked += 1;
  };
  const { outcome, reached } = await reachStores(patient);
  note('Database and Redis', outcome);
  for (const check of checks) note(check.title, await check.run(reached).catch(unexpected));
  const { length } = report.findings;
  tell(
    length === 0
      ? '\nNothing is wrong, as far as it was checked.'
      : `\n${length} ${length === 1 ? 'fault' : 'faults'}. Mend the first one first: others may follow from it.`,
  );
  return report;
}

/** A check that fails by itself is a fault too: of what it asked. */
const unexpected = (error: unknown): Outcome => ({
  findings: [
    {
      fault: error instanceof Error ? error.message : String(error),
      mend: 'run npm run doctor again; if it stays so, the message says what doesn’t answer',
    },
  ],
});

function show(title: string, { findings, well, notChecked }: Outcome, tell: (line: string) => void): void {
  if (findings.length > 0) tell(`FAULT  ${title}`);
  else if (well !== undefined) tell(`ok     ${title}: ${well}`);
  for (const { fault, mend } of findings) tell(`         ${fault}\n         → ${mend}`);
  if (notChecked !== undefined) tell(`-      ${title}: not checked, ${notChecked}`);
}
