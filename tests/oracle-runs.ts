/**
 * How many random cases a test tries that compares with an oracle; tests whose cases are dear take a share of them. Each run draws
 * others. `ORACLE_RUNS` in the environment says another number.
 */
export const ORACLE_RUNS = Number(process.env.ORACLE_RUNS ?? 30);
