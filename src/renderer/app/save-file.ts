/** How long a browser may take to begin with a file before its content is let go, in ms. */
const BEGIN_MS = 60_000;

/** Hands content to the reader as a file of that name; where it goes is asked or known by the browser. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), BEGIN_MS);
}
