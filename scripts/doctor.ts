/** `npm run doctor [-- https://address] [--state FILE]`: what a deployment lacks or does wrong, each with the command that mends it (docs/deploy.md). */
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from '../tooling/run-command.ts';
import { readSetupFile } from '../tooling/setup-file.ts';
import { findPatient } from './doctor/find-patient.ts';
import { runDoctor } from './doctor/run-doctor.ts';

const tell = (line: string): void => console.log(line);
await runCommand('npm run doctor [-- https://address]', async ({ args, state }) => {
  const { positionals } = parseArgs({ args, options: {}, allowPositionals: true });
  const [address, ...others] = positionals;
  if (others.length > 0) throw new UsageError('Name one address.');
  const patient = await findPatient({
    ...{ address, env: process.env },
    file: await readSetupFile(state),
  });
  try {
    tell(`${patient.url}\n`);
    const { findings } = await runDoctor(patient, tell);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await patient.close();
  }
});
