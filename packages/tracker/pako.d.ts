declare module 'pako' {
  const pako: { gzip: (text: string, options: { level: number }) => Uint8Array };
  export default pako;
}
