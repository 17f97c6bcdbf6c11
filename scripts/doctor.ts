/** `npm run doctor [-- https://address] [--state FILE]`: what a deployment lacks or does wrong, each with the command that mends it (docs/deploy.md). */
import { parseArgs } from 'node:util';
import { readSetupFile } from '../tooling/setup-file.ts';
import { findPatient } from './doctor/find-patient.ts';
import { runDoctor } from './doctor/run-doctor.ts';

const tell = (line: string): void => console.log(line);
try {
  const { values, positionals } = parseArgs({
    options: { state: { type: 'string' } },
    allowPositionals: true,
  });
  const [address, ...others] = positionals;
  if (others.length > 0) throw new Error('npm run doctor [-- https://address] [--state FILE]');
  const patient = await findPatient({
    ...{ address, env: process.env },
    file: await readSetupFile(values.state),
  });
  try {
    tell(`${patient.url}\n`);
    const { findings } = await runDoctor(patient, tell);
    if (findings.length > 0) process.exitCode = 1;
  } finally {
    await patient.close();
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
