/**
 * `node scripts/prepare.ts`: makes the files that no commit holds, which everything else needs: what agents read of counting, the API's
 * documents, the dashboard, the views in chats, the SDK's package and the functions for Node.js.
 */
// One after the other: the dashboard imports the client that the second writes. `import` statements would run side by side.
await import('./counting.ts');
await import('./openapi.ts');
await import('../web/app/world/build-shapes.ts');
await import('../web/app/build-app.ts');
await import('../web/chat/build-chat.ts');
await import('../packages/sdk-node/build-package.ts');
await import('../host/build-functions.ts');

export {};
