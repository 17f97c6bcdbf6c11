/** Stands for values beyond the limit of a day, and in a series for all values without a part. Nobody can send it (lib/collection/fold-batch.ts). */
export const OTHER = '(other)';
