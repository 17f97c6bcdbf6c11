/** Hands contents to the browser as a file to save. */
export function saveFile(
  name: string,
  contents: string | readonly Uint8Array[],
  type = 'application/json',
): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob((typeof contents === 'string' ? [contents] : contents) as BlobPart[], { type }),
  );
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
