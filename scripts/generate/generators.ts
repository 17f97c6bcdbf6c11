/** Scripts that generate files of the repository, in order. Each accepts `--check`. */
export const generators = [
  'scripts/routes.ts',
  'scripts/dimensions.ts',
  'scripts/schema.ts',
  'scripts/openapi.ts',
  'packages/tracker/build-tracker.ts',
  'web/build-pages.ts',
  'web/app/world/build-shapes.ts',
  'web/app/build-app.ts',
  'web/chat/build-chat.ts',
  'scripts/content-build.ts',
];
