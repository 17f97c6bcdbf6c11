/**
 * Tools that ask the client before they answer (multi-round-trip requests of 2026-07-28). The server keeps no state: the client gets it
 * sealed.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { askFor, askModel } from './ask-for.ts';
import { states } from './states.ts';

interface InputTool {
  /** The questions of each round. The tool answers after the last round. */
  rounds: ((ctx: ServerContext) => InputRequests)[];
  /** True if the client gets a sealed state and must send it back. */
  stateful?: boolean;
}

const name = () => ({ user_name: askFor('name', 'What is your name?') });
const confirm = () => ({ confirm: askFor('ok', 'Please confirm') });

const TOOLS: Record<string, InputTool> = {
  test_input_required_result_elicitation: { rounds: [name] },
  test_streaming_elicitation: { rounds: [name] },
  test_input_required_result_sampling: {
    rounds: [() => ({ capital_question: askModel('What is the capital of France?', 100) })],
  },
  test_input_required_result_list_roots: { rounds: [() => ({ client_roots: inputRequired.listRoots() })] },
  test_input_required_result_request_state: { rounds: [confirm], stateful: true },
  test_input_required_result_tampered_state: { rounds: [confirm], stateful: true },
  test_input_required_result_multiple_inputs: {
    rounds: [
      () => ({
        ...name(),
        greeting: askModel('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      }),
    ],
    stateful: true,
  },
  test_input_required_result_multi_round: {
    rounds: [
      () => ({ step1: askFor('name', 'Step 1: What is your name?') }),
      () => ({ step2: askFor('color', 'Step 2: What is your favorite color?') }),
    ],
    stateful: true,
  },
  test_input_required_result_capabilities: { rounds: [askWhatIsDeclared] },
  // The SDK itself refuses the call if the client didn't declare sampling.
  test_missing_capability: { rounds: [() => ({ question: askModel('Are you there?', 10) })] },
};

export function addInputTools(server: McpServer): void {
  for (const [tool, definition] of Object.entries(TOOLS)) {
    server.registerTool(tool, { description: 'Asks before it answers.' }, (ctx) =>
      play(tool, definition, ctx),
    );
  }
}

/** Plays the round of the sealed state, or the first one. Asks for missing input, otherwise continues with the next round. */
async function play(
  tool: string,
  { rounds, stateful = false }: InputTool,
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const state = ctx.mcpReq.requestState<{ tool: string; round: number }>();
  const round = state?.tool === tool ? state.round : 0;
  const given = ctx.mcpReq.inputResponses ?? {};
  const asked = rounds[round]?.(ctx) ?? {};
  const answered = Object.keys(asked).every((key) => key in given) && (!stateful || state !== undefined);
  const next = answered ? round + 1 : round;
  const inputRequests = rounds[next]?.(ctx);
  if (inputRequests === undefined) return { content: [{ type: 'text', text: 'All is answered: state-ok.' }] };
  return stateful
    ? inputRequired({ inputRequests, requestState: await states.mint({ tool, round: next }) })
    : inputRequired({ inputRequests });
}

function askWhatIsDeclared(ctx: ServerContext): InputRequests {
  const declared = readCapabilities(ctx);
  return {
    ...('elicitation' in declared && name()),
    ...('sampling' in declared && { question: askModel('Are you there?', 10) }),
  };
}

/** The capabilities in the request's envelope. The SDK has checked them, but its types don't show that. */
function readCapabilities({ mcpReq }: ServerContext): object {
  const declared = new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {})).get(
    CLIENT_CAPABILITIES_META_KEY,
  );
  return typeof declared === 'object' && declared !== null ? declared : {};
}
