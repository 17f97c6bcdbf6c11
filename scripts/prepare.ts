/** `node scripts/prepare.ts`: makes the files that no commit holds, which everything else needs: what agents read of counting, the API's documents and the dashboard. */
// One after the other: the dashboard imports the client that the first writes. Two `import` statements would run side by side.
await import('./counting.ts');
await import('./openapi.ts');
await import('../web/app/build-app.ts');

export {};
