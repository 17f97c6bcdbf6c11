import type { ErrorKey } from './error-grouping.ts';

/** How a group is named in one line: `TypeError · chargeCard · src/orders.js`. A text follows where the location alone says too little. */
export const titleOf = ({ type, cause, location, template }: ErrorKey): string => {
  const what = cause === '' ? type : `${type} (${cause})`;
  const named = [what, location].filter(Boolean).join(' · ');
  return (template === '' ? named : `${named}: ${template}`) || 'Other errors';
};
