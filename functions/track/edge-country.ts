/** The visitor's country as the edge names it (contract section 3); absent where there is no edge. */
export function edgeCountry(request: Request): string | undefined {
  const { cf } = request as Request & { cf?: { country?: unknown } };
  return typeof cf?.country === 'string' ? cf.country : undefined;
}
