import { isRobot, MAX_USER_AGENT_LENGTH } from './bot.ts';
import { type Device, parseDevice } from './device.ts';

/** What a user agent tells. */
export interface Agent {
  robot: boolean;
  device: Device;
}

const MAX_KNOWN = 1000;

/**
 * Reads user agents, and remembers what the last ones told: visitors share few of them, and reading one anew takes a third of
 * the time of a tracking request. Who sent one is not remembered. Made once an isolate; `exceptions` as for `isRobot`.
 */
export function createAgentReader(exceptions: readonly string[]): (userAgent: string) => Agent {
  const known = new Map<string, Agent>();
  return (userAgent) => {
    const found = known.get(userAgent);
    if (found !== undefined) return found;
    const agent = { robot: isRobot(userAgent, exceptions), device: parseDevice(userAgent) };
    if (userAgent.length > MAX_USER_AGENT_LENGTH) return agent;
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value ?? userAgent);
    known.set(userAgent, agent);
    return agent;
  };
}
