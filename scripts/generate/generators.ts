/** Scripts that write files of the repository, in their order. Each takes `--check`. */
export const generators = [
  'scripts/routes.ts',
  'scripts/dimensions.ts',
  'scripts/openapi.ts',
  'packages/tracker/build-tracker.ts',
  'web/account/build-pages.ts',
  'scripts/content-build.ts',
];
