// Milliseconds since the process began.
process.stdout.write(String(performance.now()), () => process.exit());
