import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { sayOnce } from './say.ts';

const PARENT_BASED = 'parentbased_';

/** The sampler of `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. Without them everything is sampled, as the caller decided. */
export function makeSampler(env: NodeJS.ProcessEnv): Sampler {
  const name = env.OTEL_TRACES_SAMPLER?.trim() || 'parentbased_always_on';
  const root = rootSampler(name.replace(PARENT_BASED, ''), env.OTEL_TRACES_SAMPLER_ARG);
  if (root === undefined)
    sayOnce(`OTEL_TRACES_SAMPLER has no sampler "${name.slice(0, 40)}"; everything is sampled.`);
  const sampler = root ?? new AlwaysOnSampler();
  return name.startsWith(PARENT_BASED) || root === undefined
    ? new ParentBasedSampler({ root: sampler })
    : sampler;
}

function rootSampler(name: string, argument: string | undefined): Sampler | undefined {
  if (name === 'always_on') return new AlwaysOnSampler();
  if (name === 'always_off') return new AlwaysOffSampler();
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(readRatio(argument));
  return undefined;
}

function readRatio(argument: string | undefined): number {
  const ratio = argument === undefined || argument.trim() === '' ? 1 : Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  sayOnce('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; everything is sampled.');
  return 1;
}
