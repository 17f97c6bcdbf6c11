export { Env } from '../../functions/mcp/env.ts';
