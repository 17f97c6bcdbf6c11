import { isRobot, isRobotBrand, MAX_USER_AGENT_LENGTH } from './bot.ts';
import { hintHeaders, readHints } from './client-hints.ts';
import { type Device, parseDevice } from './device.ts';

/** What user agent and client hints of a request say. */
export interface Agent {
  robot: boolean;
  device: Device;
}

const MAX_KNOWN = 1000;
const MAX_KEY_LENGTH = 2 * MAX_USER_AGENT_LENGTH;

/**
 * Reads user agents with their hints and remembers the last results: visitors share few of them, and reading one takes a third of the
 * time of a tracking request. Who sent one is not remembered. Made once an isolate; `exceptions` as for `isRobot`.
 */
export function createAgentReader(exceptions: readonly string[]): (headers: Headers) => Agent {
  const known = new Map<string, Agent>();
  return (headers) => {
    const userAgent = headers.get('User-Agent') ?? '';
    const sent = hintHeaders(headers);
    const key = [userAgent, ...sent].join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const hints = readHints(sent);
    const robot = isRobot(userAgent, exceptions) || isRobotBrand(hints.brands, exceptions);
    const agent = { robot, device: parseDevice(userAgent, hints) };
    if (userAgent.length > MAX_USER_AGENT_LENGTH || key.length > MAX_KEY_LENGTH) return agent;
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value ?? key);
    known.set(key, agent);
    return agent;
  };
}
