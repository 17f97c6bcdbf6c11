/** Journeys as a picture: in each step the pages that most went through, and how many went from one to the next. */

export interface JourneyRow {
  pages: readonly string[];
  journeys: number;
}

/** A page at a step. `page` undefined: all pages with fewer journeys. */
export interface FlowNode {
  step: number;
  page: string | undefined;
  journeys: number;
}

export interface FlowLink {
  from: FlowNode;
  to: FlowNode;
  journeys: number;
}

export interface Flow {
  /** By step, the most frequent first, and all others last. */
  steps: FlowNode[][];
  links: FlowLink[];
}

/** The flow of these journeys through their first pages. */
export function flowOf(rows: readonly JourneyRow[], most: { steps: number; pages: number }): Flow {
  const length = Math.min(most.steps, Math.max(0, ...rows.map(({ pages }) => pages.length)));
  const steps = Array.from({ length }, (_, step) => nodesOf(rows, step, most.pages));
  const nodeOf = (row: JourneyRow, step: number): FlowNode | undefined => {
    const page = row.pages[step];
    const nodes = steps[step];
    if (page === undefined || nodes === undefined) return undefined;
    return nodes.find((node) => node.page === page) ?? nodes.find((node) => node.page === undefined);
  };
  const links = new Map<FlowNode, Map<FlowNode, FlowLink>>();
  for (const row of rows)
    for (let step = 0; step + 1 < length; step += 1) {
      const [from, to] = [nodeOf(row, step), nodeOf(row, step + 1)];
      if (from === undefined || to === undefined) continue;
      const of = links.get(from) ?? new Map<FlowNode, FlowLink>();
      const link = of.get(to) ?? { from, to, journeys: 0 };
      link.journeys += row.journeys;
      links.set(from, of.set(to, link));
    }
  return { steps, links: [...links.values()].flatMap((of) => [...of.values()]) };
}

function nodesOf(rows: readonly JourneyRow[], step: number, most: number): FlowNode[] {
  const sums = new Map<string, number>();
  for (const { pages, journeys } of rows) {
    const page = pages[step];
    if (page !== undefined) sums.set(page, (sums.get(page) ?? 0) + journeys);
  }
  const nodes = [...sums].map(([page, journeys]) => ({ step, page, journeys }));
  nodes.sort((a, b) => b.journeys - a.journeys);
  const others = nodes.slice(most).reduce((sum, { journeys }) => sum + journeys, 0);
  return others === 0
    ? nodes.slice(0, most)
    : [...nodes.slice(0, most), { step, page: undefined, journeys: others }];
}
